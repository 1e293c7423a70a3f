// Contacts enter journeys by their events and by a run, wait for times, events and filters, and get mail from a real SMTP server, while the
// API, the workers and the database are killed with -9, at random. Every contact must have gone through exactly what the definition says.
import { setTimeout as sleep } from 'node:timers/promises';
import { callJson, readAdminToken } from '../../server/test/process/tenant.js';
import { Random } from './hostile/random.js';
import { compareJourneys, leftOfJourneys } from './journeys-compare.js';
import { Customers, Entrants, send } from './journeys-crew.js';
import { addressOf, definitionOf, entersByEvent, messagesOfFour, planOf, sideDefinition } from './journeys-story.js';
import { proveMail } from './mail-fire.js';
import { untilAllEnded } from './messages-compare.js';
import { untilAnswered } from './messages-queuer.js';

export const claim =
  'no contact is left out of a journey or enters twice, and each visits what the definition says, whatever is killed: API, workers or database';

const entrants = 4;
const mostInBatch = 1000;

/**
 * @typedef {import('./under-fire.js').Place} Place
 * @typedef {import('./under-fire.js').Member} Member
 * @typedef {{ patience: number, hire: (place: Place) => Promise<Member[]>, compare: (place: Place) => Promise<string[]>,
 *   onFault: (fault: import('./under-fire.js').Fault) => Promise<void> }} Beside What another proof does beside the journeys.
 */

/**
 * @param {{ rounds: number, contacts?: number, seed?: number, say: (line: string) => void, older?: string[],
 *   open?: import('./under-fire.js').Open, beside?: Beside }} options
 */
export function prove({ rounds, contacts = 50_000, seed = Date.now() % 1_000_000, say, older, open, beside }) {
  let things = {
    ...{ journeyIds: /** @type {string[]} */ ([]), sideId: '', staticListId: '' },
    topicId: /** @type {string | undefined} */ (undefined),
  };
  return proveMail(
    { rounds, seed, say, older, open },
    {
      ...{ what: beside ? 'requests' : 'events and orders', units: contacts, mails: (contacts * messagesOfFour) / 4 },
      ...{ patience: beside?.patience, onFault: beside?.onFault },
      hire: async (place, quota) => {
        things = await makeThings(place, contacts, say, !older);
        const work = { ...place, quota, contacts };
        return [
          ...Array.from({ length: entrants }, (_, i) => new Entrants({ ...work, random: new Random(seed, i + 1) })),
          new Customers({ ...work, random: new Random(seed, entrants + 1) }),
          ...((await beside?.hire(place)) ?? []),
        ];
      },
      compare: async (place, _, { arrived, mostRepeats }) => {
        const late = await untilAllEnded(place, say, leftOfJourneys);
        const what = { contacts, ...things, arrived: await arrived(), mostRepeats };
        const { found, problems } = await compareJourneys(place, what);
        return { found, problems: [...late, ...problems, ...((await beside?.compare(place)) ?? [])] };
      },
    },
  );
}

/**
 * A tenant that can send, its contacts, and the active journeys: the run over the list begins at once.
 * @param {import('./under-fire.js').Place} place
 * @param {number} contacts
 * @param {(line: string) => void} say
 * @param {boolean} hasTopics
 */
async function makeThings(place, contacts, say, hasTopics) {
  const { url, tenantId, dataDir } = place;
  const admin = await readAdminToken(dataDir);
  await send({ url, token: admin }, `/admin/tenants/${tenantId}/sending-domains`, { domain: 'example.com' });
  const emailIds = [];
  for (const name of ['First', 'Second']) emailIds.push((await send(place, '/v1/emails', emailOf(name))).data.emailId);
  const listIds = [];
  for (const name of ['Audience', 'Went by'])
    listIds.push((await send(place, '/v2/lists', { name })).data.staticListId);
  const [audience, staticListId] = listIds;
  await makeContacts(place, contacts, audience);
  say(`${contacts} contacts made`);
  const sideId = await makeJourney(place, 'side', 'trigger', sideDefinition);
  const topic = { name: 'Went by', byDefault: 'unsubscribed' };
  const topicId = hasTopics ? (await send(place, '/v2/topics', topic)).data.topicId : undefined;
  const things = { emailIds, staticListId, sideId, topicId };
  const trigger = definitionOf({ event: { eventName: 'signed_up' } }, things);
  const batch = definitionOf({ audience: { staticListId: audience } }, things);
  const journeyIds = [];
  for (const [type, definition] of Object.entries({ trigger, batch }))
    journeyIds.push(await makeJourney(place, type, type, definition));
  return { journeyIds, sideId, staticListId, topicId };
}

/**
 * @param {import('./under-fire.js').Place} place
 * @param {string} name
 * @param {string} type
 * @param {object} definition
 * @returns {Promise<string>}
 */
async function makeJourney(place, name, type, definition) {
  const { journeyId } = (await send(place, '/v2/journeys', { name: `Proof, ${name}`, type, definition })).data;
  await send(place, `/v2/journeys/${journeyId}/activate`, {});
  return journeyId;
}

/** @param {string} name */
function emailOf(name) {
  return {
    ...{ name, subject: `${name} mail`, fromEmail: { email: 'hello@example.com', name: 'Proof' } },
    html: '<p>Hello, <a href="https://example.com/">look</a>.</p><a href="{{unsubscribe_url}}">Unsubscribe</a>',
  };
}

/**
 * Contacts that do not enter by an event are in the list.
 * @param {import('./under-fire.js').Place} place
 * @param {number} count
 * @param {string} staticListId
 */
async function makeContacts(place, count, staticListId) {
  for (let from = 0; from < count; from += mostInBatch) {
    const numbers = Array.from({ length: Math.min(mostInBatch, count - from) }, (_, i) => from + i);
    const contacts = numbers.map((n) => ({ email: addressOf(n), properties: { plan: planOf(n) } }));
    const { data } = await send(place, '/v2/contacts/batch', { contacts });
    const results = await untilWritten(place, data.transactionId);
    const ids = new Map(results.map((/** @type {any} */ { email, contactId }) => [email, contactId]));
    const contactIds = numbers.filter((n) => !entersByEvent(n)).map((n) => ids.get(addressOf(n)));
    if (contactIds.length > 0) await send(place, `/v2/lists/${staticListId}/members`, { contactIds });
  }
}

/**
 * @param {import('./under-fire.js').Place} place
 * @param {string} transactionId
 */
async function untilWritten({ url, token }, transactionId) {
  for (;;) {
    const { data } = await untilAnswered(() => callJson(`${url}/v2/contacts/transactions/${transactionId}`, { token }));
    if (data.status === 'DONE') return data.data.results;
    await sleep(5);
  }
}
