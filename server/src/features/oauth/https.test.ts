// Behind a proxy that speaks TLS, as most installations are: the service itself is asked over plain http.
import { expect, it, vi } from 'vitest';
import { useApp } from '../../../test/app.js';

const t = useApp({ baseUrl: () => 'https://rapport.example' });
const warned = vi.spyOn(console, 'warn');
const redirect_uri = 'https://app.example/back';

it('names itself as it is reached from outside, and keeps its cookies to https', async () => {
  const { body } = await t.anonymous.get('/.well-known/openid-configuration/oauth');
  const urls = Object.entries<string>(body).filter(([name]) => /_endpoint$|_uri$|^issuer$/.test(name));
  expect(urls.length).toBeGreaterThan(5);
  for (const [, url] of urls) expect(url).toMatch(/^https:\/\/rapport\.example\/oauth/);

  const registered = await t.anonymous.post('/oauth/register', {
    redirect_uris: [redirect_uri],
    token_endpoint_auth_method: 'none',
  });
  const { client_id } = registered.body;
  const query = new URLSearchParams({
    ...{ client_id, redirect_uri, response_type: 'code', scope: 'READ', state: 'x' },
    ...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
  });
  const { status, headers } = await t.anonymous.get(`/oauth/authorize?${query}`, { 'x-forwarded-proto': 'http' });
  expect([status, headers.location]).toEqual([
    303,
    expect.stringMatching(/^https:\/\/rapport\.example\/oauth\/consent\//),
  ]);
  const cookies = [headers['set-cookie'] ?? []].flat();
  expect(cookies.length).toBeGreaterThan(0);
  for (const cookie of cookies) {
    expect(cookie).toMatch(/; secure/i);
    expect(cookie).toMatch(/; httponly/i);
    expect(cookie).toMatch(/; samesite=lax/i);
    expect(cookie).toMatch(/; path=\/oauth/i);
  }
});

it('writes nothing to the operator’s terminal', () => {
  expect(warned).not.toHaveBeenCalled();
});
