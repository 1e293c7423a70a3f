import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type Browser,
  browser,
  browserToken,
  formTokenOf,
  goodPassword,
  hiddenFields,
  isSignedIn,
  makePerson,
  signedIn,
} from '../../../../test/accounts.js';
import { useApp } from '../../../../test/app.js';

const warnings: string[] = [];
const t = useApp({ log: pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) }) });
const secure = useApp({ baseUrl: () => 'https://rapport.test' });

// Each test has its own network, so that none counts against another.
let networks = 0;
const nextAddress = () => `10.0.${Math.floor(++networks / 250)}.${(networks % 250) + 1}`;

// Only here does it show that a page was answered twice.
afterAll(() => {
  expect(warnings).toEqual([]);
});

function tryPassword(b: Browser, email: string, password: string) {
  return b.fill('/oauth/sign-in', { email, password });
}

describe('the form', () => {
  const fields = async (b: Browser, email: string): Promise<Record<string, string>> => ({
    ...hiddenFields((await b.get('/oauth/sign-in')).text),
    ...{ email, password: goodPassword },
  });

  it('is refused without its field, with a forged one, and with that of another browser', async () => {
    const { email } = await makePerson(t, { tenantId: (await t.tenant()).tenantId });
    const b = browser(t, nextAddress());
    const own = await fields(b, email);
    const { form: _form, ...without } = own;
    const other = formTokenOf((await browser(t).get('/oauth/sign-in')).text);
    for (const forged of [without, { ...own, form: '' }, { ...own, form: 'x'.repeat(43) }, { ...own, form: other }]) {
      const { status, headers, text } = await b.submit('/oauth/sign-in', forged);
      expect([status, headers['set-cookie']]).toEqual([403, undefined]);
      expect(text).toContain('reload the page');
    }
    expect((await b.submit('/oauth/sign-in', own)).status).toBe(303);
  });

  it.each([
    ['says that it is from elsewhere', { 'sec-fetch-site': 'cross-site' }],
    ['is from another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['has another origin', { origin: 'http://evil.example' }],
    ['hides its origin', { origin: 'null' }],
    ['says nothing', {}],
  ])('is refused when it %s', async (_, headers) => {
    const { email } = await makePerson(t, { tenantId: (await t.tenant()).tenantId });
    const b = browser(t, nextAddress());
    const own = await fields(b, email);
    expect((await b.submit('/oauth/sign-in', own, headers)).status).toBe(403);
  });

  it.each([
    ['the host that was asked', { origin: 'http://localhost:80', host: 'localhost' }],
    ['that of BASE_URL, behind a proxy with another name', { origin: 'http://rapport.test', host: 'backend:8080' }],
  ])('is taken without Sec-Fetch-Site when its origin is %s', async (_, headers) => {
    const { email } = await makePerson(t, { tenantId: (await t.tenant()).tenantId });
    const b = browser(t, nextAddress());
    const own = await fields(b, email);
    expect((await b.submit('/oauth/sign-in', own, headers)).status).toBe(303);
  });

  it('of another type, too long or with characters that no keyboard types is answered with a page', async () => {
    const b = browser(t, nextAddress());
    const own = await fields(b, 'ada@example.com');
    expect((await b.post('/oauth/sign-in', own)).status).toBe(415);
    const long = await b.submit('/oauth/sign-in', { ...own, password: 'x'.repeat(20_000) });
    expect([long.status, long.headers['content-type']]).toEqual([413, 'text/html; charset=utf-8']);
    expect((await b.submit('/oauth/sign-in', { ...own, email: 'a\0@example.com' })).status).toBe(400);
    expect((await b.submit('/oauth/sign-in', { ...own, __proto__: 'x', constructor: 'x' })).status).toBe(400);
  });

  it('names its fields for people, screen readers and password managers', async () => {
    const { text, headers } = await browser(t).get('/oauth/sign-in');
    expect(text).toMatch(/<label for="email">.*\n<input id="email" name="email" type="email" autocomplete="username"/);
    expect(text).toMatch(/<input id="password" name="password" type="password" autocomplete="current-password"/);
    expect(text).toContain('<label for="password">');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['cache-control']).toBe('no-store');
  });

  it('leads to the console for people with a token, to the page that they wanted', async () => {
    const linkOn = async (path: string) =>
      /href="([^"]+)">Use an access token/.exec((await browser(t).get(path)).text)?.[1];
    expect(await linkOn('/oauth/sign-in')).toBe('/console#token');
    expect(await linkOn('/oauth/sign-in?next=/console/lists%3Fsearch%3Da')).toBe('/console/lists?search=a#token');
    for (const next of ['/docs', '/consoles', '/console/a%23b', '//evil.example/console'])
      expect(await linkOn(`/oauth/sign-in?next=${next}`), next).toBe('/console#token');
  });

  it('gives back what was typed as text', async () => {
    const b = browser(t, nextAddress());
    const { text } = await tryPassword(b, '"><script>alert(1)</script>@x', 'wrong');
    expect(text).not.toContain('<script>');
    expect(text).toContain('&quot;&gt;&lt;script&gt;');
  });
});

describe('the cookie', () => {
  it('is new after signing in, whatever the browser had before', async () => {
    const { email } = await makePerson(t, { tenantId: (await t.tenant()).tenantId });
    const b = browser(t, nextAddress());
    const planted = 'a'.repeat(43);
    const page = await b.get('/oauth/sign-in', { cookie: `rapport_session=${planted}` });
    const reply = await b.submit(
      '/oauth/sign-in',
      { form: formTokenOf(page.text), email, password: goodPassword },
      { 'sec-fetch-site': 'same-origin', cookie: `rapport_session=${planted}` },
    );
    expect(reply.status).toBe(303);
    expect(b.cookies.get('rapport_session')).toMatch(/^[\w-]{43}$/);
    expect(b.cookies.get('rapport_session')).not.toBe(planted);
    const fixed = browser(t);
    expect(await isSignedIn(fixed, { cookie: `rapport_session=${planted}` })).toBe(false);
  });

  it('of the previous session ends when a person signs in again in that browser', async () => {
    const ada = await makePerson(t, { tenantId: (await t.tenant()).tenantId });
    const b = await signedIn(t, ada);
    const before = b.cookie;
    const token = await browserToken(b);
    const reply = await b.fill('/oauth/sign-in?again=1', { email: ada.email, password: goodPassword });
    expect(reply.status).toBe(303);
    expect(await isSignedIn(browser(t), { cookie: before })).toBe(false);
    expect((await t.withToken(token).get('/v2/lists')).status).toBe(401);
    expect(await isSignedIn(b)).toBe(true);
  });

  it('is kept from scripts and other sites; under https from plain http and other hosts too', async () => {
    for (const [app, name, more] of [
      [t, 'rapport_session', ''],
      [secure, '__Host-rapport_session', '; Secure'],
    ] as const) {
      const { email } = await makePerson(app, { tenantId: (await app.tenant()).tenantId });
      const { headers } = await tryPassword(browser(app, nextAddress()), email, goodPassword);
      const [cookie = ''] = [headers['set-cookie']].flat();
      expect(cookie.replace(/=[\w-]{43};/, '=VALUE;')).toBe(
        `${name}=VALUE; Path=/; HttpOnly; SameSite=Lax; Max-Age=7776000${more}`,
      );
    }
  });
});

describe('next', () => {
  it.each([
    ...['//evil.example', '/\\evil.example', '\\\\evil.example', 'https://evil.example', 'javascript:alert(1)'],
    ...['%0d%0aLocation:%20//evil.example', '/%0d%0aSet-Cookie:%20a=b', '/%09/evil.example', '/.//evil.example'],
    ...['/%2e//evil.example', '/a/..//evil.example', 'evil.example', '', '%00', '/%5C%5Cevil.example'],
  ])('%s leads home', async (next) => {
    const { email } = await makePerson(t, { tenantId: (await t.tenant()).tenantId });
    const b = browser(t, nextAddress());
    const page = await b.get(
      `/oauth/sign-in?next=${next.startsWith('%') || next.includes('%') ? next : encodeURIComponent(next)}`,
    );
    // Nor may a forged form carry it.
    const given = decodeURIComponent(next.includes('%00') ? '' : next);
    const reply = await b.submit('/oauth/sign-in', {
      ...{ ...hiddenFields(page.text), next: given, email, password: goodPassword },
    });
    expect([reply.status, reply.headers.location]).toEqual([303, '/console']);
  });

  it('that may end at an app leads on through a page, because the policy of the form names no app', async () => {
    const { email } = await makePerson(t, { tenantId: (await t.tenant()).tenantId });
    const next = '/oauth/authorize?client_id=a&redirect_uri=https%3A%2F%2Fapp.example%2Fcb';
    const reply = await browser(t, nextAddress()).fill(`/oauth/sign-in?next=${encodeURIComponent(next)}`, {
      ...{ email, password: goodPassword },
    });
    expect([reply.status, reply.headers.refresh]).toEqual([200, `0; url=${next}`]);
    expect(reply.text).toContain(`<a href="${next.replaceAll('&', '&amp;')}">`);
  });
});
