// Guessing from many networks locks an account for strangers, but not for browsers in which its owner signed in before.
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type Browser,
  browser,
  formTokenOf,
  goodPassword,
  makePerson,
  type TestPerson,
} from '../../../../test/accounts.js';
import { useApp } from '../../../../test/app.js';
import { sql } from '../../../db/sql.js';
import { randomBytes } from '../../../lib/random.js';
import { SecretBox } from '../../../lib/secret-box.js';
import { countTries } from '../throttle/throttle.js';
import { passwordLimits } from './limits.js';

const t = useApp({ box: new SecretBox(randomBytes(32)) });
let ada: TestPerson;
beforeEach(async () => {
  await t.db.run(sql`delete from guess`);
  ada = await makePerson(t, { tenantId: (await t.tenant()).tenantId });
});

const attempt = (b: Browser, password = goodPassword, email = ada.email) =>
  b.fill('/oauth/sign-in?again=1', { email, password }, '/oauth/sign-in');

/** 101 wrong passwords from eleven networks, as the throttle counts them. */
async function guess(email: string): Promise<void> {
  for (let i = 0; i < 101; i++) {
    const { mine, others } = passwordLimits(email, `198.51.100.${i % 11}`);
    await countTries(t.db, [mine, ...others]);
  }
}

describe('a browser in which a person signed in before', () => {
  it('is let in while guesses lock everybody else out', async () => {
    const own = browser(t, '203.0.113.1');
    expect((await attempt(own)).status).toBe(303);
    await own.post('/oauth/sign-out');
    await guess(ada.email);
    expect((await attempt(browser(t, '203.0.113.2'))).status).toBe(429);
    expect((await attempt(own)).status).toBe(303);
  });

  it('is known by a cookie that no script can read, and that reveals nothing', async () => {
    const own = browser(t);
    const reply = await attempt(own);
    const cookie = [reply.headers['set-cookie']].flat().find((each) => each?.startsWith('rapport_device='));
    expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=34560000$/);
    expect(cookie).not.toContain(ada.email);
    const sealed = own.cookies.get('rapport_device') ?? '';
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain(ada.email);
    // Another browser of the same person has nothing in common with it.
    const other = browser(t);
    await attempt(other);
    expect(other.cookies.get('rapport_device')?.slice(20)).not.toContain(sealed.slice(20, 40));
  });

  it('has a budget of its own, which is smaller', async () => {
    const own = browser(t);
    await attempt(own);
    const statuses: number[] = [];
    for (let i = 0; i < 11; i++) statuses.push((await attempt(own, 'a guess, and wrong')).status);
    expect(statuses).toEqual([...Array(10).fill(400), 429]);
    expect((await attempt(own)).status).toBe(429);
    // A stranger's guesses are counted separately: these used up nothing of theirs.
    expect((await attempt(browser(t, '203.0.113.9'))).status).toBe(303);
  });

  it('is known only for the account that signed in there', async () => {
    const own = browser(t, '203.0.113.1');
    await attempt(own);
    const eve = await makePerson(t, { tenantId: ada.tenantId });
    await guess(eve.email);
    expect((await attempt(own, goodPassword, eve.email)).status).toBe(429);
  });

  it('may be known for several', async () => {
    const own = browser(t, '203.0.113.1');
    const eve = await makePerson(t, { tenantId: ada.tenantId });
    for (const { email } of [ada, eve]) expect((await attempt(own, goodPassword, email)).status).toBe(303);
    for (const { email } of [ada, eve]) await guess(email);
    for (const { email } of [ada, eve]) expect((await attempt(own, goodPassword, email)).status).toBe(303);
  });

  it('is not known by a cookie that is forged, changed, or older than the proof of the address', async () => {
    const own = browser(t, '203.0.113.1');
    await attempt(own);
    await own.post('/oauth/sign-out');
    await guess(ada.email);
    const device = own.cookies.get('rapport_device') ?? '';
    const with_ = async (cookie: string) => {
      const b = browser(t, '203.0.113.5');
      const form = formTokenOf((await b.get('/oauth/sign-in')).text);
      const fields = { form, email: ada.email, password: goodPassword };
      const headers = { 'sec-fetch-site': 'same-origin', cookie: `${b.cookie}; rapport_device=${cookie}` };
      return (await b.submit('/oauth/sign-in', fields, headers)).status;
    };
    const changed = `${device.slice(0, -3)}${device.endsWith('AAA') ? 'BBB' : 'AAA'}`;
    for (const cookie of ['x', 'A'.repeat(100), changed]) expect(await with_(cookie)).toBe(429);
    await t.db.run(sql`update person set proven_at = now() + interval '1 minute' where person_id = ${ada.personId}`);
    expect(await with_(device)).toBe(429);
    await t.db.run(sql`update person set proven_at = null where person_id = ${ada.personId}`);
    expect(await with_(device)).toBe(303);
  });
});
