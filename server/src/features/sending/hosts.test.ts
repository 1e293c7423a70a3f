import { describe, expect, it } from 'vitest';
import type { Signer } from './domain-keys.js';
import { linkBaseOf } from './link-names.js';
import { hostsOf, recordsOf, shown } from './records.js';

const row = {
  domain: 'example.com',
  selector: 's',
  publicKey: 'KEY',
  seen: null,
  isVerified: false,
  sharedUntil: null,
};

it.each([
  [
    'https://rapport.example:8443/x',
    undefined,
    undefined,
    ['rapport.example', 'rapport.example', 'include:rapport.example'],
  ],
  [
    'https://rapport.example',
    'mx.rapport.example',
    undefined,
    ['rapport.example', 'mx.rapport.example', 'include:mx.rapport.example'],
  ],
  [
    'https://rapport.example',
    undefined,
    'amazonses.com',
    ['rapport.example', 'rapport.example', 'include:amazonses.com'],
  ],
  // An address that leads only to the machine itself must not be published.
  ...['http://127.0.0.1:8080', 'http://localhost', 'http://[::1]:8080', 'http://0.0.0.0:80', ''].map(
    (baseUrl): [string, undefined, undefined, string[]] => [
      ...([baseUrl, undefined, undefined] as const),
      ['set-base-url.invalid', 'set-base-url.invalid', 'include:set-base-url.invalid'],
    ],
  ),
  [
    'http://127.0.0.1:8080',
    'mx.rapport.example',
    undefined,
    ['set-base-url.invalid', 'mx.rapport.example', 'include:mx.rapport.example'],
  ],
  ['http://192.0.2.10:8080', undefined, undefined, ['192.0.2.10', '192.0.2.10', 'ip4:192.0.2.10']],
  ['http://[2001:db8::1]:8080', undefined, undefined, ['2001:db8::1', '2001:db8::1', 'ip6:2001:db8::1']],
])('the hosts of %s with MAIL_HOST %s and SPF_INCLUDE %s are %j', (baseUrl, mailHost, spfInclude, expected) => {
  const { linkHost, mailHost: host, spfTerm } = hostsOf(baseUrl, mailHost, spfInclude);
  expect([linkHost, host, spfTerm]).toEqual(expected);
});

it('an installation without a name asks for addresses instead of aliases', () => {
  const types = (baseUrl: string) =>
    recordsOf(row, hostsOf(baseUrl, undefined, undefined)).map(({ type, value }) => `${type} ${value}`);
  expect(types('http://192.0.2.10:8080').slice(-2)).toEqual(['A 192.0.2.10', 'A 192.0.2.10']);
  expect(types('http://[2001:db8::1]').slice(-2)).toEqual(['AAAA 2001:db8::1', 'AAAA 2001:db8::1']);
});

it('says what cannot be known without BASE_URL', () => {
  const { records } = shown(row, hostsOf('http://127.0.0.1:8080', undefined, undefined));
  const told = records.filter(({ detail }) => detail.includes('BASE_URL is not set')).map(({ purpose }) => purpose);
  expect(told).toEqual(['spf', 'return-path', 'tracking']);
  expect(JSON.stringify(records)).not.toMatch(/127\.0\.0\.1|localhost/);
});

it('asks nobody to publish a placeholder, even after a check', () => {
  const hosts = hostsOf('http://127.0.0.1:8080', undefined, undefined);
  const verdict = { state: 'missing', detail: 'Publish this one.', last: 'missing' } as const;
  const seen = Object.fromEntries(recordsOf(row, hosts).map(({ purpose, value }) => [purpose, { ...verdict, value }]));
  const { records } = shown({ ...row, seen }, hosts);
  const unset = records.filter(({ detail }) => detail.startsWith('Do not publish')).map(({ purpose }) => purpose);
  expect(unset).toEqual(['spf', 'return-path', 'tracking']);
});

it('asks for no link name if none would be used', () => {
  const { records } = shown(row, hostsOf('https://rapport.example', undefined, undefined, false));
  expect(records.map(({ purpose }) => purpose)).toEqual(['dkim', 'spf', 'dmarc', 'return-path']);
});

describe('links of a domain', () => {
  const signer = { trackingDomain: 'links.example.com', trackingHost: 'rapport.example' } as Signer;

  it.each([
    ['http://rapport.example', undefined, 'http://links.example.com'],
    ['http://rapport.example:8080', undefined, 'http://links.example.com:8080'],
    // We do not have certificates for these names: an operator who does says so.
    ['https://rapport.example', undefined, 'https://rapport.example'],
    ['https://rapport.example', true, 'https://links.example.com'],
    ['http://rapport.example', false, 'http://rapport.example'],
  ])('begin, with BASE_URL %s and TRACKING_DOMAINS %s, with %s', (baseUrl, wanted, base) => {
    expect(linkBaseOf(baseUrl, signer, wanted)).toBe(base);
  });

  it('begin with BASE_URL while the record was not found, leads elsewhere, or BASE_URL is local', () => {
    const base = (changes: Partial<Signer>, baseUrl = 'http://rapport.example') =>
      linkBaseOf(baseUrl, { ...signer, ...changes }, true);
    expect(base({ trackingDomain: null, trackingHost: null })).toBe('http://rapport.example');
    expect(base({ trackingHost: 'old.example' })).toBe('http://rapport.example');
    expect(base({ trackingHost: 'set-base-url.invalid' }, 'http://127.0.0.1:8080')).toBe('http://127.0.0.1:8080');
    expect(linkBaseOf('http://rapport.example', null, true)).toBe('http://rapport.example');
  });
});
