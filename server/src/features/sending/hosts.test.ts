import { expect, it } from 'vitest';
import { hostsOf, recordsOf } from './records.js';

const row = { domain: 'example.com', selector: 's', publicKey: 'KEY', seen: null, isVerified: false };

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
  ['http://127.0.0.1:8080', undefined, undefined, ['127.0.0.1', '127.0.0.1', 'ip4:127.0.0.1']],
  ['http://[2001:db8::1]:8080', undefined, undefined, ['2001:db8::1', '2001:db8::1', 'ip6:2001:db8::1']],
  ['', undefined, undefined, ['localhost', 'localhost', 'include:localhost']],
])('the hosts of %s with MAIL_HOST %s and SPF_INCLUDE %s are %j', (baseUrl, mailHost, spfInclude, expected) => {
  const { linkHost, mailHost: host, spfTerm } = hostsOf(baseUrl, mailHost, spfInclude);
  expect([linkHost, host, spfTerm]).toEqual(expected);
});

it('an installation without a name asks for addresses instead of aliases', () => {
  const types = (baseUrl: string) =>
    recordsOf(row, hostsOf(baseUrl, undefined, undefined)).map(({ type, value }) => `${type} ${value}`);
  expect(types('http://127.0.0.1:8080').slice(-2)).toEqual(['A 127.0.0.1', 'A 127.0.0.1']);
  expect(types('http://[::1]').slice(-2)).toEqual(['AAAA ::1', 'AAAA ::1']);
});
