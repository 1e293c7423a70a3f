// Every read of the API except the operators', from the contract's own list of routes, with ids of seeded rows. A route that is not known here
// ends the bench: a new one must be added.
import { routes } from '../../contract/dist/routes.js';
import { callJson } from '../../server/test/process/tenant.js';
import { asked } from './filters.js';
import { addressOf, contactIdOf, dayMs, enrolmentOf, iso, messageOf, mix } from './sizes.js';

/** @typedef {import('./place.js').Place} Place */
/**
 * @typedef {object} Read
 * @property {string} name
 * @property {boolean} paged
 * @property {(k: number) => string} path Of the k-th request.
 * @property {string} token
 */

const json = (/** @type {object} */ filter) => encodeURIComponent(JSON.stringify(filter));

/** Reads that cannot return 200 because this place lacks something, with the reason. */
const left = {
  getWorkspaceTransport: 'there is no transport of its own',
  getAlertWebhook: 'there is no webhook for alerts',
};

/** @param {Place} place */
export async function readsOf(place) {
  const known = await knownIds(place);
  const queries = queriesOf(place);
  /** @type {Read[]} */
  const reads = [];
  for (const route of routes) {
    // The operators' reads have a budget that is too small for any load.
    if (route.method !== 'GET' || route.area === 'admin' || Object.hasOwn(left, route.id)) continue;
    const fill = fillerOf(route.path, known);
    for (const [how, query] of Object.entries(queries[route.id] ?? { '': () => '' }))
      reads.push({
        name: `${route.path}${how ? ` (${how})` : ''}`,
        paged: route.paged,
        path: (k) => {
          const text = query(k);
          return `/v2${fill(k)}${text ? `?${text}` : ''}`;
        },
        token: place.token,
      });
  }
  return reads;
}

/**
 * @param {string} path
 * @param {Record<string, (k: number) => string>} known
 */
function fillerOf(path, known) {
  const parts = path.split(/[{}]/);
  const place = path.split('/')[1] ?? '';
  const fills = parts.map((part, i) => {
    if (i % 2 === 0) return () => part;
    // An `id` belongs to what the path begins with.
    const fill = known[part === 'id' ? `${place} id` : part] ?? known[`${place} ${part}`];
    if (!fill) throw new Error(`${path}: the bench knows no {${part}}. Add one to bench/scale/reads.js.`);
    return fill;
  });
  return (/** @type {number} */ k) => fills.map((fill) => fill(k)).join('');
}

/**
 * @param {Place} place
 * @returns {Promise<Record<string, (k: number) => string>>}
 */
async function knownIds(place) {
  const { sizes, base, call, remember, listIds, emailIds, journeyIds, listOf } = place;
  const contact = (/** @type {number} */ k) => someContact(place, k);
  const lists = Object.values(listOf);
  const one = (/** @type {string[]} */ all) => (/** @type {number} */ k) => all[k % all.length] ?? '';
  const made = await remember('writes to read', () => makeWrites(place));
  const webhook = await remember('webhook', async () => {
    const body = { url: 'https://example.com/hook', events: ['message.bounced'] };
    return (await call('/v2/webhooks', body)).webhookId;
  });
  return {
    'contacts id': (k) => contactIdOf(contact(k), base),
    'contacts transactionId': () => made.contact,
    'events transactionId': () => made.event,
    'users transactionId': () => made.user,
    'imports transactionId': () => made.import,
    email: (k) => addressOf(contact(k)),
    key: one(['plan', 'city', 'seats']),
    eventName: one(['login', 'page_viewed', 'report_exported']),
    userId: (k) => `u${mix(k) % sizes.users}`,
    orgId: (k) => `o${k % 4 === 0 ? 0 : mix(k) % sizes.organizations}`,
    'lists id': one(listIds),
    'dynamic-lists id': one(lists),
    'emails id': one(emailIds),
    revision: () => '1',
    'journeys id': one(journeyIds),
    enrolmentId: (k) => {
      // Of the journey that the same request names.
      for (let i = (mix(k) % (sizes.waiting / 20)) * 10; ; i++) {
        const { id, journey } = enrolmentOf(i % sizes.waiting, sizes, base);
        if (journey === k % journeyIds.length) return id;
      }
    },
    'messages messageId': (k) => messageOf(mix(k) % sizes.messages, sizes, base).id,
    'outbox messageId': () => encodeURIComponent(made.outbox),
    'webhooks id': () => webhook,
  };
}

/** Any, and every tenth time the one with the most events. @param {Place} place @param {number} k */
const someContact = ({ sizes }, k) => (k % 10 === 0 ? 0 : mix(k) % sizes.contacts);

/**
 * One write of each kind, so that there is one to look up.
 * @param {Place} place
 */
async function makeWrites({ url, token, call }) {
  const email = 'written@example.com';
  const contact = (await call('/v2/contacts', { email })).transactionId;
  const event = { email, eventName: 'login', eventDate: iso(Date.now()) };
  const user = (await call('/v2/users', { email, userId: 'written' })).transactionId;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' };
  const sent = await fetch(`${url}/v2/contacts/import`, { method: 'POST', headers, body: `email\n${email}\n` });
  const { data } = /** @type {any} */ (await sent.json());
  const { emailId } = (await call('/v2/emails?pageSize=1'))[0];
  await call(`/v2/emails/${emailId}/test-send`, { to: 'me@example.com', email: addressOf(1) });
  for (let tries = 0; ; tries++) {
    const outbox = (await call('/v2/outbox'))[0]?.messageId;
    if (outbox || tries > 200) {
      const events = (await call('/v2/events', { events: [event] })).transactionId;
      return { contact, event: events, user, import: data.transactionId, outbox };
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/**
 * Routes that are worth calling in several ways, or need a query.
 * @param {Place} place
 * @returns {Record<string, Record<string, (k: number) => string>>}
 */
function queriesOf(place) {
  const { base, emailIds, journeyIds, listIds } = place;
  const contactId = (/** @type {number} */ k) => `contactId=${contactIdOf(someContact(place, k), base)}`;
  const plain = { '': () => '' };
  // Neither begins nor ends on the hour, so that rows are counted too.
  const window = () => `startTime=${iso(base - 33.4 * dayMs)}&endTime=${iso(base - 3.3 * dayMs)}`;
  const windowed = { ...plain, '30 days': window };
  const previews = Object.fromEntries(
    Object.entries(asked).map(([name, filter]) => [`filter by ${name}`, () => `filter=${json(filter)}`]),
  );
  return {
    listContacts: {
      ...plain,
      'by email': () => 'sort=email',
      'search of few': (k) => `search=${addressOf(someContact(place, k))}`,
      'search of many': () => 'search=example7.com',
      'filter by property': () => `filter=${json(asked.property)}`,
    },
    listProductActivity: windowed,
    listMarketingActivity: windowed,
    listContactActivity: windowed,
    listRecentEvents: { ...plain, 'of a name': () => 'eventName=login' },
    listOrganizations: { ...plain, 'by name': () => 'sort=name', search: () => 'search=org%2017' },
    explainDynamicList: { '': contactId },
    explainFilter: { '': (k) => `${contactId(k)}&filter=${json(asked.event)}` },
    previewFilter: previews,
    previewSavedEmail: { '': contactId },
    listMessages: {
      ...plain,
      'of a contact': contactId,
      'of an email': () => `emailId=${emailIds[1]}`,
      'of a journey': () => `journeyId=${journeyIds[1]}`,
      'that bounced': () => 'state=bounced',
      '30 days': window,
    },
    listSuppressions: { ...plain, search: () => 'search=c199@' },
    listEnrolments: { ...plain, 'at a step': () => 'state=active&stepId=wait' },
    explainJourney: { '': contactId },
    why: {
      'not in a journey': (k) => `${contactId(k)}&journeyId=${journeyIds[2]}`,
      'no email': (k) => `${contactId(k)}&emailId=${emailIds[2]}`,
      'not in a list': (k) => `${contactId(k)}&staticListId=${listIds[0]}`,
    },
    getJourneyStats: windowed,
    getJourneyRollup: windowed,
    getJourneyFunnel: windowed,
    getEmailStats: { ...windowed, 'by day': () => `${window()}&interval=day` },
    getStatsOverview: { ...windowed, 'by hour': () => `${window()}&interval=hour` },
    listStatsDomains: windowed,
    listStatsEmails: windowed,
    listStatsLinks: windowed,
  };
}

/**
 * The page in the middle, as far from both ends as possible. Undefined if everything is on one page.
 * @param {Place} place
 * @param {Read} read
 */
export async function deepRead({ url }, read) {
  const { body } = await callJson(url + read.path(0), { token: read.token });
  const pages = body?.pagination?.totalPages ?? 1;
  if (pages < 3) return undefined;
  const path = read.path(0);
  const deep = `${path}${path.includes('?') ? '&' : '?'}pageNumber=${Math.ceil(pages / 2)}`;
  return { ...read, name: `${read.name}, a deep page`, path: () => deep };
}
