// Figures of messages in SQL: the counted ones, and the same recounted from the rows.
import type { Runner } from '../../../db/database.js';
import { bytes, type Sql, sql } from '../../../db/sql.js';
import { piecesOf, type Stretch, type Tallies, tallied, type Window, within } from '../../../db/tallies.js';
import { keptReason } from '../../../mail/transport.js';
import type { Counts } from './counts.js';
import { countedOfMessage } from './feed/queries.js';
import { subjectOfTopic } from './subjects.js';

const counts = [
  ...[sql`sent`, sql`delivered`, sql`opened`, sql`unique_opened`, sql`clicked`, sql`unique_clicked`],
  ...[sql`hard_bounced`, sql`soft_bounced`, sql`unsubscribed`, sql`complained`, sql`failed`],
  ...[sql`machine_opened`, sql`machine_clicked`, sql`click_only`],
];
export const tallies: Tallies = {
  table: sql`message_tally`,
  deltas: sql`message_tally_delta`,
  key: [sql`subject`],
  counts,
};

/** Which figures are requested. `atMost`: for links, the most clicked ones. */
export type FigureSubject =
  | { kind: 'tenant' }
  | { kind: 'email'; emailId: string }
  | { kind: 'emails' }
  | { kind: 'topic'; topicId: string }
  | { kind: 'journeys'; journeyIds: readonly string[] }
  | { kind: 'arms'; journeyId: string }
  | { kind: 'domains' }
  | { kind: 'links'; emailId?: string; atMost?: number };

export type Grain = 'hour' | 'day';

/** Where to find the figures of something: in the counted figures, and in the messages. */
interface Place {
  tallies: Tallies;
  /** A condition on the column `subject`, if `tallies` has more than is requested. */
  which: Sql;
  /** A condition on a message `m`. */
  messages: Sql;
  /** A query for the subjects of a message `m`. */
  subjects: Sql;
}

const anyLink = sql`select 'l:' || m.click_of`;
const ofEmail = sql`select 'e:' || encode(m.email_id, 'hex') || ':' || coalesce(m.version, '')`;
const ofStep = sql`
  select 'j:' || encode(m.journey_id, 'hex') || ':' || coalesce(m.step_id, '') || ':' || encode(m.email_id, 'hex')
  where m.journey_id is not null`;
const ofArms = sql`
  select 'a:' || encode(m.journey_id, 'hex') || ':' || a.key || ':' || a.value from jsonb_each_text(m.arms) a
  where m.journey_id is not null`;
const ofTopic = sql`select 't:' || encode(m.topic_id, 'hex') where m.topic_id is not null`;
const ofLanguage = sql`select 'g:' || encode(m.email_id, 'hex') || ':' || m.language where m.language is not null`;
const ofDomain = sql`select 'd:' || m.domain where m.domain is not null`;

function placeOf(tenantId: number, of: FigureSubject): Place {
  const every = sql`true`;
  switch (of.kind) {
    case 'tenant':
      return { tallies, which: sql`subject = 't'`, messages: every, subjects: sql`select 't'` };
    case 'email': {
      // By version, and by language.
      const from = sql`(values ('e:' || ${of.emailId}::text), ('g:' || ${of.emailId}::text)) w (id)`;
      const known = reach(tenantId, from, between(sql`w.id || ':'`, sql`w.id || ';'`));
      const messages = sql`m.email_id = ${bytes(of.emailId)}::bytea`;
      return { tallies: known, which: every, messages, subjects: sql`${ofEmail} union all ${ofLanguage}` };
    }
    case 'emails': {
      const known = reach(tenantId, sql`(select 1) w`, between(sql`'e:'`, sql`'e;'`));
      return { tallies: known, which: every, messages: every, subjects: ofEmail };
    }
    case 'topic': {
      const messages = sql`m.topic_id = ${bytes(of.topicId)}::bytea`;
      return { tallies, which: sql`subject = ${subjectOfTopic(of.topicId)}`, messages, subjects: ofTopic };
    }
    case 'journeys': {
      const from = sql`unnest(${of.journeyIds}::text[]) w (id)`;
      const known = reach(tenantId, from, between(sql`'j:' || w.id || ':'`, sql`'j:' || w.id || ';'`));
      const messages = sql`m.journey_id = any(${of.journeyIds.map(bytes)}::bytea[])`;
      return { tallies: known, which: every, messages, subjects: ofStep };
    }
    case 'arms': {
      const from = sql`(select ${of.journeyId}::text as id) w`;
      const known = reach(tenantId, from, between(sql`'a:' || w.id || ':'`, sql`'a:' || w.id || ';'`));
      const messages = sql`m.journey_id = ${bytes(of.journeyId)}::bytea`;
      return { tallies: known, which: every, messages, subjects: ofArms };
    }
    case 'domains': {
      const known = reach(tenantId, sql`(select 1) w`, between(sql`'d:'`, sql`'d;'`));
      return { tallies: known, which: every, messages: sql`m.domain is not null`, subjects: ofDomain };
    }
    case 'links': {
      if (of.emailId === undefined) {
        const known = reach(tenantId, sql`(select 1) w`, between(sql`'l:'`, sql`'l;'`));
        return { tallies: known, which: every, messages: every, subjects: anyLink };
      }
      const ofIt = sql`email_id = ${bytes(of.emailId)}::bytea`;
      const from = sql`(select link_no from message_link where tenant_id = ${tenantId} and ${ofIt}) w`;
      const known = reach(tenantId, from, (subject) => sql`${subject} = 'l:' || w.link_no`);
      return { tallies: known, which: every, messages: sql`m.${ofIt}`, subjects: anyLink };
    }
    default:
      return of satisfies never;
  }
}

function between(first: Sql, beyond: Sql): (subject: Sql) => Sql {
  return (subject) => sql`${subject} >= ${first} and ${subject} < ${beyond}`;
}

/**
 * The tallies of all subjects that match a pattern. The subjects are found first, among the all-time sums, which have one row each, and
 * among what is not folded yet; then the figures are read by key. With a join, the planner estimated a ninth of all rows for each
 * of 500 journeys: 24 s instead of 0.2.
 */
function reach(tenantId: number, from: Sql, on: (subject: Sql) => Sql): Tallies {
  const known = (table: Sql, which: Sql) => sql`
    select k.subject from ${from} cross join lateral (
      select t.subject from ${table} t where t.tenant_id = ${tenantId} and ${which} and ${on(sql`t.subject`)} offset 0
    ) k`;
  const among = (table: Sql, which: Sql) => sql`(
    select * from ${table} where subject = any(array(${known(table, which)}))) t`;
  return {
    ...tallies,
    table: among(tallies.table, sql`t.span = 'all'`),
    deltas: among(tallies.deltas, sql`true`),
  };
}

/** The sum of a window's whole hours and its partial hours, by subject and interval, in one snapshot. */
export function figuresOf(tenantId: number, of: FigureSubject, window: Window, grain: Grain | null): Sql {
  const { rest } = piecesOf(window);
  const place = placeOf(tenantId, of);
  const hours = tallied(place.tallies, tenantId, place.which, window, grain);
  if (rest.length === 0) return hours;
  const messages = touchedIn(tenantId, rest, place.messages);
  const facts = of.kind === 'links' ? linkFactsOf(messages) : factsOf(messages, place.subjects);
  const since = grain === null ? sql`null::timestamptz` : sql`date_trunc(${grain}, at, 'UTC')`;
  return sql`${hours} union all ${countedOf(facts, since, within(sql`at`, rest))}`;
}

interface Figures extends Counts {
  subject: string;
  since: string | null;
}

export function selectFigures(
  db: Runner,
  tenantId: number,
  of: Exclude<FigureSubject, { kind: 'links' }>,
  window: Window,
  grain: Grain | null,
): Promise<Figures[]> {
  return db.rows(sql<Figures>`
    select subject, since, ${shownSums} from (${figuresOf(tenantId, of, window, grain)}) f
    group by subject, since having ${isSome} order by since, subject`);
}

interface LinkFigures extends Counts {
  emailId: string;
  url: string;
  since: string | null;
}

/** By address, most clicked first. Addresses that were shortened may now be equal. */
export function selectLinkFigures(
  db: Runner,
  tenantId: number,
  of: Extract<FigureSubject, { kind: 'links' }>,
  window: Window,
  grain: Grain | null,
): Promise<LinkFigures[]> {
  return db.rows(sql<LinkFigures>`
    select l.email_id as "emailId", l.url, since, ${shownSums} from (${figuresOf(tenantId, of, window, grain)}) f
    join message_link l on l.tenant_id = ${tenantId} and l.link_no = substr(f.subject, 3)::integer
    group by l.email_id, l.url, since having ${isSome}
    order by since, sum(clicked) desc, sum(machine_clicked) desc, l.url, l.email_id limit ${of.atMost ?? null}`);
}

export const shownSums = sql`
  sum(sent)::int8 as sent, sum(delivered)::int8 as delivered, sum(opened)::int8 as opened, sum(unique_opened)::int8 as "uniqueOpened",
  sum(clicked)::int8 as clicked, sum(unique_clicked)::int8 as "uniqueClicked", sum(hard_bounced)::int8 as "hardBounced",
  sum(soft_bounced)::int8 as "softBounced", sum(unsubscribed)::int8 as unsubscribed, sum(complained)::int8 as complained,
  sum(failed)::int8 as failed, sum(machine_opened)::int8 as "machineOpened", sum(machine_clicked)::int8 as "machineClicked",
  sum(click_only)::int8 as "clickOnly"`;
export const isSome = counts.map((count) => sql`sum(${count}) <> 0`).reduce((a, b) => sql`${a} or ${b}`);

/**
 * Messages that something happened to in these intervals: found by indexes with the same conditions, then by key, however
 * many messages there are.
 */
function touchedIn(tenantId: number, stretches: readonly Stretch[], which: Sql): Sql {
  return sql`
    select ${countedOfMessage} from message m
    where m.tenant_id = ${tenantId} and m.kind <> 'test' and ${which} and m.message_id = any(array(
      select message_id from message where tenant_id = ${tenantId} and sent_at is not null and ${within(sql`sent_at`, stretches)}
      union all select message_id from message
        where tenant_id = ${tenantId} and failed_at is not null and ${within(sql`failed_at`, stretches)}
      union all select message_id from message_event where tenant_id = ${tenantId} and ${within(sql`at`, stretches)}
        and what in ('delivered', 'bounced', 'softBounced', 'complained', 'unsubscribed', 'opened', 'clicked')))`;
}

/**
 * What messages count for (tests excluded), one row per subject and count: `subject`, `at`, `what`. The same rules as contributions.ts, so that
 * the two can be compared.
 */
function factsOf(messages: Sql, subjects: Sql): Sql {
  const each = moments.map(
    ([at, what]) => sql`select m.*, ${at} as at, ${what} as what from m where ${at} is not null`,
  );
  return sql`(
    with m as materialized (${messages}), facts as (
      ${each.reduce((a, b) => sql`${a} union all ${b}`)}
      union all
      select m.*, e.at, case when e.is_machine then 'machine_' else '' end || e.what from m
      join message_event e on e.tenant_id = m.tenant_id and e.message_id = m.message_id and e.what in ('opened', 'clicked')
    )
    select s.subject, m.at, m.what from facts m cross join lateral (${subjects}) s (subject)) facts`;
}
/** A message kept in the outbox was neither sent nor delivered. */
const hasLeft = sql`m.reason is distinct from ${keptReason}::text`;
// Not `values` rows for each message: those took 25 µs per message.
const moments: [Sql, Sql][] = [
  [sql`(case when ${hasLeft} then m.sent_at end)`, sql`'sent'`],
  [
    sql`(case
      when not ${hasLeft} then null
      when m.delivered_at is null then case when m.bounced_at is null and m.soft_bounced_at is null then m.sent_at end
      -- It bounced after it had been delivered.
      when greatest(m.bounced_at, m.soft_bounced_at) >= m.delivered_at then null else m.delivered_at end)`,
    sql`'delivered'`,
  ],
  [sql`m.first_opened_at`, sql`'unique_opened'`],
  [sql`m.first_clicked_at`, sql`'unique_clicked'`],
  [sql`m.bounced_at`, sql`'hard_bounced'`],
  [sql`(case when m.bounced_at is null then m.soft_bounced_at end)`, sql`'soft_bounced'`],
  [sql`m.unsubscribed_at`, sql`'unsubscribed'`],
  [sql`m.complained_at`, sql`'complained'`],
  [sql`m.failed_at`, sql`'failed'`],
  [sql`(case when m.first_opened_at is null then m.first_clicked_at end)`, sql`'click_only'`],
];

/** The same for links: every click, and for each message and link the first click by a person. */
function linkFactsOf(messages: Sql): Sql {
  return sql`(
    with m as materialized (${messages}), clicks as materialized (
      select m.message_id, e.click_of, e.at, coalesce(e.is_machine, false) as is_machine from m
      join message_event e on e.tenant_id = m.tenant_id and e.message_id = m.message_id and e.what = 'clicked'
      where e.click_of is not null
    )
    select 'l:' || click_of as subject, at, case when is_machine then 'machine_clicked' else 'clicked' end as what from clicks
    union all
    select 'l:' || click_of, min(at), 'unique_clicked' from clicks where not is_machine group by message_id, click_of) facts`;
}

function countedOf(facts: Sql, since: Sql, when: Sql): Sql {
  return sql`
    select subject, ${since} as since, count(*) filter (where what = 'sent') as sent,
      count(*) filter (where what = 'delivered') as delivered, count(*) filter (where what = 'opened') as opened,
      count(*) filter (where what = 'unique_opened') as unique_opened, count(*) filter (where what = 'clicked') as clicked,
      count(*) filter (where what = 'unique_clicked') as unique_clicked, count(*) filter (where what = 'hard_bounced') as hard_bounced,
      count(*) filter (where what = 'soft_bounced') as soft_bounced, count(*) filter (where what = 'unsubscribed') as unsubscribed,
      count(*) filter (where what = 'complained') as complained, count(*) filter (where what = 'failed') as failed,
      count(*) filter (where what = 'machine_opened') as machine_opened,
      count(*) filter (where what = 'machine_clicked') as machine_clicked,
      count(*) filter (where what = 'click_only') as click_only
    from ${facts} where ${when} group by 1, 2`;
}

const anySubject = sql`select 't' union all ${ofEmail} union all ${ofStep} union all ${ofArms} union all ${ofDomain} union all ${ofTopic} union all ${ofLanguage}`;
const listed = counts.reduce((a, b) => sql`${a}, ${b}`);
const negated = counts.map((count) => sql`-${count}`).reduce((a, b) => sql`${a}, ${b}`);

/** By how much figures exceed the messages, and those of days and of all time exceed their hours. */
export function selectDifferences(
  db: Runner,
  tenantId: number,
  atMost: number,
): Promise<(Figures & { span: 'hour' | 'day' | 'all'; since: string })[]> {
  const hour = sql`date_trunc('hour', at, 'UTC')`;
  const messages = sql`select ${countedOfMessage} from message m where m.tenant_id = ${tenantId} and m.kind <> 'test'`;
  const folded = sql`from message_tally where tenant_id = ${tenantId}`;
  return db.rows(sql<Figures & { span: 'hour' | 'day' | 'all'; since: string }>`
    select span, subject, since, ${shownSums} from (
      select span, subject, since, ${listed} ${folded}
      union all select 'hour', subject, hour, ${listed} from message_tally_delta where tenant_id = ${tenantId}
      union all select 'hour', subject, since, ${negated} from (
        ${countedOf(factsOf(messages, anySubject), hour, sql`true`)} union all ${countedOf(linkFactsOf(messages), hour, sql`true`)}
      ) recounted
      union all select 'day', subject, date_trunc('day', since, 'UTC'), ${negated} ${folded} and span = 'hour'
      union all select 'all', subject, timestamptz '1970-01-01T00:00:00Z', ${negated} ${folded} and span = 'hour'
    ) f group by span, subject, since having ${isSome} order by span, subject, since limit ${atMost}`);
}
