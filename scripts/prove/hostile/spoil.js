// Ways to spoil a request. Each is what some client, proxy or attacker has sent somewhere.
import { gzipSync } from 'node:zlib';

/** @typedef {import('./random.js').Random} Random */
/** @typedef {import('./sound.js').Request} Request */

const deep = (/** @type {number} */ levels) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const nested = (/** @type {number} */ levels) => JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`);
const keys = (/** @type {number} */ count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));

/** Values that mean trouble wherever they stand. Long ones are rare: they are for the bounds, not for the count. */
const values = /** @type {((random: Random) => any)[]} */ ([
  () => null,
  () => true,
  () => '',
  () => ' ',
  () => 0,
  () => -1,
  () => 1.5,
  () => 2 ** 31,
  () => 2 ** 53,
  () => -(2 ** 63),
  () => 1e308,
  () => [],
  () => ({}),
  () => [[]],
  () => [null],
  () => ['', 1, {}],
  () => nested(30),
  () => keys(600),
  () => '\0',
  () => 'a\0b',
  () => '\ud800',
  () => 'a\udfffb',
  () => '\u202eabc',
  () => '😀'.repeat(100),
  () => 'e\u0301',
  () => '__proto__',
  () => 'constructor',
  () => 'toString',
  () => '../../etc/passwd',
  () => "'; drop table contact; --",
  () => '%',
  () => '_%\\',
  () => '{{',
  () => '{{ x }}',
  () => '{% if %}',
  () => '{{email | nope}}',
  () => '<script>',
  () => '<!--',
  () => 'a\r\nBcc: b@example.com',
  () => 'NaN',
  () => '1e999',
  () => '9'.repeat(400),
  () => '2026-13-45T99:99:99Z',
  () => '+275760-09-13',
  () => '-000001-01-01',
  () => '0000-01-01T00:00:00Z',
  () => 'a@b',
  () => `${'a'.repeat(64)}@${'b'.repeat(300)}`,
  () => 'x@y@z',
  () => '@',
  () => 'Ü@Ü.example',
  () => ' A@B.example ',
  () => 'x'.repeat(1000),
  () => 'x'.repeat(40_000),
  () => Array(2000).fill('x'),
  () => ({ toString: 1, constructor: null, hasOwnProperty: 'x' }),
  (random) => random.word(32),
  (random) => '0123456789abcdef'.repeat(2).slice(random.whole(9)),
]);

/**
 * Replaces, adds or removes something somewhere in a JSON value.
 * @param {any} value
 * @param {Random} random
 * @returns {any}
 */
function spoilValue(value, random) {
  if (value && typeof value === 'object' && !random.chance(0.2)) {
    const names = Object.keys(value);
    const name = random.pick(names);
    if (name === undefined || random.chance(0.1)) {
      const strange = random.pick([
        'constructor',
        'toString',
        '',
        '\0',
        '\ud800',
        'a.b',
        'a[0]',
        'x'.repeat(2000),
        '0',
        'ID',
        'tenantId',
        'tenant_id',
      ]);
      return Array.isArray(value)
        ? [...value, random.pick(values)(random)]
        : { ...value, [strange]: random.pick(values)(random) };
    }
    if (Array.isArray(value)) return value.map((item, i) => (String(i) === name ? spoilValue(item, random) : item));
    if (random.chance(0.15))
      return Object.fromEntries(names.filter((own) => own !== name).map((own) => [own, value[own]]));
    return { ...value, [name]: spoilValue(value[name], random) };
  }
  return random.pick(values)(random);
}

/** What is no JSON, or not the JSON that it seems to be. */
const texts = /** @type {((text: string, random: Random) => string | Buffer)[]} */ ([
  (text, random) => text.slice(0, random.whole(text.length + 1)),
  (text) => `${text}${text}`,
  (text) => `\ufeff${text}`,
  (text) => `${text}\0`,
  () => '',
  () => ' ',
  () => 'null',
  () => '[]',
  () => '"text"',
  () => '0',
  () => '{}',
  () => '{"a":1,"a":2}',
  () => '{"__proto__":{"x":1}}',
  () => '{"\\u005f_proto__":1}',
  () => '{"constructor":{"prototype":{"x":1}}}',
  (text) => text.replace(/"/g, "'"),
  (text) => text.replace(/:/, ':1e999,"x":'),
  (text) => text.replace(/:/, ':-0,"x":'),
  (text) => text.replace(/}$/, ',}'),
  () => deep(63),
  () => deep(64),
  () => deep(65),
  () => deep(5000),
  () => `{"a":${'{"a":'.repeat(70)}1${'}'.repeat(71)}`,
  () => '['.repeat(100_000),
  () => `{"email":"a@b.example","properties":{"x":1e400,"y":${'1'.repeat(5000)},"z":0.${'1'.repeat(5000)}}}`,
  () => '{"email":"\\ud800@b.example"}',
  () => '{"\\ud800":1}',
  (text) => Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe])]),
  (text) => Buffer.from(text, 'utf16le'),
  (text) => gzipSync(text),
  () => Buffer.from([0xc0, 0x80]),
  () => Buffer.from([0xed, 0xa0, 0x80]),
  () => 'email,first_name\n"',
  () => 'email\0,x\na@b.example,1\n',
  () => `email\n${'a'.repeat(70_000)}\n`,
  () => '{"email":"a@b.example"}\n{',
  () => '\n\n\n',
  () => '\r\r\r',
  () => 'email;email\n1;2',
  () => 'html=%',
  () => 'html=a&html=b',
  () => 'html=%ff',
  () => `html=${'%3C'.repeat(5000)}`,
]);

/** Megabytes. */
const masses = /** @type {((random: Random) => string | Buffer)[]} */ ([
  () => JSON.stringify(keys(60_000)),
  () => `{"contactIds":[${'1,'.repeat(400_000)}1]}`,
  () => `{"contacts":[${'{},'.repeat(150_000)}{}]}`,
  () => JSON.stringify({ email: 'x'.repeat(2_000_000) }),
  () =>
    JSON.stringify({
      contacts: Array.from({ length: 1000 }, (_, i) => ({ email: `m${i}@example.com`, properties: keys(40) })),
    }),
  () => Buffer.alloc(10 * 1024 * 1024 + 1, 'x'),
  () => gzipSync(Buffer.alloc(50 * 1024 * 1024, ' ')),
  () => `"${'\\u0000'.repeat(300_000)}"`,
]);

const strangeHeaders = /** @type {[string, string][]} */ ([
  ['content-type', 'text/plain'],
  ['content-type', 'application/json; charset=latin1'],
  ['content-type', ''],
  ['content-type', `a/${'b'.repeat(5000)}`],
  ['content-type', 'multipart/form-data'],
  ['content-type', 'text/csv'],
  ['content-type', 'application/x-ndjson'],
  ['content-type', 'application/merge-patch+json'],
  ['content-encoding', 'gzip'],
  ['content-encoding', 'br'],
  ['content-encoding', 'gzip, gzip'],
  ['accept', 'image/png'],
  ['accept-encoding', 'br;q=0, gzip;q=0'],
  ['accept-encoding', ','.repeat(3000)],
  ['idempotency-key', ''],
  ['idempotency-key', 'x'.repeat(256)],
  ['idempotency-key', 'a b'],
  ['idempotency-key', 'same'],
  ['if-match', '*'],
  ['if-match', '"1"'],
  ['if-match', 'W/"'],
  ['if-none-match', '*'],
  ['x-request-id', 'x'.repeat(129)],
  ['x-request-id', '<script>'],
  ['range', 'bytes=0-0'],
  ['expect', '100-continue'],
  ['expect', 'magic'],
  ['upgrade', 'websocket'],
  ['connection', 'upgrade'],
  ['te', 'trailers'],
  ['authorization', ''],
  ['authorization', 'Bearer'],
  ['authorization', 'Bearer x'],
  ['authorization', 'Basic Og=='],
  ['authorization', `Bearer ${'x'.repeat(10_000)}`],
  ['origin', 'null'],
  ['x-forwarded-for', '1.2.3.4'],
  ['x-http-method-override', 'DELETE'],
  ['cookie', 'a=b; '.repeat(200)],
  ['x-large', 'x'.repeat(17_000)],
  ['host', 'evil.example'],
]);

const strangeMethods = [
  'PUT',
  'POST',
  'GET',
  'DELETE',
  'PATCH',
  'OPTIONS',
  'HEAD',
  'TRACE',
  'PROPFIND',
  'QUERY',
  'LINK',
];
const strangeParts = [
  '%00',
  '%',
  '%zz',
  '%ff',
  '%2e%2e',
  '%2F',
  '..',
  '',
  ' ',
  'x'.repeat(3000),
  '%F0%9F%98%80',
  '%ed%a0%80',
  '0',
  '-1',
  'null',
  '{id}',
  'by-email',
  'batch',
  '%25',
  ';a=b',
  '+',
  "'",
  '%0d%0aX: y',
  '1-00000000-0000-0000-0000-000000000000',
];
const strangeQueries = [
  'pageSize=0',
  'pageSize=201',
  'pageSize=1e9',
  'pageSize=-1',
  'pageSize=%',
  'pageSize=1&pageSize=2',
  'pageSize[]=1',
  'page_size=5',
  'pageNumber=2147483647',
  'pageNumber=2147483648',
  'pageNumber=99999999999999999999',
  'pageNumber=0x10',
  'search=%00',
  'search=%ff',
  'search=%ed%a0%80',
  'search=%25%5f%5c',
  `search=${'a'.repeat(5000)}`,
  'search=a&search=b',
  'search[]=a',
  'search[a]=b',
  '&&&',
  '=',
  '=&=',
  'a',
  '__proto__=1',
  'constructor=1',
  'outcome=x',
  'outcome[]=stored&outcome=deleted',
  'type=STATIC',
  'folderId=',
  'folderId=%00',
  'startTime=x',
  'startTime=2026-01-01&endTime=2025-01-01',
  'endTime=%2B275760-09-13T00:00:00Z',
  'startTime=0000-01-01',
  'assetId=%00&email=%00',
  'email=%40',
  `x=${'&x='.repeat(500)}`,
  '%',
  '%zz=1',
  '#',
  '?',
];

/** @type {[number, (request: Request, random: Random) => void][]} */
const ways = [
  [
    10,
    (request, random) => {
      if (request.body !== undefined) request.body = spoilValue(request.body, random);
      else addQuery(request, random);
    },
  ],
  [
    4,
    (request, random) => {
      if (request.body !== undefined) request.bytes = random.pick(texts)(JSON.stringify(request.body), random);
      else addQuery(request, random);
    },
  ],
  [4, addQuery],
  [
    4,
    (request, random) => {
      for (const name of Object.keys(request.at)) if (random.chance(0.7)) request.at[name] = random.pick(strangeParts);
    },
  ],
  [
    3,
    (request, random) => {
      const [name, value] = random.pick(strangeHeaders);
      request.headers[name] = value;
    },
  ],
  [
    1,
    (request, random) => {
      request.method = random.pick(strangeMethods);
    },
  ],
  [
    1,
    (request, random) => {
      request.path = random.pick([
        '/v2',
        '/v3/lists',
        '/v2/lists/',
        '/v2//lists',
        '/V2/lists',
        '/v2/nothing',
        '/admin',
        '/ingest',
        '/ingest/v1/',
        '/console/assets/../x',
        '/console/assets/%2e%2e/x',
        '/exports',
        '/v2/lists;x',
        '/%76%32/lists',
        '/v1/../admin/tenants',
        '//v2/lists',
        '/v2/lists/%2F',
      ]);
    },
  ],
  [
    0.5,
    (request, random) => {
      request.isRaw = true;
      request.headers['x-raw'] = random.pick(['a\0b', 'ü', '\t', 'a\x7f']);
    },
  ],
  [
    0.5,
    (request, random) => {
      request.isRaw = true;
      request.path = random.pick([
        '/v2/lists?search=a b',
        '/v2/lists\0',
        '/v2/\xff',
        '*',
        'http://x/v2/lists',
        '/v2/lists HTTP/0.9',
        `/${'x'.repeat(20_000)}`,
      ]);
    },
  ],
  [
    0.15,
    (request, random) => {
      if (request.method !== 'GET') request.bytes = random.pick(masses)(random);
    },
  ],
];

/**
 * @param {Request} request
 * @param {Random} random
 */
function addQuery(request, random) {
  request.query.push(['', random.pick(strangeQueries)]);
}

const total = ways.reduce((sum, [weight]) => sum + weight, 0);

/**
 * @param {Request} request
 * @param {Random} random
 */
export function spoil(request, random) {
  request.at = { ...request.at };
  do {
    pickWay(random)?.(request, random);
  } while (random.chance(0.25));
}

/** @param {Random} random */
function pickWay(random) {
  let at = random.next() * total;
  for (const [weight, way] of ways) {
    at -= weight;
    if (at < 0) return way;
  }
  return undefined;
}
