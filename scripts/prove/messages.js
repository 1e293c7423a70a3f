// Messages are queued and sent to a real SMTP server while the API, the workers and the database are killed with -9, at random.
// Every acknowledged message must arrive; one may come twice only if its sender was killed meanwhile, under the same Message-ID.
import { callJson, readAdminToken } from '../../server/test/process/tenant.js';
import { Random } from './hostile/random.js';
import { proveMail } from './mail-fire.js';
import { compareMessages, untilAllEnded } from './messages-compare.js';
import { MessageQueuer, untilAnswered } from './messages-queuer.js';

export const claim =
  'every acknowledged message is sent, and none comes twice but under the same Message-ID, whatever is killed: API, workers or database';

const queuers = 6;
const contacts = 200;

/** @param {{ rounds: number, messages?: number, seed?: number, say: (line: string) => void }} options */
export function prove({ rounds, messages = 20_000, seed = Date.now() % 1_000_000, say }) {
  return proveMail(
    { rounds, seed, say },
    {
      ...{ what: 'messages', units: messages, mails: messages },
      hire: (place, quota) => hire(place, quota, seed),
      compare: async (place, crew, { arrived, mostRepeats }) => {
        const late = await untilAllEnded(place, say);
        const { found, problems } = await compareMessages(place, crew, await arrived(), mostRepeats);
        return { found, problems: [...late, ...problems] };
      },
    },
  );
}

/**
 * A tenant that can send, and the clients that ask it to.
 * @param {import('./under-fire.js').Place} place
 * @param {import('./messages-queuer.js').Quota} quota
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
