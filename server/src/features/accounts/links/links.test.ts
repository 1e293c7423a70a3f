import { describe, expect, it } from 'vitest';
import { browser, hiddenFields, makePerson } from '../../../../test/accounts.js';
import { useApp } from '../../../../test/app.js';
import { auditOf } from '../../../../test/audit.js';
import { sql } from '../../../db/sql.js';
import { dropLinks, makeLink, makeOperatorLink } from '../index.js';
import { sweepLinks } from './queries.js';

const t = useApp();

async function person(wanted: Partial<Parameters<typeof makePerson>[1]> = {}) {
  return makePerson(t, { tenantId: (await t.tenant()).tenantId, password: null, ...wanted });
}
const pathOf = (token: string) => `/oauth/link?token=${token}`;

describe('a sign-in link', () => {
  it('shows whom it signs in, and signs them in once the button is pressed', async () => {
    const ada = await person({ name: 'Ada & Co' });
    const path = pathOf(await makeLink(t.db, ada.personId));
    const b = browser(t);
    // Programs may open it as often as they like.
    for (let i = 0; i < 3; i++) {
      const { status, text } = await b.get(path);
      expect([status, text.includes('Ada &amp; Co'), text.includes(ada.email)]).toEqual([200, true, true]);
    }
    expect((await t.app.http.inject({ method: 'HEAD', url: path })).statusCode).toBe(200);
    const reply = await b.fill(`${path}&next=/console/lists`);
    expect([reply.status, reply.headers.location]).toEqual([303, '/console/lists']);
    expect((await b.get('/oauth/session')).body.person.email).toBe(ada.email);
    expect(await auditOf(t, ada.tenantId, 'sign-')).toMatchObject([
      { action: 'sign-in.succeeded', accountId: ada.accountId, detail: '{"by":"link"}' },
    ]);
    const again = await browser(t).get(path);
    expect([again.status, again.text.includes('no longer works')]).toEqual([410, true]);
  });

  it('signs in one of many who press the button at once', async () => {
    const ada = await person();
    const path = pathOf(await makeLink(t.db, ada.personId));
    const browsers = Array.from({ length: 12 }, () => browser(t));
    const forms = await Promise.all(browsers.map(async (b) => hiddenFields((await b.get(path)).text)));
    const replies = await Promise.all(browsers.map((b, i) => b.submit('/oauth/link', forms[i] ?? {})));
    const statuses = replies.map(({ status }) => status).sort();
    expect(statuses).toEqual([303, ...Array(11).fill(410)]);
    expect(await t.db.rows(sql`select from session where person_id = ${ada.personId}`)).toHaveLength(1);
  });

  it('does not work if it is old, was revoked, or is for something else', async () => {
    const ada = await person();
    const old = await makeLink(t.db, ada.personId);
    await t.db.run(sql`update one_time_link set expires_at = now() where person_id = ${ada.personId}`);
    const dropped = await makeLink(t.db, ada.personId);
    await dropLinks(t.db, ada.personId, 'sign-in');
    const reset = await makeLink(t.db, ada.personId, 'reset');
    const b = browser(t);
    const { form = '' } = hiddenFields((await b.get('/oauth/sign-in')).text);
    for (const token of [old, dropped, reset, '', 'x', 'x'.repeat(43), `${reset}x`, "' or 1=1 --"]) {
      expect((await b.get(pathOf(encodeURIComponent(token)))).status).toBe(410);
      const reply = await b.submit('/oauth/link', { form, token });
      expect([reply.status, reply.headers['set-cookie']]).toEqual([410, undefined]);
    }
    expect((await b.get('/oauth/link')).status).toBe(410);
  });

  it('is not used up by a form from elsewhere', async () => {
    const ada = await person();
    const path = pathOf(await makeLink(t.db, ada.personId));
    const b = browser(t);
    const fields = hiddenFields((await b.get(path)).text);
    expect((await b.submit('/oauth/link', { ...fields, form: 'x' })).status).toBe(403);
    expect((await b.submit('/oauth/link', fields, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await b.submit('/oauth/link', fields)).status).toBe(303);
  });

  it('never leads to another site', async () => {
    const ada = await person();
    const b = browser(t);
    const fields = hiddenFields(
      (await b.get(`${pathOf(await makeLink(t.db, ada.personId))}&next=//evil.example`)).text,
    );
    expect(fields.next).toBeUndefined();
    const reply = await b.submit('/oauth/link', { ...fields, next: '//evil.example' });
    expect(reply.headers.location).toBe('/console');
  });

  it('does not work for a person who is deactivated everywhere', async () => {
    const ada = await person();
    const path = pathOf(await makeLink(t.db, ada.personId));
    await t.db.run(sql`update account set deactivated_at = now() where account_id = ${ada.accountId}`);
    const b = browser(t);
    expect((await b.fill(path)).status).toBe(410);
    expect(b.cookies.has('rapport_session')).toBe(false);
  });

  it('is stored only as a hash, and not for long', async () => {
    const ada = await person();
    const token = await makeLink(t.db, ada.personId);
    const rows = await t.db.rows(sql`select * from one_time_link where person_id = ${ada.personId}`);
    expect(JSON.stringify(rows)).not.toContain(token);
    await t.db.run(sql`update one_time_link set expires_at = now() - interval '2 days'`);
    expect(await sweepLinks(t.db, 1000)).toBeGreaterThan(0);
    expect(await t.db.rows(sql`select from one_time_link`)).toEqual([]);
  });
});

describe('a link from an operator', () => {
  const wanted = { baseUrl: 'http://rapport.test', endsSecondFactor: false };

  it('is in the audit log of each workspace', async () => {
    const ada = await person({ name: 'Ada' });
    const made = await makeOperatorLink(t.db, { ...wanted, email: ` ${ada.email.toUpperCase()}` });
    expect(made).toEqual({
      url: expect.stringMatching(/^http:\/\/rapport\.test\/oauth\/link\?token=[\w-]{43}$/),
      name: 'Ada',
      hasSecondFactor: false,
    });
    expect((await browser(t).fill((made?.url ?? '').replace('http://rapport.test', ''))).status).toBe(303);
    expect((await auditOf(t, ada.tenantId, 'sign-')).map(({ action, accountId }) => [action, accountId])).toEqual([
      ['sign-in.link-made', null],
      ['sign-in.succeeded', ada.accountId],
    ]);
  });

  it('still asks for the second factor, unless the operator removes that', async () => {
    const ada = await person();
    await t.db.run(sql`update person set totp_secret = '\\x00', totp_since = now() where person_id = ${ada.personId}`);
    await t.db.run(sql`insert into recovery_code (person_id, code_hash) values (${ada.personId}, '\\x00')`);
    const made = await makeOperatorLink(t.db, { ...wanted, email: ada.email });
    expect(made?.hasSecondFactor).toBe(true);
    const b = browser(t);
    const page = await b.fill((made?.url ?? '').replace('http://rapport.test', ''));
    expect([page.status, page.text.includes('one-time-code'), b.cookies.has('rapport_session')]).toEqual([
      ...[200, true, false],
    ]);
    const without = await makeOperatorLink(t.db, { ...wanted, email: ada.email, endsSecondFactor: true });
    expect(without?.hasSecondFactor).toBe(false);
    expect((await b.fill((without?.url ?? '').replace('http://rapport.test', ''))).status).toBe(303);
    expect((await auditOf(t, ada.tenantId, 'second-factor.')).map(({ action }) => action)).toContain(
      'second-factor.removed',
    );
    expect(await t.db.rows(sql`select from recovery_code where person_id = ${ada.personId}`)).toEqual([]);
  });

  it('is not made for an unknown address, nor for a person without an active workspace', async () => {
    const ada = await person();
    await t.db.run(sql`update account set deactivated_at = now() where account_id = ${ada.accountId}`);
    for (const email of ['nobody@example.com', ada.email])
      expect(await makeOperatorLink(t.db, { ...wanted, email })).toBeUndefined();
  });
});
