// Ways to spoil a request.
import { spoilBytes } from './picture.js';
import { masses, strangeHeaders, strangeMethods, strangeParts, strangeQueries, texts, values } from './strange.js';

/** @typedef {import('./random.js').Random} Random */
/** @typedef {import('./sound.js').Request} Request */

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

/** @type {[number, (request: Request, random: Random) => void][]} */
const ways = [
  [
    10,
    (request, random) => {
      if (request.body !== undefined) request.body = spoilValue(request.body, random);
      else if (Buffer.isBuffer(request.bytes)) request.bytes = spoilBytes(request.bytes, random);
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
