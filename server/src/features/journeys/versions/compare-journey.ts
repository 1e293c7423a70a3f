import type { DataValue, compareJourney as route } from '@rapport/contract';
import type { Database } from '../../../db/database.js';
import { notFound } from '../../../http/api-error.js';
import { isAssetId } from '../../../lib/ids.js';
import { type Authoring, refuseUnfit } from '../authoring.js';
import { checkDefinition } from '../check-definition.js';
import { revealHeaders } from '../headers/hide.js';
import { findJourney, type Json } from '../queries.js';
import { compare, type StepJson } from './compare.js';
import { selectDefinitions, selectStanding } from './queries.js';

/** Counts what an edit with `inFlight: move` would do. */
export async function compareJourney(
  db: Database,
  tenantId: number,
  id: string,
  given: Json,
  authoring: Authoring,
): Promise<DataValue<typeof route>> {
  refuseUnfit(given);
  const journey = isAssetId(id) ? await findJourney(db, tenantId, id) : undefined;
  if (!journey) throw notFound('journey');
  const definition = revealHeaders(given, journey.definition);
  const known = await authoring.templateFaults(tenantId, definition);
  await checkDefinition(db, tenantId, definition, journey.type, authoring.subjects, known);
  const { journeyNo, version } = journey;
  const standing = await selectStanding(db.slow(tenantId), tenantId, journeyNo);
  const versions = [...standing.map((each) => each.version), ...(version === null ? [] : [version])];
  const definitions = await selectDefinitions(db, tenantId, journeyNo, [...new Set(versions)]);
  return compare(standing, (each) => stepsIn(definitions.get(each)), version, stepsIn(definition));
}

/** Of a definition that was checked. */
function stepsIn(definition: Json | undefined): readonly StepJson[] {
  return (definition?.steps ?? []) as StepJson[];
}
