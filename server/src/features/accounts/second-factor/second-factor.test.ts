import { Secret, TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import {
  browser,
  goodPassword,
  hiddenFields,
  isSignedIn,
  makePerson,
  type TestPerson,
} from '../../../../test/accounts.js';
import { useApp } from '../../../../test/app.js';
import { auditOf } from '../../../../test/audit.js';
import { eventually } from '../../../../test/messages.js';
import { sql } from '../../../db/sql.js';
import { randomBytes } from '../../../lib/random.js';
import { SecretBox } from '../../../lib/secret-box.js';
import { rotateSecrets } from '../../sending/index.js';
import { findPerson, type PersonRow, updatePassword } from '../people/queries.js';
import { countRecoveryCodes, personDrawers } from './queries.js';
import { confirmTotp, findTrial, isCode, removeSecondFactor, renewRecoveryCodes, startTotp } from './second-factor.js';

const key = randomBytes(32);
const box = new SecretBox(key);
let now = new Date('2026-11-16T12:00:05Z');
const t = useApp({ box, clock: { now: () => now, elapsed: () => performance.now() } });
const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1000);
};

const personOf = async ({ personId }: TestPerson) => (await findPerson(t.db, personId)) as PersonRow;
const codeAt = (secret: string, seconds = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now.getTime() + seconds * 1000 });

/** A person with an authenticator app, and the secret in it. */
async function withApp() {
  const { tenantId } = await t.tenant();
  const ada = await makePerson(t, { tenantId });
  const trial = await startTotp(t.db, box, ada);
  const secret = trial?.secret ?? '';
  expect(await confirmTotp(t.db, box, await personOf(ada), codeAt(secret), now)).toBe(true);
  later(60);
  return { ada, secret, tenantId };
}

/** Goes as far as the second step; returns a function that sends a code there. */
async function atSecondStep({ email }: { email: string }, next = '') {
  const b = browser(t);
  const page = await b.fill(`/oauth/sign-in${next}`, { email, password: goodPassword });
  expect(page.status).toBe(200);
  const carried = hiddenFields(page.text);
  return {
    b,
    page,
    carried,
    send: (fields: Record<string, string>) => b.submit('/oauth/sign-in', { ...carried, ...fields }),
  };
}

describe('a code', () => {
  it('is asked for after the password, and signs in only then', async () => {
    const { ada, secret, tenantId } = await withApp();
    const { b, page, send } = await atSecondStep(ada, '?next=/console/lists');
    expect(page.headers['set-cookie']).toBeUndefined();
    expect(page.text).toMatch(/inputmode="numeric" autocomplete="one-time-code"/);
    expect(await isSignedIn(b)).toBe(false);
    expect(await t.db.rows(sql`select from session where person_id = ${ada.personId}`)).toEqual([]);
    const reply = await send({ code: codeAt(secret) });
    expect([reply.status, reply.headers.location]).toEqual([303, '/console/lists']);
    expect((await b.get('/oauth/session')).body.workspace).toMatchObject({ tenantId });
    expect(await t.db.rows(sql`select is_strong from session where person_id = ${ada.personId}`)).toEqual([
      { is_strong: true },
    ]);
  });

  it('works once: replayed it is wrong, and so is an earlier one', async () => {
    const { ada, secret } = await withApp();
    const [before, used] = [codeAt(secret, -30), codeAt(secret)];
    expect((await (await atSecondStep(ada)).send({ code: used })).status).toBe(303);
    expect((await (await atSecondStep(ada)).send({ code: used })).status).toBe(400);
    expect((await (await atSecondStep(ada)).send({ code: before })).status).toBe(400);
    later(30);
    expect((await (await atSecondStep(ada)).send({ code: codeAt(secret) })).status).toBe(303);
  });

  it('works for one of many who send it at the same time', async () => {
    const { ada, secret } = await withApp();
    const { send } = await atSecondStep(ada);
    const code = codeAt(secret);
    const statuses = (await Promise.all(Array.from({ length: 8 }, () => send({ code })))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
  });

  it.each([
    [-60, 400],
    [-30, 303],
    [0, 303],
    [30, 303],
    [60, 400],
  ])('of a clock that is %i seconds off is answered %i', async (seconds, status) => {
    const { ada, secret } = await withApp();
    later(300);
    expect((await (await atSecondStep(ada)).send({ code: codeAt(secret, seconds) })).status).toBe(status);
  });

  it('may have the space that some apps show, and nothing else', async () => {
    const { ada, secret } = await withApp();
    const code = codeAt(secret);
    const { send } = await atSecondStep(ada);
    for (const wrong of ['', '0', `${code}0`, code.slice(1), 'abcdef', '１２３４５６'])
      expect((await send({ code: wrong })).status).toBe(400);
    expect((await send({ code: `${code.slice(0, 3)} ${code.slice(3)}` })).status).toBe(303);
  });

  it('can be guessed ten times, however often the password is entered, and then not even the right one works', async () => {
    const { ada, secret, tenantId } = await withApp();
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) {
      const { send } = await atSecondStep(ada);
      for (let n = 0; n < 5; n++) statuses.push((await send({ code: '000000' })).status);
    }
    expect(statuses).toEqual([...Array(10).fill(400), ...Array(5).fill(429)]);
    const { send } = await atSecondStep(ada);
    expect((await send({ code: codeAt(secret) })).status).toBe(429);
    expect((await send({ recoveryCode: 'aaaa-aaaa-aaaa-aaaa' })).status).toBe(429);
    const told = await eventually(
      () => auditOf(t, tenantId, 'sign-'),
      (entries) => entries.length >= 11,
    );
    expect(told.map(({ action }) => action).sort()).toEqual([...Array(10).fill('sign-in.failed'), 'sign-in.locked']);
  });

  it('stops a thousand who guess at once at the tenth', async () => {
    const { ada } = await withApp();
    const { send } = await atSecondStep(ada);
    const replies = await Promise.all(Array.from({ length: 1000 }, (_, i) => send({ code: String(100_000 + i) })));
    expect(replies.filter(({ status }) => status === 400 || status === 303).length).toBeLessThanOrEqual(10);
  });
});

describe('what the form carries to the second step', () => {
  it('expires, and does not work changed, elsewhere, or after another password was set', async () => {
    const { ada, secret } = await withApp();
    const { b, carried, send } = await atSecondStep(ada);
    const pending = carried.pending ?? '';
    const code = codeAt(secret);
    for (const changed of ['', 'x', pending.slice(0, -4), `${pending.slice(0, 40)}AAAA${pending.slice(44)}`]) {
      const reply = await send({ pending: changed, code });
      expect([reply.status, reply.text.includes('Please sign in again')]).toEqual([400, true]);
    }
    const elsewhere = browser(t);
    expect((await elsewhere.fill('/oauth/sign-in', { pending, code })).status).toBe(400);
    const { passwordHash } = await personOf(ada);
    await updatePassword(t.db, ada.personId, '$argon2id$another');
    expect((await send({ code })).status).toBe(400);
    await updatePassword(t.db, ada.personId, passwordHash ?? '');
    const late = await atSecondStep(ada);
    later(601);
    expect((await late.send({ code: codeAt(secret) })).status).toBe(400);
    expect(await isSignedIn(b)).toBe(false);
  });

  it('reveals nothing', async () => {
    const { ada } = await withApp();
    const { carried } = await atSecondStep(ada);
    const read = Buffer.from(carried.pending ?? '', 'base64url').toString('latin1');
    expect(read).not.toContain('personId');
  });
});

describe('a recovery code', () => {
  it('replaces the app, once, however it is typed', async () => {
    const { ada } = await withApp();
    const codes = await t.db.transaction((tx) => renewRecoveryCodes(tx, ada.personId));
    expect(codes).toHaveLength(10);
    for (const code of codes) expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
    const [first = '', second = ''] = codes;
    expect((await (await atSecondStep(ada)).send({ recoveryCode: first })).status).toBe(303);
    expect((await (await atSecondStep(ada)).send({ recoveryCode: first })).status).toBe(400);
    const typed = ` ${second.toUpperCase().replaceAll('-', ' ')} `;
    expect((await (await atSecondStep(ada)).send({ recoveryCode: typed })).status).toBe(303);
    expect(await countRecoveryCodes(t.db, ada.personId)).toBe(8);
  });

  it('works for one of many who send it at the same time, and not for another person', async () => {
    const { ada } = await withApp();
    const { ada: eve } = await withApp();
    const [code = ''] = await t.db.transaction((tx) => renewRecoveryCodes(tx, ada.personId));
    expect((await (await atSecondStep(eve)).send({ recoveryCode: code })).status).toBe(400);
    const { send } = await atSecondStep(ada);
    const replies = await Promise.all(Array.from({ length: 8 }, () => send({ recoveryCode: code })));
    expect(replies.filter(({ status }) => status === 303)).toHaveLength(1);
  });

  it('ends when there are new ones', async () => {
    const { ada } = await withApp();
    const [old = ''] = await t.db.transaction((tx) => renewRecoveryCodes(tx, ada.personId));
    await t.db.transaction((tx) => renewRecoveryCodes(tx, ada.personId));
    expect((await (await atSecondStep(ada)).send({ recoveryCode: old })).status).toBe(400);
  });
});

describe('an app', () => {
  it('takes effect once one of its codes is entered, which uses that code up', async () => {
    const { tenantId } = await t.tenant();
    const ada = await makePerson(t, { tenantId });
    const trial = await startTotp(t.db, box, ada);
    expect(trial?.uri).toMatch(
      /^otpauth:\/\/totp\/Rapport:person-\d+%40example.com\?issuer=Rapport&secret=[A-Z2-7]{32}&/,
    );
    expect(findTrial(box, await personOf(ada))).toEqual(trial);
    const secret = trial?.secret ?? '';
    expect((await browser(t).fill('/oauth/sign-in', { email: ada.email, password: goodPassword })).status).toBe(303);
    expect(await confirmTotp(t.db, box, await personOf(ada), '000000', now)).toBe(false);
    const code = codeAt(secret);
    expect(await confirmTotp(t.db, box, await personOf(ada), code, now)).toBe(true);
    expect((await (await atSecondStep(ada)).send({ code })).status).toBe(400);
    // Another one can be added only after this one was removed.
    expect(await startTotp(t.db, box, ada)).toBeUndefined();
    expect(await removeSecondFactor(t.db, ada.personId)).toBe(true);
    expect(await removeSecondFactor(t.db, ada.personId)).toBe(false);
    expect(await startTotp(t.db, box, ada)).toBeDefined();
  });

  it('goes on working under a new key, and its secret does not work for another person', async () => {
    const { ada, secret } = await withApp();
    const { ada: eve } = await withApp();
    const other = randomBytes(32);
    const rotated = await rotateSecrets(t.db, new SecretBox(other, [key]), personDrawers);
    expect(rotated.complaints).toEqual([]);
    expect(rotated.resealed).toBeGreaterThanOrEqual(2);
    const newBox = new SecretBox(other);
    expect(await isCode(t.db, newBox, await personOf(ada), codeAt(secret), now)).toBe(true);
    const stolen = { ...(await personOf(eve)), totpSecret: (await personOf(ada)).totpSecret };
    await expect(isCode(t.db, newBox, stolen, codeAt(secret), now)).rejects.toThrow('in the place of another');
    expect(await rotateSecrets(t.db, new SecretBox(key, [other]), personDrawers)).toMatchObject({ complaints: [] });
  });
});
