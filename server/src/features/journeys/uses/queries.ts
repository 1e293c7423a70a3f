// Which journeys use something: what active ones use is not deleted.
import type { Runner, Transaction } from '../../../db/database.js';
import { type Sql, sql } from '../../../db/sql.js';

// Only where a definition names things: the properties of an event that it emits may have keys of any name.
const usePaths = {
  staticListId: [
    sql`'$.entry.**.staticListId ? (@ == $id)'`,
    sql`'$.exitWhen.**.staticListId ? (@ == $id)'`,
    sql`'$.goal.**.staticListId ? (@ == $id)'`,
    sql`'$.steps[*].staticListId ? (@ == $id)'`,
    sql`'$.steps[*].cases[*].filter.**.staticListId ? (@ == $id)'`,
    sql`'$.steps[*].branches[*].filter.**.staticListId ? (@ == $id)'`,
  ],
  dynamicListId: [
    sql`'$.entry.**.dynamicListId ? (@ == $id)'`,
    sql`'$.exitWhen.**.dynamicListId ? (@ == $id)'`,
    sql`'$.goal.**.dynamicListId ? (@ == $id)'`,
    sql`'$.steps[*].cases[*].filter.**.dynamicListId ? (@ == $id)'`,
    sql`'$.steps[*].branches[*].filter.**.dynamicListId ? (@ == $id)'`,
  ],
  emailId: [sql`'$.steps[*] ? (@.type == "sendEmail").emailId ? (@ == $id)'`],
  journeyId: [sql`'$.steps[*] ? (@.type == "startJourney").journeyId ? (@ == $id)'`],
};

/** The names of the active journeys that use it, in the version that contacts enter or in one that some are on their way in. */
export async function selectUsers(
  tx: Transaction,
  tenantId: number,
  kind: keyof typeof usePaths,
  id: string,
): Promise<string[]> {
  const vars = sql`jsonb_build_object('id', ${id}::text)`;
  const uses = usePaths[kind]
    .map((path) => sql`jsonb_path_exists(v.definition, ${path}, ${vars})`)
    .reduce((one, next) => sql`${one} or ${next}`);
  const rows = await tx.rows(sql<{ name: string }>`
    select j.name from journey j
    where j.tenant_id = ${tenantId} and j.state = 'active' and j.deleted_at is null and exists (
      select 1 from journey_version v
      where v.tenant_id = j.tenant_id and v.journey_no = j.journey_no and v.is_live and (${uses}))
    order by j.created_at, j.journey_id`);
  return rows.map((row) => row.name);
}

interface SendingJourney {
  journeyId: string;
  name: string;
}

/** Whether `j`, a journey, sends an email: in the version that contacts enter, or in the draft of one that has none. */
export function sendsEmail(emailId: string): Sql {
  const [path] = usePaths.emailId;
  return sql`jsonb_path_exists(coalesce((
      select v.definition from journey_version v
      where v.tenant_id = j.tenant_id and v.journey_no = j.journey_no and v.version = j.version
    ), j.definition), ${path}, jsonb_build_object('id', ${emailId}::text))`;
}

/** Journeys that send an email: in the version that contacts enter, or in the draft of one that has none. Active ones first. */
export function selectSenders(
  db: Runner,
  tenantId: number,
  emailId: string,
  atMost: number,
): Promise<SendingJourney[]> {
  return db.rows(sql<SendingJourney>`
    select j.journey_id as "journeyId", j.name from journey j
    where j.tenant_id = ${tenantId} and j.deleted_at is null and ${sendsEmail(emailId)}
    order by (j.state = 'active') desc, j.created_at desc, j.journey_id limit ${atMost}`);
}
