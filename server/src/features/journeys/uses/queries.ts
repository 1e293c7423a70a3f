// Which journeys use something: what active ones use is not deleted.
import { type AssetKind, assetFields, stepTypes } from '@rapport/contract';
import type { Runner, Transaction } from '../../../db/database.js';
import { type Sql, sql } from '../../../db/sql.js';

/** What something is found as in a definition: by the kinds of the fields of steps, and by keys of entries and filters. */
const named: Readonly<Record<Used, { kinds: readonly AssetKind[]; keys?: readonly string[] }>> = {
  email: { kinds: ['email'] },
  staticList: { kinds: ['staticList'], keys: ['staticListId'] },
  dynamicList: { kinds: [], keys: ['dynamicListId'] },
  topic: { kinds: ['topic'], keys: ['topicId', 'topic'] },
  form: { kinds: [], keys: ['formId'] },
  journey: { kinds: ['journey', 'triggerJourney'] },
};
export type Used = 'email' | 'staticList' | 'dynamicList' | 'topic' | 'form' | 'journey';

/** Only where a definition names things: the properties of an event that it emits may have keys of any name. */
function usePaths(what: Used): string[] {
  const { kinds, keys = [] } = named[what];
  const fields = stepTypes.flatMap((type) =>
    assetFields(type).flatMap(([field, kind]) =>
      kinds.includes(kind) ? [`$.steps[*] ? (@.type == "${type}").${field}`] : [],
    ),
  );
  const places = ['entry', 'exitWhen', 'goal', 'steps[*].cases[*].filter', 'steps[*].branches[*].filter'];
  const inFilters = keys.flatMap((key) => places.map((place) => `$.${place}.**.${key}`));
  return [...fields, ...inFilters].map((path) => `${path} ? (@ == $id)`);
}

/** Whether a definition uses it. */
function uses(definition: Sql, what: Used, id: string): Sql {
  const vars = sql`jsonb_build_object('id', ${id}::text)`;
  return sql`exists (select from unnest(${usePaths(what)}::text[]) as p (path)
    where jsonb_path_exists(${definition}, p.path::jsonpath, ${vars}))`;
}

export interface User {
  name: string;
  isBroadcast: boolean;
}

/** The active journeys that use it, in the version that contacts enter or in one that some are on their way in. */
export function selectUsers(tx: Transaction, tenantId: number, what: Used, id: string): Promise<User[]> {
  return tx.rows(sql<User>`
    select j.name, j.broadcast is not null as "isBroadcast" from journey j
    where j.tenant_id = ${tenantId} and j.state = 'active' and j.deleted_at is null and exists (
      select 1 from journey_version v
      where v.tenant_id = j.tenant_id and v.journey_no = j.journey_no and v.is_live and ${uses(sql`v.definition`, what, id)})
    order by j.created_at, j.journey_id`);
}

/** The name of the broadcast that is still to begin, and whose filter this list was made from. */
export async function findBroadcastOf(tx: Transaction, tenantId: number, listId: string): Promise<string | undefined> {
  const row = await tx.row(sql<{ name: string }>`
    select name from journey
    where tenant_id = ${tenantId} and broadcast is not null and deleted_at is null
      and (state = 'draft' or (state = 'active' and next_run_at is not null))
      and broadcast #> '{audience,filter}' is not null and broadcast #>> '{audience,dynamicListId}' = ${listId} limit 1`);
  return row?.name;
}

interface LiveDefinition {
  name: string;
  definition: unknown;
}

/** The definitions of active journeys: the version that contacts enter, and those that some are on their way in. */
export function selectLiveDefinitions(db: Runner, tenantId: number): Promise<LiveDefinition[]> {
  return db.rows(sql<LiveDefinition>`
    select j.name, v.definition from journey j
    join journey_version v on v.tenant_id = j.tenant_id and v.journey_no = j.journey_no and v.is_live
    where j.tenant_id = ${tenantId} and j.state = 'active' and j.deleted_at is null order by j.journey_no, v.version`);
}

/** The names of all journeys that name it: in their draft, or as the active ones that `selectUsers` finds. */
export async function selectNaming(tx: Transaction, tenantId: number, what: Used, id: string): Promise<string[]> {
  const rows = await tx.rows(sql<{ name: string }>`
    select j.name from journey j
    where j.tenant_id = ${tenantId} and j.deleted_at is null and (${uses(sql`j.definition`, what, id)} or (
      j.state = 'active' and exists (
        select 1 from journey_version v
        where v.tenant_id = j.tenant_id and v.journey_no = j.journey_no and v.is_live and ${uses(sql`v.definition`, what, id)})))
    order by j.created_at, j.journey_id`);
  return rows.map((row) => row.name);
}

interface SendingJourney {
  journeyId: string;
  name: string;
}

/** Whether `j`, a journey, sends an email: in the version that contacts enter, or in the draft of one that has none. */
export function sendsEmail(emailId: string): Sql {
  const definition = sql`coalesce((
      select v.definition from journey_version v
      where v.tenant_id = j.tenant_id and v.journey_no = j.journey_no and v.version = j.version
    ), j.definition)`;
  return uses(definition, 'email', emailId);
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
