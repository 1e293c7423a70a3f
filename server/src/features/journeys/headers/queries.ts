import type { Runner, Transaction } from '../../../db/database.js';
import { sql } from '../../../db/sql.js';

type Json = Record<string, unknown>;

/** Which of these references a version of the journey has. */
export async function selectKeptIn(
  db: Runner,
  tenantId: number,
  journeyNo: number,
  references: readonly string[],
): Promise<Set<string>> {
  const rows = await db.rows(sql<{ reference: string }>`
    select r.reference from unnest(${[...references]}::text[]) r(reference)
    where exists (select from journey_version v
      where v.tenant_id = ${tenantId} and v.journey_no = ${journeyNo} and position(r.reference in v.definition::text) > 0)`);
  return new Set(rows.map(({ reference }) => reference));
}

// Headers that say nothing secret are not looked for: see isPlainHeader. Strictly: a draft may have anything where its steps should be, and
// what is not sealed must not be found again and again.
const hasPlain = sql`jsonb_path_exists(definition, 'strict $.steps[*] ? (@.type == "webhook" && @.headers.type() == "object")
  .headers.keyvalue() ? (!(@.value starts with "sealed:") && @.value != "********"
    && !(@.key like_regex "^(accept|accept-language|content-type|user-agent)$" flag "i"))', '{}', true)`;

interface OpenJourney {
  tenantId: number;
  journeyNo: number;
}

/** Journeys of older builds, with headers that are not sealed. */
export function selectOpen(db: Runner, limit: number): Promise<OpenJourney[]> {
  return db.rows(sql<OpenJourney>`
    /* all tenants */ select tenant_id as "tenantId", journey_no as "journeyNo" from journey where definition is not null and ${hasPlain}
    union
    select tenant_id, journey_no from journey_version where ${hasPlain}
    limit ${limit}`);
}

interface OpenDefinition {
  /** Null: the definition that was saved last. */
  version: number | null;
  definition: Json;
}

/** What was saved last, and all versions. Held. */
export async function lockDefinitions(
  tx: Transaction,
  { tenantId, journeyNo }: OpenJourney,
): Promise<OpenDefinition[]> {
  const saved = await tx.rows(sql<OpenDefinition>`
    select null::integer as version, definition from journey
    where tenant_id = ${tenantId} and journey_no = ${journeyNo} and definition is not null for update`);
  const versions = await tx.rows(sql<OpenDefinition>`
    select version, definition from journey_version
    where tenant_id = ${tenantId} and journey_no = ${journeyNo} order by version for update`);
  return [...saved, ...versions];
}

/** It says the same as before: this is no edit. */
export async function replaceDefinition(
  tx: Transaction,
  { tenantId, journeyNo }: OpenJourney,
  { version, definition }: OpenDefinition,
): Promise<void> {
  const json = JSON.stringify(definition);
  await (version === null
    ? tx.run(sql`
        update journey set definition = ${json}::jsonb where tenant_id = ${tenantId} and journey_no = ${journeyNo}`)
    : tx.run(sql`
        update journey_version set definition = ${json}::jsonb
        where tenant_id = ${tenantId} and journey_no = ${journeyNo} and version = ${version}`));
}
