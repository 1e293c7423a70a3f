// What comes before anything else happens in a journey: stopping, moving to another version, beginning and ending runs, finding dates.
import { moveTo } from '../engine/enter.js';
import { eraseMarked } from '../enrolments/erase.js';
import { buildDates } from '../entries/dates.js';
import { endRun, endRunStep, finishBatches, selectRunSteps } from '../entries/queries.js';
import { beginRun } from '../entries/runs.js';
import { stopSome } from '../life/deactivate.js';
import { bumpEdition } from '../life/queries.js';
import type { TurnContext } from '../turn/context.js';
import { endMove, type LiveJourney, selectToMove } from '../turn/queries.js';
import type { Turn } from './turn.js';

// In a step, as others wait for it.
const mostAtOnce = 1000;

/** Returns how much it did; where that is something, the rest has to wait for the next turn. */
export async function prepare(context: TurnContext, atMost: number, turn: () => Turn): Promise<number> {
  const { tx, tenantId, at, journeys } = context;
  let done = await eraseMarked(tx, tenantId, at);
  for (const journey of journeys.values()) {
    if (journey.isStopping) {
      await stopSome(tx, tenantId, journey, at);
      done++;
    } else if (!journey.isPaused && journey.isActive)
      done += await prepareActive(context, journey, Math.min(atMost, mostAtOnce), turn);
  }
  return done;
}

async function prepareActive(
  context: TurnContext,
  journey: LiveJourney,
  atMost: number,
  turn: () => Turn,
): Promise<number> {
  if (journey.moves.length > 0) return move(context, journey, atMost, turn());
  if (journey.type === 'batch') return prepareBatch(context, journey);
  if (!journey.datesBuilt) return 1 + (await buildDates(context, turn().enrolments, journey, mostAtOnce));
  return 0;
}

/** Those of earlier versions go on with this one, where it has their step. */
async function move(context: TurnContext, journey: LiveJourney, atMost: number, turn: Turn): Promise<number> {
  const { tx, tenantId, now, timeZone } = context;
  const { journeyNo, journeyId } = journey;
  const version = journey.moves[0] as number;
  const to = await context.definitionOf(journeyNo, version);
  const stepIds = to?.steps.map(({ id }) => id) ?? [];
  const rows = to ? await selectToMove(tx, tenantId, journeyNo, version, stepIds, atMost) : [];
  const enrolments = await turn.enrolments.add(rows);
  await turn.enrolments.meet(rows.map(({ contactId }) => contactId));
  for (const one of enrolments) {
    const { properties = {} } = turn.enrolments.personOf(one.contactId) ?? {};
    const stepContext = {
      ...{ now, timeZone, properties, journeyId, contactId: one.contactId, enrolmentId: one.id },
      enteredAt: one.row.enteredAt,
      holds: () => ({ holds: false, next: null }),
      winnerOf: () => undefined,
    };
    const moved = to && moveTo(to, one.state, stepContext, one.definition);
    if (!to || !moved) continue;
    // One that is ready is due at once: nothing else would bring it back.
    one.take({ ...moved, dueAt: moved.dueAt ?? now });
    one.version = version;
    one.definition = to;
  }
  await turn.store();
  if (rows.length < atMost) await endMove(tx, tenantId, journeyNo, version);
  return Math.max(1, rows.length);
}

async function prepareBatch(context: TurnContext, journey: LiveJourney): Promise<number> {
  const { tx, tenantId, at } = context;
  const { journeyNo } = journey;
  if (await beginRun(context, journey)) return 1;
  const open = await selectRunSteps(tx, tenantId, [journeyNo], 1);
  const over = open.filter(({ contactIds }) => contactIds.length === 0);
  for (const step of over) {
    // The rest of the chunk was erased.
    if (step.chunkNo !== null) await endRunStep(tx, tenantId, step);
    else await endRun(tx, tenantId, step.runId, at);
  }
  if (journey.nextRunAt !== null || open.length > over.length) return over.length;
  const finished = await finishBatches(tx, tenantId, [journeyNo]);
  if (finished.length > 0) await bumpEdition(tx, tenantId);
  return over.length + finished.length;
}
