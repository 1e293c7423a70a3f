// Requests that should succeed: the examples of the documents, with names of existing things and fresh values.
import { kindOf, takesAway } from './kinds.js';
import { picture } from './picture.js';

/** @typedef {import('./random.js').Random} Random */
/** @typedef {import('./stock.js').Stock} Stock */
/** @typedef {import('./stock.js').Thing} Thing */
/** @typedef {import('./operations.js').Operation} Operation */
/**
 * A request in parts that can still be spoilt.
 * @typedef {object} Request
 * @property {Operation} operation
 * @property {string} method
 * @property {Thing} at
 * @property {[string, string][]} query
 * @property {Record<string, string>} headers
 * @property {any} body
 * @property {string | Buffer} [bytes] Instead of the body.
 * @property {string} [path] Instead of the operation's.
 * @property {boolean} isRaw Written raw to a socket, because no client would send it.
 */

// These are about existing contacts.
const aboutKnown = [
  ...['previewEmail', 'testSendEmail', 'storeVersion', 'storeVersions', 'listVersions', 'updateContact'],
  ...['sendMessage', 'sendMessages'],
];

/**
 * @param {Operation} operation
 * @param {Stock} stock
 * @param {Random} random
 * @param {(area: Operation['area']) => string} authorization
 * @returns {Request}
 */
export function soundRequest(operation, stock, random, authorization) {
  const { method, bodies, area } = operation;
  const kind = kindOf(operation);
  const at = !kind ? {} : takesAway(operation) ? stock.take(kind, random) : stock.find(kind, random);
  const type = random.pick(Object.keys(bodies));
  /** @type {Record<string, string>} */
  const headers = { authorization: authorization(area) };
  if (area === 'open') delete headers.authorization;
  if (type) headers['content-type'] = type;
  // Without it, the request is refused before anything is read.
  if (operation.path === '/console/preview') headers['sec-fetch-site'] = 'same-origin';
  if (method === 'POST' && random.chance(0.1)) headers['idempotency-key'] = random.word(20);
  if (random.chance(0.1)) headers['x-request-id'] = random.word();
  const known = aboutKnown.includes(operation.id) ? stock.find('contact', random).email : undefined;
  const fresh = new Freshener(stock, random, known, operation.id === 'createOrganization');
  const body = type === undefined ? undefined : fresh.value(bodies[type], '');
  // Most wait, so that there are some to cancel.
  if (operation.id === 'sendMessage' && random.chance(0.7)) body.sendAt = '2099-01-01T00:00:00Z';
  if (operation.id === 'enrollContacts') body.contactIds = [...Array(5)].flatMap(() => fresh.value([], 'contactIds'));
  if (operation.id === 'createBroadcast') Object.assign(body, broadcastParts(body, fresh, random));
  // Alerts and summaries go to people, and the token is that of a program: it can only switch them off.
  if (/^set(AlertMail|WeeklySummary)$/.test(operation.id)) body.isOn = random.chance(0.1);
  // What happens in a simulation must happen to a participant.
  if (operation.id === 'simulateJourney') for (const event of body.events) [event.contactId] = body.contactIds;
  const request = { operation, method, at, query: queryOf(operation, at, fresh, random), headers, body, isRaw: false };
  return operation.id === 'createFile' ? withPicture(request, random) : request;
}

/**
 * @param {Request} request
 * @param {Random} random
 * @returns {Request}
 */
function withPicture({ headers, ...request }, random) {
  const bytes = picture(random);
  if (headers['content-type'] !== 'multipart/form-data') return { ...request, headers, bytes };
  const boundary = random.word(20);
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n`;
  return {
    ...request,
    headers: { ...headers, 'content-type': `multipart/form-data; boundary=${boundary}` },
    bytes: Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

/**
 * @param {any} body
 * @param {Freshener} fresh
 * @param {Random} random
 */
function broadcastParts({ audience }, fresh, random) {
  const dynamic = { dynamicListId: fresh.text('x', 'dynamicListId') };
  return {
    audience: random.pick([audience, dynamic, { filter: { property: 'plan', is: random.word(2) } }]),
    // Most wait, so that there are some to pause and to cancel.
    when: random.chance(0.8) ? { kind: 'at', at: '2099-01-01T00:00:00Z' } : { kind: 'now' },
    ...(random.chance(0.2) ? { abTest: { emailId: fresh.text('x', 'emailId'), percent: 20, hours: 4 } } : {}),
  };
}

/**
 * @param {Operation} operation
 * @param {Thing} at
 * @param {Freshener} fresh
 * @param {Random} random
 * @returns {[string, string][]}
 */
function queryOf({ id, query }, at, fresh, random) {
  // About one contact and one thing.
  if (id === 'why') return ['contactId', 'emailId'].map((name) => [name, fresh.text('x', name)]);
  return query.flatMap(({ name, schema, required }) => {
    if (id === 'deleteVersion') return [[name, at[name] ?? '']];
    if (!required && random.chance(0.5)) return [];
    if (name === 'filter') return [[name, '{"property":"plan","is":"pro"}']];
    const words = schema.enum ?? schema.items?.enum;
    // Others have ended.
    if (name === 'state' && id === 'listEnrolments') return [[name, 'active']];
    if (words) return [[name, random.pick(words)]];
    if (name === 'stepId') return [[name, 'wait']];
    if (name === 'language') return [[name, 'de']];
    if (name === 'pageNumber') return [[name, String(1 + random.whole(3))]];
    if (name === 'pageSize') return [[name, String(1 + random.whole(random.chance(0.05) ? 200 : 20))]];
    if (schema.type === 'integer') return [[name, String(1 + random.whole(90))]];
    if (name === 'startTime') return [[name, '2020-01-01T00:00:00Z']];
    if (name === 'endTime' || name === 'at') return [[name, '2030-01-01']];
    return [[name, String(fresh.value(name === 'search' ? 'a' : 'x', name))]];
  });
}

class Freshener {
  /**
   * @param {Stock} stock
   * @param {Random} random
   * @param {string | undefined} knownEmail
   * @param {boolean} isNewOrganization
   */
  constructor(stock, random, knownEmail, isNewOrganization) {
    this.isNewOrganization = isNewOrganization;
    this.stock = stock;
    this.random = random;
    this.knownEmail = knownEmail;
  }

  /**
   * @param {any} value
   * @param {string} key
   * @returns {any}
   */
  value(value, key) {
    const { random, stock } = this;
    if (typeof value === 'string') return this.text(value, key);
    if (key === 'contactIds') return [stock.find('contact', random).id ?? '0'.repeat(32)];
    if (/propert|traits/i.test(key) && random.chance(0.5)) return { ...value, ...this.properties() };
    if (Array.isArray(value)) return value.map((item) => this.value(item, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.value(item, name)]));
  }

  /**
   * @param {string} text
   * @param {string} key
   */
  text(text, key) {
    const { random, stock } = this;
    if (key === 'email' && text.startsWith('hello@')) return text;
    if (key === 'email') return this.knownEmail ?? `${random.word(6)}@example.com`;
    if (key === 'userId') return `user-${random.whole(500)}`;
    if (key === 'orgId')
      return this.isNewOrganization || random.chance(0.1)
        ? `org-${random.word(6)}`
        : (stock.find('organization', random).orgId ?? text);
    if (key === 'orgIds') return stock.find('organization', random).orgId ?? text;
    if (key === 'assetId' || key === 'emailId') return stock.find('email', random).id ?? text;
    if (key === 'contactId') return stock.find('contact', random).id ?? text;
    if (key === 'topicIds') return stock.find('topic', random).topicId ?? text;
    if (key === 'staticListId') return stock.find('list', random).id ?? text;
    if (key === 'dynamicListId') return stock.find('dynamicList', random).id ?? text;
    if (key === 'folderId') return stock.find('folder', random).id ?? text;
    if (key === 'domain') return `${random.word()}.example.com`;
    if (key === 'name' || key === 'eventId') return `${key} ${random.word(12)}`;
    if (key === 'folder') return `folder ${random.whole(20)}`;
    // A file: different people each time.
    return text.replace(/(ada|alan)@/g, () => `${random.word(6)}@`);
  }

  properties() {
    const { random } = this;
    const values = ['x', 'ü€😀', 12, -1.5, true, null, ['a', 1], '2026-11-15', 1e300, 0, ''];
    return Object.fromEntries(
      Array.from({ length: random.whole(6) }, () => [`p_${random.whole(50)}`, random.pick(values)]),
    );
  }
}
