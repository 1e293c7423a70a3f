// People subscribe by forms, confirm, get mail and leave by one-click, while the API, the workers and the database are killed with -9, at random.
// What was answered must hold: no one is mailed after leaving, and no subscription is lost.
import { callJson, readAdminToken } from '../../server/test/process/tenant.js';
import { compareConsent } from './consent-compare.js';
import { Answerer, Correspondent, Subscriber } from './consent-crew.js';
import { Random } from './hostile/random.js';
import { proveMail } from './mail-fire.js';
import { untilAllEnded } from './messages-compare.js';
import { untilAnswered } from './messages-queuer.js';

export const claim =
  'no one who unsubscribed is mailed after the answer was given, and no subscription is lost, whatever is killed: API, workers or database';
export const defaults = { contacts: 2000 };

const subscribers = 4;
const many = '1000000';

/** @param {{ rounds: number, contacts?: number, seed?: number, say: (line: string) => void }} options */
export function prove({ rounds, contacts = defaults.contacts, seed = Date.now() % 1_000_000, say }) {
  let topics = { news: '', asks: '' };
  return proveMail(
    { rounds, seed, say },
    {
      // Every second person is asked by mail.
      ...{ what: 'forms, answers and messages', units: contacts, mails: contacts / 2, keepLinks: true },
      env: { FORM_POSTS_PER_NETWORK: many, FORM_POSTS_PER_FORM: many, FORM_POSTS_PER_ADDRESS: many },
      hire: async (place, quota, sink) => {
        const things = await makeThings(place);
        topics = things.topics;
        /** @type {import('./consent-crew.js').Book} */
        const book = { subscribed: [], asked: new Set(), confirmed: new Set(), left: new Map() };
        const work = { ...place, ...things, quota, book, sink };
        return [
          ...Array.from({ length: subscribers }, () => new Subscriber(work)),
          new Answerer(work),
          new Correspondent(work, new Random(seed, 1)),
        ];
      },
      compare: async (place, crew, { arrived, mostRepeats }) => {
        const late = await untilAllEnded(place, say);
        const { book, sink } = /** @type {Subscriber} */ (crew[0]).work;
        const what = { book, topics, mails: await sink.mails(0), arrived: await arrived(), mostRepeats };
        const { found, problems } = await compareConsent(place, what);
        return { found, problems: [...late, ...problems] };
      },
    },
  );
}

/**
 * A tenant that can send, two topics, a form for each, and the email about the first.
 * @param {import('./under-fire.js').Place} place
 */
async function makeThings({ url, token, tenantId, dataDir }) {
  const admin = await readAdminToken(dataDir);
  const post = async (/** @type {string} */ path, /** @type {object} */ body, by = token) =>
    (await untilAnswered(() => callJson(url + path, { token: by, method: 'POST', body }))).data;
  await post(`/admin/tenants/${tenantId}/sending-domains`, { domain: 'example.com' }, admin);
  const news = (await post('/v2/topics', { name: 'News', byDefault: 'unsubscribed' })).topicId;
  const asks = (await post('/v2/topics', { name: 'Asks', byDefault: 'unsubscribed', doubleOptIn: true })).topicId;
  const forms = [];
  for (const topicId of [news, asks]) {
    const fields = [{ property: 'email', label: 'Email', type: 'email' }];
    const made = await post('/v2/forms', { name: 'Proof', fields, topicIds: [topicId], consentText: 'Yes.' });
    forms.push(url + new URL(made.url).pathname);
  }
  const email = {
    ...{ name: 'News', subject: 'News', fromEmail: { email: 'hello@example.com', name: 'Proof' }, topicId: news },
    html: '<p>Hello.</p><a href="{{unsubscribe_url}}">Unsubscribe</a>',
  };
  return { topics: { news, asks }, forms, emailId: (await post('/v2/emails', email)).emailId };
}
