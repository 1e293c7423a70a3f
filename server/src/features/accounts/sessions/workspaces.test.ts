import { describe, expect, it } from 'vitest';
import {
  type Browser,
  browser,
  browserToken,
  goodPassword,
  makePerson,
  signedIn,
  type TestPerson,
} from '../../../../test/accounts.js';
import { useApp } from '../../../../test/app.js';
import { auditOf } from '../../../../test/audit.js';
import { sql } from '../../../db/sql.js';

const aheadMs = 0;
const t = useApp({ clock: { now: () => new Date(Date.now() + aheadMs), elapsed: () => performance.now() } });

async function person(wanted: Partial<Parameters<typeof makePerson>[1]> = {}): Promise<TestPerson> {
  return makePerson(t, { tenantId: (await t.tenant()).tenantId, ...wanted });
}

/** In one more workspace. */
async function joins({ personId, email }: TestPerson, role = 'member', tenantName = 'Other'): Promise<number> {
  const { tenantId } = await t.tenant();
  await t.db.run(sql`update tenant set name = ${tenantName} where tenant_id = ${tenantId}`);
  await t.db.run(sql`
    insert into account (tenant_id, name, email, role, person_id)
    values (${tenantId}, 'Ada', ${email}, ${role}, ${personId})`);
  return tenantId;
}
const tokenStatus = async (b: Browser) => (await b.post('/oauth/session/token')).status;
const apiStatus = async (token: string) => (await t.withToken(token).get('/v2/lists')).status;

describe('a workspace with single sign-on that is required', () => {
  const requireSso = (tenantId: number, domain = 'example.com') =>
    t.db.run(sql`
      insert into identity_provider (tenant_id, name, issuer, client_id, domains, is_required)
      values (${tenantId}, 'Corp', 'https://idp.example', 'x', array[${domain}], true)`);

  it('is not entered by a password, and the page says how to enter it', async () => {
    const ada = await person();
    await requireSso(ada.tenantId);
    const b = await signedIn(t, ada);
    expect(await tokenStatus(b)).toBe(409);
    expect((await b.post('/oauth/session/workspace', { tenantId: ada.tenantId })).status).toBe(404);
    const { text } = await b.get('/oauth/workspace?next=/console');
    expect(text).toMatch(new RegExp(`href="/oauth/sso/${ada.tenantId}/\\d+\\?next=%2Fconsole"`));
    expect(text).not.toContain('name="tenantId"');
  });

  it('shuts out a session that was inside before, but not people of other domains', async () => {
    const [ada, guest] = [await person(), await person({ email: 'guest@elsewhere.example' })];
    const [b, g] = [await signedIn(t, ada), await signedIn(t, guest)];
    for (const { tenantId } of [ada, guest]) await requireSso(tenantId);
    expect([await tokenStatus(b), await tokenStatus(g)]).toEqual([409, 200]);
  });

  it('is the only one for a session that came through it', async () => {
    const ada = await person();
    const other = await joins(ada);
    const b = await signedIn(t, ada);
    await t.db.run(sql`
      update session set sso_tenant_id = ${ada.tenantId}, in_tenant_id = ${ada.tenantId} where person_id = ${ada.personId}`);
    await requireSso(ada.tenantId);
    expect((await b.get('/oauth/session')).body.workspaces).toMatchObject([{ tenantId: ada.tenantId }]);
    expect(await tokenStatus(b)).toBe(200);
    expect((await b.post('/oauth/session/workspace', { tenantId: other })).status).toBe(404);
  });
});

describe('among several workspaces', () => {
  it('one is chosen on a page first, and remembered', async () => {
    const ada = await person({ name: 'Ada' });
    const other = await joins(ada, 'viewer', '<b>Other & Co</b>');
    const b = browser(t);
    const reply = await b.fill('/oauth/sign-in?next=/console/lists', { email: ada.email, password: goodPassword });
    expect([reply.status, reply.headers.location]).toEqual([303, '/oauth/workspace?next=%2Fconsole%2Flists']);
    expect(await tokenStatus(b)).toBe(409);
    const page = await b.get('/oauth/workspace?next=%2Fconsole%2Flists');
    expect(page.text).toContain('&lt;b&gt;Other &amp; Co&lt;/b&gt;');
    const chosen = await b.fill('/oauth/workspace?next=%2Fconsole%2Flists', { tenantId: String(other) });
    expect([chosen.status, chosen.headers.location]).toEqual([303, '/console/lists']);
    expect((await b.post('/oauth/session/token')).body).toMatchObject({
      workspace: { tenantId: other },
      scopes: ['READ'],
    });
    expect(await auditOf(t, other, 'sign-')).toMatchObject([
      { action: 'sign-in.succeeded', detail: '{"by":"switch"}' },
    ]);

    const again = browser(t);
    const straight = await again.fill('/oauth/sign-in', { email: ada.email, password: goodPassword });
    expect(straight.headers.location).toBe('/console');
    expect((await again.get('/oauth/session')).body.workspace).toMatchObject({ tenantId: other });
  });

  it('the console goes from one to another, and what it held of the first ends', async () => {
    const ada = await person();
    const other = await joins(ada);
    const b = await signedIn(t, ada);
    await b.fill('/oauth/workspace', { tenantId: String(ada.tenantId) });
    const former = await browserToken(b);
    const moved = await b.post('/oauth/session/workspace', { tenantId: other });
    expect([moved.status, moved.body.workspace.tenantId]).toEqual([200, other]);
    expect(await apiStatus(former)).toBe(401);
    // A tab that still shows the first one goes on there, and not in the other.
    const still = await b.post('/oauth/session/token', { tenantId: ada.tenantId });
    expect(still.body).toMatchObject({ workspace: { tenantId: ada.tenantId }, workspaces: [{}, {}] });
    expect((await t.withToken(still.body.token).get('/v2/me')).body.data.workspace.tenantId).toBe(ada.tenantId);
    expect((await b.post('/oauth/session/token', { tenantId: 999_999 })).status).toBe(409);
    expect(await apiStatus(await browserToken(b))).toBe(200);
  });

  it('one of other people looks like one that does not exist, and nonsense is refused', async () => {
    const b = await signedIn(t, await person());
    const { tenantId } = await t.tenant();
    for (const wrong of [tenantId, 999_999_999, 0, -1]) {
      const { status, body } = await b.post('/oauth/session/workspace', { tenantId: wrong });
      expect([status, body.errors[0].message]).toEqual([404, 'No such workspace.']);
    }
    for (const body of [{}, { tenantId: '1' }, { tenantId: 1.5 }, { tenantId: null }, [], { tenantId: 1e300 }])
      expect((await b.post('/oauth/session/workspace', body)).status).toBe(400);
    expect((await b.post('/oauth/session/workspace', { tenantId }, { origin: 'http://evil.example' })).status).toBe(
      403,
    );
    const chosen = await b.fill('/oauth/workspace', { tenantId: String(tenantId) });
    expect([chosen.status, chosen.headers.location]).toEqual([303, '/oauth/workspace']);
  });

  it('choosing needs a sign-in', async () => {
    const page = await browser(t).get('/oauth/workspace?next=/console/x');
    expect([page.status, page.headers.location]).toEqual([
      303,
      `/oauth/sign-in?next=${encodeURIComponent('/oauth/workspace?next=%2Fconsole%2Fx')}`,
    ]);
  });
});
