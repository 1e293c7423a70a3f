import { describe, expect, it } from 'vitest';
import {
  type Browser,
  browser,
  browserToken,
  formTokenOf,
  goodPassword,
  isSignedIn,
  makePerson,
  signedIn,
  type TestPerson,
} from '../../../../test/accounts.js';
import { useApp } from '../../../../test/app.js';
import { auditOf } from '../../../../test/audit.js';
import { sql } from '../../../db/sql.js';
import { sweepTokens } from '../../tenants/index.js';
import { sweepSessions } from './queries.js';

let aheadMs = 0;
const t = useApp({ clock: { now: () => new Date(Date.now() + aheadMs), elapsed: () => performance.now() } });
const later = (days: number) => {
  aheadMs += days * 86_400_000;
};

async function person(wanted: Partial<Parameters<typeof makePerson>[1]> = {}): Promise<TestPerson> {
  return makePerson(t, { tenantId: (await t.tenant()).tenantId, ...wanted });
}

/** 401 if no one is signed in. */
const sessionStatus = async (b: Browser, headers = {}) => ((await isSignedIn(b, headers)) ? 200 : 401);
const tokenStatus = async (b: Browser) => (await b.post('/oauth/session/token')).status;
const apiStatus = async (token: string) => (await t.withToken(token).get('/v2/lists')).status;

it('without a session, says how to make the first admin until there is one', async () => {
  const seen = async () => (await browser(t).get('/oauth/session')).body;
  expect((await seen()).firstAdmin.at(-1)).toMatch(/curl .* http:\/\/rapport\.test\/admin\/tenants\/1\/invitations$/);
  await person();
  expect(await seen()).toEqual({
    ...{ person: null, workspace: null, workspaces: [] },
    ...{ form: expect.stringMatching(/^[\w-]{43}$/), hasEnded: false },
  });
});

it('gives strangers the field of the form with which they sign in', async () => {
  const { email } = await person();
  const b = browser(t);
  const { form } = (await b.get('/oauth/session')).body;
  const reply = await b.submit('/oauth/sign-in', { form, email, password: goodPassword, next: '/console/lists' });
  expect([reply.status, reply.headers.location]).toEqual([303, '/console/lists']);
  const { body } = await b.get('/oauth/session');
  expect(body).toMatchObject({ person: { email, needsPassword: false }, form: expect.any(String) });
  expect(body.hasEnded).toBeUndefined();
});

it('tells a browser whose session has ended from one that was signed out, and from one that never was signed in', async () => {
  const ada = await person();
  const [b, other] = [await signedIn(t, ada), await signedIn(t, ada)];
  const hasEnded = async () => (await b.get('/oauth/session')).body.hasEnded;
  const page = async (path = '/oauth/sign-in') => (await b.get(path)).text;
  await other.post('/oauth/sign-out-everywhere');
  expect(await hasEnded()).toBe(true);
  expect(await page()).toContain('Your session has ended.');
  expect(await page('/oauth/sign-in?again=1')).not.toContain('has ended');
  await b.post('/oauth/sign-out');
  expect(await hasEnded()).toBe(false);
  expect(await page()).not.toMatch(/has ended|signed out/);
  expect(await page('/oauth/sign-in?out=1')).toContain('You are signed out.');
});

describe('a session', () => {
  it('needs its cookie, and does not work with another', async () => {
    await person();
    for (const cookie of ['', 'rapport_session=', 'rapport_session=x', `rapport_session=${'x'.repeat(43)}`]) {
      const { status, body } = await browser(t).get('/oauth/session', { cookie });
      expect([status, body]).toMatchObject([200, { person: null, workspace: null, workspaces: [] }]);
    }
  });

  it('ends two weeks after it was last used, and lasts while it is used', async () => {
    const b = await signedIn(t, await person());
    later(13);
    expect(await sessionStatus(b)).toBe(200);
    later(13);
    expect(await sessionStatus(b)).toBe(200);
    later(15);
    expect(await sessionStatus(b)).toBe(401);
    expect(await tokenStatus(b)).toBe(401);
  });

  it('ends after three months, however it is used', async () => {
    const b = await signedIn(t, await person());
    const lived: number[] = [];
    for (let days = 10; days <= 100; days += 10) {
      later(10);
      if ((await sessionStatus(b)) === 200) lived.push(days);
    }
    expect(lived).toEqual([10, 20, 30, 40, 50, 60, 70, 80]);
  });

  it('is written to at most once in five minutes', async () => {
    const ada = await person();
    const b = await signedIn(t, ada);
    const seen = () =>
      t.db.row(sql<{ seenAt: string }>`select seen_at as "seenAt" from session where person_id = ${ada.personId}`);
    const before = await seen();
    aheadMs += 240_000;
    await sessionStatus(b);
    expect(await seen()).toEqual(before);
    aheadMs += 120_000;
    await Promise.all([sessionStatus(b), sessionStatus(b), sessionStatus(b)]);
    const after = await seen();
    expect(after).not.toEqual(before);
    await sessionStatus(b);
    expect(await seen()).toEqual(after);
  });

  it('that has ended is swept, with tokens of apps and browsers a day after they ended, but not personal ones', async () => {
    const ada = await person();
    const b = await signedIn(t, ada);
    await browserToken(b);
    await t.db.run(sql`update session set expires_at = now() - interval '1 second'`);
    expect(await sweepSessions(t.db, 1000)).toBeGreaterThan(0);
    expect(await t.db.rows(sql`select from session`)).toEqual([]);
    await t.db.run(sql`
      update access_token set expires_at = now() - interval '23 hours' where tenant_id = ${ada.tenantId}`);
    await sweepTokens(t.db, 1000);
    const kinds = () => t.db.rows(sql`select kind from access_token where tenant_id = ${ada.tenantId} order by kind`);
    expect(await kinds()).toEqual([{ kind: 'personal' }, { kind: 'session' }]);
    await t.db.run(sql`
      update access_token set expires_at = now() - interval '25 hours' where tenant_id = ${ada.tenantId}`);
    await sweepTokens(t.db, 1000);
    expect(await kinds()).toEqual([{ kind: 'personal' }]);
  });
});

describe('a token of a browser', () => {
  it('lives a quarter of an hour, and tells the console who and where', async () => {
    const ada = await person({ name: 'Ada', role: 'member' });
    const b = await signedIn(t, ada);
    const { body, headers } = await b.post('/oauth/session/token');
    expect(body).toEqual({
      token: expect.stringMatching(/^rpt_web_[\w-]{43}$/),
      expiresAt: expect.any(String),
      scopes: ['READ', 'WRITE'],
      workspace: { tenantId: ada.tenantId, name: 'Test', role: 'member' },
      workspaces: [{ tenantId: ada.tenantId, name: 'Test', role: 'member' }],
      person: { name: 'Ada', email: ada.email, needsPassword: false },
    });
    expect(headers['cache-control']).toBe('no-store');
    expect(await apiStatus(body.token)).toBe(200);
    aheadMs += 14 * 60_000;
    expect(await apiStatus(body.token)).toBe(200);
    aheadMs += 61_000;
    expect(await apiStatus(body.token)).toBe(401);
  });

  it('of a viewer reads and does not write', async () => {
    const b = await signedIn(t, await person({ role: 'viewer' }));
    const { body } = await b.post('/oauth/session/token');
    expect(body.scopes).toEqual(['READ']);
    const viewer = t.withToken(body.token);
    expect((await viewer.get('/v2/lists')).status).toBe(200);
    expect((await viewer.post('/v2/lists', { name: 'No' })).status).toBe(403);
  });

  it('is given only to our own pages', async () => {
    const b = await signedIn(t, await person());
    for (const headers of [
      {},
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'http://evil.example' },
      { origin: 'null' },
    ]) {
      const { status, text } = await b.post('/oauth/session/token', undefined, headers);
      expect([status, text]).toEqual([403, '']);
    }
    const own = { origin: 'http://localhost:80', host: 'localhost' };
    expect((await b.post('/oauth/session/token', undefined, own)).status).toBe(200);
  });

  it('dies with its session', async () => {
    const b = await signedIn(t, await person());
    const token = await browserToken(b);
    expect(await apiStatus(token)).toBe(200);
    expect((await b.post('/oauth/sign-out')).status).toBe(204);
    expect(await apiStatus(token)).toBe(401);
  });

  it('dies with its session even when it is being made while that ends', async () => {
    for (let round = 0; round < 10; round++) {
      const ada = await person();
      const b = await signedIn(t, ada);
      const copy = browser(t);
      const withCookie = { 'sec-fetch-site': 'same-origin', cookie: b.cookie };
      const [given, ...others] = await Promise.all([
        copy.post('/oauth/session/token', undefined, withCookie),
        copy.post('/oauth/session/token', undefined, withCookie),
        b.post('/oauth/sign-out'),
        browser(t).post('/oauth/session/token', undefined, withCookie),
      ]);
      for (const { status, body } of [given, ...others])
        if (status === 200) expect(await apiStatus(body.token)).toBe(401);
      const live = await t.db.rows(sql`
        select from access_token where account_id = ${ada.accountId} and kind = 'session' and revoked_at is null`);
      expect(live).toEqual([]);
    }
  });

  it('is refused to a client that asks for thousands', async () => {
    const ada = await person();
    const b = await signedIn(t, ada);
    for (let i = 0; i < 300; i++) expect(await tokenStatus(b)).toBe(200);
    const { status, headers } = await b.post('/oauth/session/token');
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  it('is never given to a deactivated account, and one that it has ends', async () => {
    const ada = await person();
    const b = await signedIn(t, ada);
    const token = await browserToken(b);
    await t.db.run(sql`update account set deactivated_at = now() where account_id = ${ada.accountId}`);
    const { status, body } = await b.post('/oauth/session/token');
    expect([status, body.errors[0].message]).toEqual([409, 'You are in no workspace. Choose one at /oauth/workspace.']);
    expect((await b.get('/oauth/session')).body).toMatchObject({ workspace: null, workspaces: [] });
    // Deactivating makes this node forget at once; so does signing out.
    await (await signedIn(t, await person())).post('/oauth/sign-out');
    expect(await apiStatus(token)).toBe(401);
  });
});

describe('signing out', () => {
  it('by a form leads to the sign-in page and takes the cookie away', async () => {
    const ada = await person();
    const b = await signedIn(t, ada);
    const { text } = await b.get('/oauth/workspace');
    const cookieBefore = b.cookie;
    const reply = await b.submit('/oauth/sign-out', { form: formTokenOf(text) });
    expect([reply.status, reply.headers.location]).toEqual([303, '/oauth/sign-in?out=1']);
    expect(b.cookies.has('rapport_session')).toBe(false);
    expect(await sessionStatus(browser(t), { cookie: cookieBefore })).toBe(401);
    expect((await auditOf(t, ada.tenantId, 'sign-')).map(({ action }) => action)).toEqual([
      'sign-in.succeeded',
      'sign-out',
    ]);
  });

  it('cannot be done by another site', async () => {
    const b = await signedIn(t, await person());
    for (const path of ['/oauth/sign-out', '/oauth/sign-out-everywhere']) {
      expect((await b.submit(path, {})).status).toBe(403);
      expect((await b.submit(path, { form: 'x' })).status).toBe(403);
      expect((await b.post(path, undefined, { origin: 'http://evil.example' })).status).toBe(403);
      expect((await b.post(path, undefined, {})).status).toBe(403);
    }
    expect(await sessionStatus(b)).toBe(200);
  });

  it('everywhere ends all sessions with their tokens, and leaves personal tokens alone', async () => {
    const ada = await person();
    const [one, two] = [await signedIn(t, ada), await signedIn(t, ada)];
    const eve = await signedIn(t, await person());
    const tokens = [await browserToken(one), await browserToken(two)];
    const { body } = await t.admin.post(`/admin/tenants/${ada.tenantId}/tokens`, {
      ...{ name: 'Script', scopes: ['READ'], accountId: ada.accountId },
    });
    expect((await one.post('/oauth/sign-out-everywhere')).status).toBe(204);
    for (const b of [one, two]) expect(await sessionStatus(b)).toBe(401);
    for (const token of tokens) expect(await apiStatus(token)).toBe(401);
    expect(await apiStatus(body.data.token)).toBe(200);
    expect(await sessionStatus(eve)).toBe(200);
    expect((await auditOf(t, ada.tenantId, 'sign-')).at(-1)).toMatchObject({ action: 'sign-out.everywhere' });
  });

  it('twice is no error', async () => {
    const b = browser(t);
    expect((await b.post('/oauth/sign-out')).status).toBe(204);
  });
});
