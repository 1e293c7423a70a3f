// The list of messages, newest first.
import type { MessageState } from '@rapport/contract';
import { counters, counterValue } from '../../../../db/counters.js';
import type { Database } from '../../../../db/database.js';
import { type Page, type PageOf, paged } from '../../../../db/paged.js';
import { bytes, type Sql, sql } from '../../../../db/sql.js';
import { keptReason } from '../../../../mail/transport.js';
import { columns, type LedgerRow, withoutNullLanguage } from '../queries.js';

interface MessageFilter {
  contactId: string | undefined;
  email: string | undefined;
  emailId: string | undefined;
  journeyId: string | undefined;
  enrolmentId: string | undefined;
  states: readonly MessageState[];
  kept: 'true' | 'false' | undefined;
  startTime: string | undefined;
  endTime: string | undefined;
}

/** Newest first. */
export async function selectMessages(
  db: Database,
  tenantId: number,
  filter: MessageFilter,
  page: PageOf,
): Promise<Page<LedgerRow>> {
  const conditions = conditionsOf(filter);
  const matches = matching(tenantId, conditions);
  const total =
    conditions.length === 0
      ? counterValue(tenantId, counters.messages)
      : sql`(select count(*) from message where ${matches})`;
  const from = areRareStates(filter) ? rareStates(tenantId, filter, page) : sql`message where ${matches}`;
  const rows = sql<LedgerRow>`
    select ${columns} from ${from}
    order by queued_at desc, message_id desc limit ${page.limit} offset ${page.offset}`;
  const found = await paged(db, tenantId, { ...page, isSearch: conditions.length > 0 }, { total, rows });
  return { ...found, rows: found.rows.map(withoutNullLanguage) };
}

function matching(tenantId: number, conditions: readonly Sql[]): Sql {
  return conditions.reduce((all, each) => sql`${all} and ${each}`, sql`tenant_id = ${tenantId}`);
}

/** Whether nothing but states, and perhaps a time, is asked for, and the index of states has them all. */
function areRareStates({ states, startTime, endTime, ...others }: MessageFilter): boolean {
  const hasOthers = Object.values(others).some((value) => value !== undefined);
  return !hasOthers && states.length > 0 && states.every((state) => state !== 'sent' && state !== 'delivered');
}

/**
 * Messages in these states, up to the end of the page. One read of the index for each state: asked for all at once, the planner takes messages
 * that bounced for evenly spread, and walks back over all others until it has found enough.
 */
function rareStates(tenantId: number, { states, ...others }: MessageFilter, { limit, offset }: PageOf): Sql {
  const upTo = sql`order by queued_at desc, message_id desc limit ${limit + offset}`;
  const ofState = [...new Set(states)].map((state) => {
    const matches = matching(tenantId, [sql`state = ${state}`, ...conditionsOf({ ...others, states: [] })]);
    return sql`(select * from message where ${matches} ${upTo})`;
  });
  return sql`(${ofState.reduce((all, each) => sql`${all} union all ${each}`)}) message`;
}

/** Other reasons may contain text from a mail server. */
const isKept = sql`(state = 'sent' and reason is not distinct from ${keptReason}::text)`;

function conditionsOf(filter: MessageFilter): Sql[] {
  const { contactId, email, emailId, journeyId, enrolmentId, states, kept, startTime, endTime } = filter;
  return [
    ...(contactId === undefined ? [] : [sql`contact_id = ${contactId}::uuid`]),
    ...(email === undefined ? [] : [sql`address = ${email}`]),
    ...(emailId === undefined ? [] : [sql`email_id = ${bytes(emailId)}::bytea`]),
    ...(journeyId === undefined ? [] : [sql`journey_id = ${bytes(journeyId)}::bytea`]),
    ...(enrolmentId === undefined ? [] : [sql`enrolment_id = ${enrolmentId}::uuid`]),
    ...(states.length === 0 ? [] : [sql`state = any(${states}::text[])`]),
    ...(kept === undefined ? [] : [sql`${isKept} = ${kept}::boolean`]),
    ...(startTime === undefined ? [] : [sql`queued_at >= ${startTime}::timestamptz`]),
    ...(endTime === undefined ? [] : [sql`queued_at <= ${endTime}::timestamptz`]),
  ];
}
