// The final checks of the consent proof: what was answered, what the database has, and what arrived must agree.
import { callJson } from '../../server/test/process/tenant.js';
import { some, withClient } from './messages-compare.js';

// Milliseconds. A mail that was on its way to the mail server when the answer was given is not called back.
const underWay = 2000;

/**
 * @param {import('./under-fire.js').Place} place
 * @param {{ book: import('./consent-crew.js').Book, topics: { news: string, asks: string }, mails: import('../../bench/smtp-sink.js').Mail[],
 *   arrived: string[], mostRepeats: number }} what
 */
export async function compareConsent(place, { book, topics, mails, arrived, mostRepeats }) {
  const { subscribed, asked, confirmed, left } = book;
  const [people, ledger, open] = await withClient(place.connection, async (client) => [
    await readPeople(client, topics),
    await readLedger(client),
    Number((await client.query('select count(*) from form_submission where not is_applied')).rows[0].count),
  ]);
  const tale = (/** @type {string} */ address) => JSON.stringify(people.get(address));
  const expected = (/** @type {string} */ address) =>
    JSON.stringify(
      asked.has(address)
        ? { news: null, asks: 'subscribed', log: ['pending form', 'subscribed confirmation'] }
        : {
            ...{ news: left.has(address) ? 'unsubscribed' : 'subscribed', asks: null },
            log: ['subscribed form', ...(left.has(address) ? ['unsubscribed oneClick'] : [])],
          },
    );
  const isLate = (/** @type {import('../../bench/smtp-sink.js').Mail} */ { to, begun, links }) =>
    !links.some((path) => path.startsWith('/t/y/')) && begun > (left.get(to) ?? Number.POSITIVE_INFINITY) + underWay;
  const ids = new Set(arrived.map((header) => /^<([0-9a-f]{32})@/.exec(header)?.[1] ?? header));
  const repeats = arrived.length - ids.size;
  const problems = [
    ...some(
      'was mailed after leaving',
      mails.filter(isLate).map(({ to }) => to),
      () => true,
    ),
    ...some('never confirmed', [...asked], (address) => !confirmed.has(address)),
    ...some('is not what was answered', [...subscribed, ...asked], (address) => tale(address) !== expected(address)),
    ...some('is sent and never arrived', [...ledger.keys()], (id) => ledger.get(id) === 'sent' && !ids.has(id)),
    ...some('arrived and is not sent', [...ids], (id) => ledger.get(id) !== 'sent'),
    ...some(
      'is neither sent nor skipped',
      [...ledger.keys()],
      (id) => !/^(sent|skipped topic)$/.test(ledger.get(id) ?? ''),
    ),
    ...(open === 0 ? [] : [`${open} submissions were not applied`]),
    ...(repeats > mostRepeats ? [`${repeats} came again, ${mostRepeats} at most may have`] : []),
    ...(await wrongCounts(place, people, topics)),
  ];
  const skipped = [...ledger.values()].filter((state) => state === 'skipped topic').length;
  if (skipped === 0 || left.size === 0) problems.push('nobody left in time: nothing was proved');
  return {
    problems,
    found: `${subscribed.length} subscribed, ${confirmed.size} confirmed, ${left.size} left; ${ids.size} mails arrived, ${repeats} again, ${skipped} were skipped`,
  };
}

/**
 * @param {import('pg').Client} client
 * @param {{ news: string, asks: string }} topics
 * @returns {Promise<Map<string, { news: string | null, asks: string | null, log: string[] }>>}
 */
async function readPeople(client, { news, asks }) {
  const { rows } = await client.query(
    `select c.email, n.state as news, a.state as asks, coalesce(l.log, '{}') as log
    from contact c
    left join contact_topic n on n.tenant_id = c.tenant_id and n.contact_id = c.contact_id and n.topic_id = $1
    left join contact_topic a on a.tenant_id = c.tenant_id and a.contact_id = c.contact_id and a.topic_id = $2
    left join (
      select contact_id, array_agg(state || ' ' || source order by log_no) as log from consent_log group by contact_id
    ) l on l.contact_id = c.contact_id`,
    [Buffer.from(news, 'hex'), Buffer.from(asks, 'hex')],
  );
  return new Map(rows.map(({ email, ...row }) => [email, row]));
}

/**
 * The state of every message, with the reason of those that were skipped.
 * @param {import('pg').Client} client
 * @returns {Promise<Map<string, string>>}
 */
async function readLedger(client) {
  const { rows } = await client.query(`
    select replace(message_id::text, '-', '') as id, concat_ws(' ', state, case when state = 'skipped' then reason end) as state from message`);
  return new Map(rows.map(({ id, state }) => [id, state]));
}

/**
 * @param {import('./under-fire.js').Place} place
 * @param {Map<string, { news: string | null, asks: string | null }>} people
 * @param {{ news: string, asks: string }} topics
 */
async function wrongCounts({ url, token }, people, topics) {
  /** @type {string[]} */ const problems = [];
  for (const [name, topicId] of Object.entries(topics)) {
    const { body } = await callJson(`${url}/v2/topics/${topicId}`, { token });
    for (const state of ['subscribed', 'unsubscribed', 'pending']) {
      const said = [...people.values()].filter((row) => row[/** @type {'news' | 'asks'} */ (name)] === state).length;
      if (body.data[state] !== said) problems.push(`${name} counts ${body.data[state]} ${state} instead of ${said}`);
    }
  }
  return problems;
}
