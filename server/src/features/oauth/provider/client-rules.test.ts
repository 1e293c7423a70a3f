import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readClient, readRedirect } from './client-rules.js';

it.each([
  ['https://app.example/back', 'https'],
  ['https://app.example:8443/back?a=b', 'https'],
  ['http://localhost/back', 'loopback'],
  ['http://localhost:6274/back', 'loopback'],
  ['http://127.0.0.1:1/', 'loopback'],
  ['http://[::1]:9000/back', 'loopback'],
  ['com.example.app:/back', 'own-scheme'],
  ['cursor://anysphere.cursor/oauth', 'own-scheme'],
])('takes %s', (uri, way) => {
  expect(readRedirect(uri)).toEqual({ way });
});

it.each([
  'http://app.example/back',
  'http://127.0.0.2/back',
  'http://localhost.evil.example/back',
  'https://a:b@app.example/',
  'https://app.example/#x',
  'https://app.example/#',
  'https://*.example/',
  'https://app.example/*',
  'https://app.example\\@evil.example/',
  ' https://app.example/',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'data:text/html,x',
  'https://app.example;sandbox/back',
  'https://app.example,x/back',
  "https://app'example/back",
  'https://app.example/a\0b',
  'file:///etc/passwd',
  '/back',
  '',
  `https://app.example/${'x'.repeat(2000)}`,
])('refuses %s', (uri) => {
  expect(readRedirect(uri)).toHaveProperty('fault');
});

it('never takes what leads a browser to http anywhere but this machine', () => {
  fc.assert(
    fc.property(fc.webUrl({ validSchemes: ['http'] }), (uri) => {
      expect(readRedirect(uri)).toHaveProperty('fault');
    }),
  );
});

it('knows an app on a device by its addresses', () => {
  expect(readClient({ redirect_uris: ['https://app.example/'] })).toEqual({ isNative: false });
  expect(readClient({ redirect_uris: ['https://app.example/', 'http://127.0.0.1/'] })).toEqual({ isNative: true });
  expect(readClient({ redirect_uris: ['https://app.example/', 'http://app.example/'] }).fault).toContain('https');
  expect(readClient({}).fault).toBeDefined();
});

it.each([
  ['turns the words around it', 'Rapport\u202e'],
  ['has a line break', 'Rapport\nis fine'],
  ['has a NUL', 'a\0b'],
  ['is half a character', '\ud800'],
])('refuses a name that %s', (_what, client_name) => {
  expect(readClient({ redirect_uris: ['https://app.example/'], client_name }).fault).toContain('client_name');
});

it('takes names in all languages', () => {
  for (const client_name of ['Übersicht', 'שלום', '日本語', '👩‍💻 Desk'])
    expect(readClient({ redirect_uris: ['https://app.example/'], client_name })).toEqual({ isNative: false });
});
