// Messages are queued and sent to a real SMTP server while the API, the workers and the database are killed with -9, at random.
// Every acknowledged message must arrive; one may come twice only if whoever sent it was killed meanwhile, under the same Message-ID.
import { setTimeout as sleep } from 'node:timers/promises';
import { startSinkProcess } from '../../bench/sink-process.js';
import { callJson, readAdminToken } from '../../server/test/process/tenant.js';
import { proveUnderFire } from './cluster.js';
import { Random } from './hostile/random.js';
import { compareMessages, untilAllEnded } from './messages-compare.js';
import { MessageQueuer, Quota, untilAnswered } from './messages-queuer.js';

export const claim =
  'every acknowledged message is sent, and none comes twice but under the same Message-ID, whatever is killed: API, workers or database';

const queuers = 6;
const contacts = 200;
const connections = 10;
// Seconds. A lease is twice that: what a killed worker had is taken up soon.
const patience = 3;

/** @param {{ rounds: number, messages?: number, seed?: number, say: (line: string) => void }} options */
export async function prove({ rounds, messages = 20_000, seed = Date.now() % 1_000_000, say }) {
  const sink = await startSinkProcess({ keep: true });
  const random = new Random(seed);
  const quota = new Quota();
  const env = {
    SMTP_URL: sink.url,
    SEND_CONNECTIONS: String(connections),
    SEND_PER_DOMAIN: String(connections),
    SEND_TIMEOUT_SECONDS: String(patience),
  };
  let found = '';
  say(`seed ${seed}`);
  try {
    const { summary, problems } = await proveUnderFire(
      { rounds, say },
      {
        ...{ what: 'messages', env, random: () => random.next() },
        hire: (place) => hire(place, quota, seed),
        // Spread over the rounds, so that there is something to interrupt in each, however slow the machine is.
        onRound: async (round) => {
          quota.allowed = Math.ceil((messages * round) / rounds);
          while ((await sink.count()) < (messages * (round - 2)) / rounds) await sleep(20);
        },
        compare: async (place, crew, kills) => {
          const late = await untilAllEnded(place, say);
          const mostRepeats = (kills.workers + kills.databases) * connections;
          const compared = await compareMessages(place, crew, await sink.ids(), mostRepeats);
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
 * A tenant that can send, and those who ask it to.
 * @param {import('./cluster.js').Place} place
 * @param {Quota} quota
 * @param {number} seed
 */
async function hire({ url, token, tenantId, dataDir }, quota, seed) {
  const admin = await readAdminToken(dataDir);
  const body = { domain: 'example.com' };
  await untilAnswered(() =>
    callJson(`${url}/admin/tenants/${tenantId}/sending-domains`, { token: admin, method: 'POST', body }),
  );
  const email = {
    ...{ name: 'Proof', subject: 'Number {{data.n}}', fromEmail: { email: 'hello@example.com', name: 'Proof' } },
    html: '<p>Hello {{data.n}}, <a href="https://example.com/">look</a>.</p><a href="{{unsubscribe_url}}">Unsubscribe</a>',
  };
  const made = await untilAnswered(() => callJson(`${url}/v1/emails`, { token, method: 'POST', body: email }));
  const addresses = Array.from({ length: contacts }, (_, i) => `p${i}@mail${i % 4}.example.com`);
  await makeContacts(url, token, addresses);
  const { emailId } = made.data;
  return Array.from(
    { length: queuers },
    (_, i) => new MessageQueuer({ url, token, emailId, addresses, quota, random: new Random(seed, i + 1) }),
  );
}

/**
 * @param {string} url
 * @param {string} token
 * @param {string[]} emails
 */
async function makeContacts(url, token, emails) {
  const body = { contacts: emails.map((email) => ({ email })) };
  const { data } = await untilAnswered(() => callJson(`${url}/v2/contacts/batch`, { token, method: 'POST', body }));
  for (;;) {
    const { body: now } = await callJson(`${url}/v2/contacts/transactions/${data.transactionId}`, { token });
    if (now.data.status === 'DONE') return;
  }
}
