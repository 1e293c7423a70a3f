import fc from 'fast-check';
import { expect, it } from 'vitest';
import { safeNext } from './next.js';

const site = 'https://rapport.test';

it.each([
  '/console',
  '/oauth/authorize?client_id=a&state=%2F%2Fevil',
  '/a/b#c',
  '/',
  '/console?next=https://x.example',
])('takes %s as it is', (path) => expect(safeNext(path)).toBe(path));

it.each([
  undefined,
  null,
  7,
  ['/a'],
  '',
  'console',
  'http:/console',
  '/oauth/sso/1/2',
  '/a/../oauth/sso/1/2',
  '/oauth/%73so/1/2',
  '/%6fauth/sso/1/2',
  '/oauth/%2573so/1/2',
  '/oauth/%25%37%33so/1/2',
  '/oauth//sso/1/2',
  '/oauth/SSO/1/2',
  '/oauth%2fsso/1/2',
  '/a/%2e%2e/oauth/sso/1/2',
  '/a/%252e%252e/oauth/sso/1/2',
  '/oauth/sso%2f1/2',
  '/%5coauth/sso/1/2',
  '/%2f/evil.example',
  '/%252f/evil.example',
  '/a%00b',
  '/oauth/%E0%A4%A/1',
  `/${'x'.repeat(5000)}`,
])('refuses %s', (given) => expect(safeNext(given)).toBeUndefined());

it('writes letters beyond ASCII as a header may carry them', () => {
  expect(safeNext('/café?q=ü')).toBe('/caf%C3%A9?q=%C3%BC');
});

it('never leads to another site, whatever it is made of', () => {
  const piece = fc.constantFrom(
    ...[
      '/',
      '//',
      '\\',
      '.',
      '..',
      '@',
      ':',
      '%2f',
      '%5c',
      '\t',
      '\n',
      '\r',
      '\0',
      ' ',
      '?',
      '#',
      'evil.example',
      'https:',
      'a',
    ],
    ...['javascript:', '[', ']', '\u3002', '\uff0f', 'data:'],
  );
  const made = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(
      fc.oneof(
        made,
        made.map((rest) => `/${rest}`),
        fc.string({ unit: 'binary' }),
      ),
      (given) => {
        const next = safeNext(given);
        if (next === undefined) return;
        expect(new URL(next, site).origin).toBe(site);
        expect(next).toMatch(/^\/(?!\/)[\x21-\x7e]*$/);
      },
    ),
    { numRuns: 5000 },
  );
});
