// The final checks of the journeys proof: every enrolment, its timeline, its messages and everything else a step did, each exactly once.
import { callJson } from '../../server/test/process/tenant.js';
import { planOf, stories } from './journeys-story.js';
import { compareLedger, some, withClient } from './messages-compare.js';
import { untilAnswered } from './messages-queuer.js';

/** What is left to do, in one row. News of ended journeys waits only for a chore, which sweeps it once a minute. */
export const leftOfJourneys = `
  select (select count(*)::int from message where state in ('queued', 'sending')) as messages,
    (select count(*)::int from write_transaction where status = 'PENDING') as writes,
    (select count(*)::int from journey_news n where n.journey_no = 0 or exists (
      select from journey j where j.tenant_id = n.tenant_id and j.journey_no = n.journey_no and (j.state = 'active' or j.is_stopping))) as news,
    (select count(*)::int from journey_run where ended_at is null) as runs,
    (select count(*)::int from enrolment where state = 'active') as enrolments`;

/**
 * @param {import('./under-fire.js').Place} place
 * @param {{ contacts: number, journeyIds: string[], sideId: string, staticListId: string, topicId: string | undefined, arrived: string[],
 *   mostRepeats: number }} what
 */
export async function compareJourneys(place, what) {
  const { contacts, journeyIds, sideId, staticListId, topicId, arrived, mostRepeats } = what;
  // Servers that were killed forget how their tables have grown. The planner may take some of them for empty, and a recount then takes minutes.
  await withClient(place.connection, (client) => client.query('analyze'));
  const { ledger, problems, found } = await compareLedger(place, arrived, mostRepeats);
  const enrolments = await withClient(place.connection, (client) => readEnrolments(client, journeyIds));
  const byContact = new Map(enrolments.map((row) => [row.n, row]));
  const numbers = Array.from({ length: contacts }, (_, n) => String(n));
  const is = (/** @type {string} */ n, /** @type {'steps' | 'ended' | 'messages'} */ key) => {
    const story = stories[planOf(Number(n))];
    const expected = key === 'steps' ? story?.steps.filter((step) => topicId || step !== 'topic') : story?.[key];
    return JSON.stringify(byContact.get(Number(n))?.[key]) === JSON.stringify(expected);
  };
  problems.push(
    ...some('never entered', numbers, (n) => !byContact.has(Number(n))),
    ...some(
      'is enrolled twice',
      enrolments.map(({ n }) => String(n)),
      (n, i) => enrolments[i - 1]?.n === Number(n),
    ),
    ...some('visited other steps than the definition says', numbers, (n) => !is(n, 'steps')),
    ...some('ended otherwise', numbers, (n) => !is(n, 'ended')),
    ...some('got other messages than the definition says', numbers, (n) => !is(n, 'messages')),
    ...(await checkEffects(place, contacts, sideId)),
    ...(topicId ? await checkTopic(place, contacts, topicId) : []),
    ...(await checkTotals(place, { contacts, journeyIds, staticListId })),
  );
  return {
    problems,
    found: `${enrolments.length} enrolments of ${contacts} contacts, ${ledger.size} messages; ${found}`,
  };
}

/**
 * Steps from the timeline, messages from the ledger.
 * @param {import('pg').Client} client
 * @param {string[]} journeyIds
 * @returns {Promise<{ n: number, ended: string, steps: string[], messages: string[] }[]>}
 */
async function readEnrolments(client, journeyIds) {
  const { rows } = await client.query(
    `select substring(c.email from 'p(\\d+)@')::int as n, concat_ws(': ', e.state, e.reason) as ended,
      coalesce(t.steps, '{}') as steps, coalesce(m.messages, '{}') as messages
    from enrolment e join contact c using (tenant_id, contact_id) join journey j using (tenant_id, journey_no)
    left join (
      select enrolment_id, array_agg(step_id order by no, place) as steps from enrolment_line where what = 'step' group by enrolment_id
    ) t using (enrolment_id)
    left join (
      select enrolment_id, array_agg(step_id order by visit) as messages from message group by enrolment_id
    ) m using (enrolment_id)
    where j.journey_id = any($1::asset_id[]) order by n`,
    [journeyIds.map((id) => Buffer.from(id, 'hex'))],
  );
  return rows;
}

/**
 * What steps did besides messages: numbers that must be zero.
 * @param {import('./under-fire.js').Place} place
 * @param {number} contacts
 * @param {string} sideId
 */
async function checkEffects({ connection }, contacts, sideId) {
  const ofKind = (/** @type {string} */ plan) =>
    Array.from({ length: contacts }, (_, n) => planOf(n)).filter((each) => each === plan).length;
  const checks = await withClient(connection, async (client) => {
    const { rows } = await client.query(
      `with side as (select e.* from enrolment e join journey j using (tenant_id, journey_no) where j.journey_id = $3)
      select (select count(*)::int from event where event_name = 'went_by') - $1::int as "events of steps differ by",
        (select count(distinct contact_id)::int from event where event_name = 'went_by') - $1::int as "contacts with such an event differ by",
        (select count(*)::int from side) - $1::int as "enrolments by startJourney differ by",
        (select count(distinct contact_id)::int from side where state = 'exited' and reason = 'takenOut') - $1::int
          as "contacts taken out by leaveJourney differ by",
        (select count(*)::int from contact_change where field = 'journey_mark') - $2::int as "changes by steps differ by",
        (select count(*)::int from contact where properties ->> 'journey_mark' = 'seen') - $2::int as "contacts that were marked differ by"`,
      [ofKind('none'), ofKind('free'), Buffer.from(sideId, 'hex')],
    );
    return rows[0];
  });
  return Object.entries(checks).flatMap(([what, by]) => (by === 0 ? [] : [`${what} ${by}`]));
}

/**
 * Every contact of one kind is subscribed by a step, once.
 * @param {import('./under-fire.js').Place} place
 * @param {number} contacts
 * @param {string} topicId
 */
async function checkTopic({ url, token, connection }, contacts, topicId) {
  const expected = Array.from({ length: contacts }, (_, n) => planOf(n)).filter((plan) => plan === 'none').length;
  const found = await withClient(connection, async (client) => {
    const { rows } = await client.query(
      `select (select count(*)::int from contact_topic where topic_id = $1 and state = 'subscribed' and source = 'journey') as states,
        (select count(*)::int from consent_log where topic_id = $1) as "entries of the log"`,
      [Buffer.from(topicId, 'hex')],
    );
    return rows[0];
  });
  const { data } = await untilAnswered(() => callJson(`${url}/v2/topics/${topicId}`, { token }));
  return Object.entries({ ...found, 'subscribed contacts as the topic counts them': data.subscribed }).flatMap(
    ([what, n]) => (n === expected ? [] : [`${n} ${what} instead of ${expected}`]),
  );
}

/**
 * What the API reports about all of it.
 * @param {import('./under-fire.js').Place} place
 * @param {{ contacts: number, journeyIds: string[], staticListId: string }} what
 */
async function checkTotals({ url, token }, { contacts, journeyIds, staticListId }) {
  const totalOf = async (/** @type {string} */ path) => {
    const address = `${url}${path}${path.includes('?') ? '&' : '?'}pageSize=1`;
    const { pagination } = await untilAnswered(() => callJson(address, { token }));
    return pagination.totalElements;
  };
  let ended = 0;
  for (const id of journeyIds) ended += await totalOf(`/v2/journeys/${id}/enrolments?state=completed&state=exited`);
  const members = await totalOf(`/v2/lists/${staticListId}/members`);
  const expected = Array.from({ length: contacts }, (_, n) => planOf(n)).filter((plan) => plan === 'none').length;
  return [
    ...(ended === contacts ? [] : [`totalElements of enrolments that ended says ${ended} of ${contacts}`]),
    ...(members === expected ? [] : [`the list has ${members} members instead of ${expected}`]),
  ];
}
