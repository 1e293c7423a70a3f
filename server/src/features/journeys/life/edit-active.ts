import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../../db/database.js';
import { invalid } from '../../../http/api-error.js';
import { type Fault, FilterFaults } from '../../filter-language/index.js';
import type { Authoring } from '../authoring.js';
import { checkDefinition } from '../check-definition.js';
import type { Definition } from '../definition/definition.js';
import { readDefinition } from '../definition/read.js';
import { openedForCheck } from '../headers/headers.js';
import type { HeldJourney, Json } from '../queries.js';
import { faultsOfTime, nextRunAfterEdit } from './next-run.js';
import { bumpEdition, type Edited, hasActive, putVersion, retireVersionsOf, setVersion } from './queries.js';

interface Edit {
  definition: Json | null;
  inFlight: 'finish' | 'move' | undefined;
}

/**
 * Another definition of an active journey: a new version, which contacts enter from now on. Who is on the way stays in the one that it
 * entered, or is moved by the worker, before anything else happens in the journey. `now`: the tenant's journeys are locked since. `known`: faults of its templates.
 */
export async function editActive(
  tx: Transaction,
  tenantId: number,
  journey: HeldJourney,
  { definition: json, inFlight }: Edit,
  authoring: Authoring,
  now: string,
  known: readonly Fault[],
): Promise<void> {
  if (json === null) throw invalid('definition', 'cannot be removed from an active journey: deactivate it first');
  if (inFlight === undefined)
    throw invalid('inFlight', 'is required with a definition of an active journey: finish or move');
  const { journeyNo, type } = journey;
  const opened = await openedForCheck(tx, authoring.box, tenantId, json);
  const all = [...known, ...faultsOfTime(opened, now, journey.definition)];
  const definition = await checkDefinition(tx, tenantId, opened, type, authoring.subjects, all);
  // The same definition again: nothing changes.
  if (isDeepStrictEqual(json, journey.definition)) return;
  const before = readStored(journey, authoring);
  const version = (journey.version ?? 0) + 1;
  await putVersion(tx, tenantId, journeyNo, version, json, now);
  await setVersion(tx, tenantId, journeyNo, {
    version,
    nextRunAt: nextRunAfterEdit(before, definition, journey.nextRunAt, now),
    dates: datesAfter(before, definition),
    isMove: inFlight === 'move' && (await hasActive(tx, tenantId, journeyNo)),
  });
  await retireVersionsOf(tx, tenantId, journeyNo, version);
  await bumpEdition(tx, tenantId);
  authoring.wakeAfter(tx);
}

function datesAfter(before: Definition | undefined, { entry }: Definition): Edited['dates'] {
  if (entry.kind !== 'date') return 'none';
  return isDeepStrictEqual(before?.entry, entry) ? 'kept' : 'anew';
}

/** Nothing: a newer process wrote it, and knows more. */
function readStored({ definition, type }: HeldJourney, authoring: Authoring): Definition | undefined {
  try {
    return readDefinition(definition, type, authoring.subjects);
  } catch (error) {
    if (error instanceof FilterFaults) return undefined;
    throw error;
  }
}
