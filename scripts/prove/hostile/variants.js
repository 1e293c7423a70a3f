// Attacks like those in seen.js. Only the long proof tries them.
import {
  batchOf,
  body,
  contactWith,
  dust,
  expectOnly,
  get,
  MiB,
  mailsOf,
  many,
  shouting,
  template,
  unfinished,
} from './attack.js';

/** @type {import('./attack.js').Attack[]} */
export const variants = [
  {
    name: '20 sockets ask for the OpenAPI document and never read',
    run: shouting(20, () => get('/openapi/v2.json', 'Accept-Encoding: identity\r\n').repeat(100)),
  },
  template(
    'the same with concat',
    '{% assign a = "x" | split: "," %}{% for i in (1..60) %}{% assign a = a | concat: a %}{% endfor %}{{ a }}',
  ),
  template('nested loops', '{% for a in (1..9999) %}{% for b in (1..9999) %}x{% endfor %}{% endfor %}'),
  body('a million items', '/v2/lists/x/members', () => `{"contactIds":[${many(1_000_000, (i) => `"${i}"`)}]}`, 400),
  body('500,000 keys of one contact', '/v2/contacts', () => contactWith(many(500_000, (i) => `"k${i}":1`)), 400),
  body('a million arrays', '/v2/contacts', () => contactWith(`"a":[${many(500_000, () => '[]')}]`), 400),
  body('500,000 small objects', '/v2/events', () => `{"events":[${many(500_000, (i) => `{"k${i}":1}`)}]}`, 400),
  body('1,000 contacts with the same 500 properties', '/v2/contacts/batch', () => batchOf((_, p) => `s${p}`), 200),
  dust('an import', ({ bearer }) => `POST /v2/contacts/import HTTP/1.1\r\n${bearer}Content-Type: text/csv\r\n`, 400),
  dust(
    'at the sign-in page',
    () => 'POST /oauth/sign-in HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\n',
    400,
    413,
  ),
  {
    name: '20 sockets ask for the sign-in page and never read',
    run: shouting(20, () => get('/oauth/sign-in').repeat(100)),
  },
  {
    name: '120 sockets post most of a sign-in and wait',
    run: shouting(120, () =>
      unfinished('/oauth/sign-in', 10 * MiB, 'Content-Type: application/x-www-form-urlencoded\r\n'),
    ),
  },
  {
    name: '40 sending domains of one tenant at once',
    run: async (attacker) => {
      const add = (/** @type {number} */ i) =>
        attacker.administer('POST', `/admin/tenants/${attacker.tenantId}/sending-domains`, {
          domain: `d${i}-${Math.random()}.example`,
        });
      return expectOnly(await Promise.all(Array.from({ length: 40 }, (_, i) => add(i))), 200, 503);
    },
  },
  {
    name: 'mails of tags to the listener for bounces',
    run: async ({ bounces }) => mailsOf(bounces, `${'<a><b'.repeat(12)}\r\n`.repeat(3900), 'text/html'),
  },
];
