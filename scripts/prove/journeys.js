// People enter journeys by their events and by a run, wait for times, events and filters, and get mail from a real SMTP server, while the
// API, the workers and the database are killed with -9, at random. Everybody must have been through exactly what the definition says.
import { setTimeout as sleep } from 'node:timers/promises';
import { startSinkProcess } from '../../bench/sink-process.js';
import { callJson, readAdminToken } from '../../server/test/process/tenant.js';
import { proveUnderFire } from './cluster.js';
import { Random } from './hostile/random.js';
import { compareJourneys, leftOfJourneys } from './journeys-compare.js';
import { Customers, Entrants, send } from './journeys-crew.js';
import { addressOf, definitionOf, entersByEvent, messagesOfFour, planOf } from './journeys-story.js';
import { untilAllEnded } from './messages-compare.js';
import { Quota, untilAnswered } from './messages-queuer.js';

export const claim =
  'nobody is left out of a journey or enters twice, and everybody visits what the definition says, whatever is killed: API, workers or database';

const entrants = 4;
const connections = 10;
// Seconds. A lease is twice that: what a killed worker had is taken up soon.
const patience = 3;
const mostInBatch = 1000;

/** @param {{ rounds: number, contacts?: number, seed?: number, say: (line: string) => void }} options */
export async function prove({ rounds, contacts = 50_000, seed = Date.now() % 1_000_000, say }) {
  const sink = await startSinkProcess({ keep: true });
  const random = new Random(seed);
  const quota = new Quota();
  const env = {
    SMTP_URL: sink.url,
    SEND_CONNECTIONS: String(connections),
    SEND_PER_DOMAIN: String(connections),
    SEND_TIMEOUT_SECONDS: String(patience),
  };
  const messages = (contacts * messagesOfFour) / 4;
  /** @type {{ journeyIds: string[], staticListId: string } | undefined} */
  let things;
  let found = '';
  say(`seed ${seed}`);
  try {
    const { summary, problems } = await proveUnderFire(
      { rounds, say },
      {
        ...{ what: 'events and orders', env, random: () => random.next() },
        hire: async (place) => {
          things = await makeThings(place, contacts, say);
          const work = { ...place, quota, contacts };
          return [
            ...Array.from({ length: entrants }, (_, i) => new Entrants({ ...work, random: new Random(seed, i + 1) })),
            new Customers({ ...work, random: new Random(seed, entrants + 1) }),
          ];
        },
        // Spread over the rounds, so that there is something to interrupt in each, however slow the machine is.
        onRound: async (round) => {
          quota.allowed = Math.ceil((contacts * round) / rounds);
          while ((await sink.count()) < (messages * (round - 2)) / rounds) await sleep(20);
        },
        compare: async (place, _, kills) => {
          const late = await untilAllEnded(place, say, leftOfJourneys);
          const mostRepeats = (kills.workers + kills.databases) * connections;
          const what = {
            contacts,
            journeyIds: [],
            staticListId: '',
            ...things,
            arrived: await sink.ids(),
            mostRepeats,
          };
          const compared = await compareJourneys(place, what);
          found = `${kills.workers} workers and ${kills.databases} databases killed; ${compared.found}`;
          return [...late, ...compared.problems];
        },
      },
    );
    return { summary: `${summary}, seed ${seed}; ${found}`, problems };
  } finally {
    await sink.stop();
  }
}

/**
 * A tenant that can send, its contacts, and both journeys, active: the run over the list begins at once.
 * @param {import('./cluster.js').Place} place
 * @param {number} contacts
 * @param {(line: string) => void} say
 */
async function makeThings(place, contacts, say) {
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
  const trigger = definitionOf({ event: { eventName: 'signed_up' } }, { emailIds, staticListId });
  const batch = definitionOf({ audience: { staticListId: audience } }, { emailIds, staticListId });
  const journeyIds = [];
  for (const [type, definition] of Object.entries({ trigger, batch })) {
    const { journeyId } = (await send(place, '/v2/journeys', { name: `Proof, ${type}`, type, definition })).data;
    await send(place, `/v2/journeys/${journeyId}/activate`, {});
    journeyIds.push(journeyId);
  }
  return { journeyIds, staticListId };
}

/** @param {string} name */
function emailOf(name) {
  return {
    ...{ name, subject: `${name} mail`, fromEmail: { email: 'hello@example.com', name: 'Proof' } },
    html: '<p>Hello, <a href="https://example.com/">look</a>.</p><a href="{{unsubscribe_url}}">Unsubscribe</a>',
  };
}

/**
 * Those who do not enter by an event are in the list.
 * @param {import('./cluster.js').Place} place
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
 * @param {import('./cluster.js').Place} place
 * @param {string} transactionId
 */
async function untilWritten({ url, token }, transactionId) {
  for (;;) {
    const { data } = await untilAnswered(() => callJson(`${url}/v2/contacts/transactions/${transactionId}`, { token }));
    if (data.status === 'DONE') return data.data.results;
    await sleep(5);
  }
}
