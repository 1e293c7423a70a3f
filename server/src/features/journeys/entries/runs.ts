// Runs of batch journeys: who is a member when it begins is written down, and enrolled in steps.
import { newAssetId } from '../../../lib/ids.js';
import { hasAllMembers, membersSql } from '../../dynamic-lists/index.js';
import { nextRun } from '../definition/calendar.js';
import type { TurnContext } from '../turn/context.js';
import type { LiveJourney } from '../turn/queries.js';
import { insertRun } from './queries.js';

/** Begins the run whose time has come. One that was missed while no worker ran runs once. Returns whether it began. */
export async function beginRun(context: TurnContext, journey: LiveJourney): Promise<boolean> {
  const { tx, tenantId, now } = context;
  const { journeyNo, version, nextRunAt } = journey;
  const definition = await context.definitionOf(journeyNo, version);
  if (nextRunAt === null || nextRunAt > now || definition?.entry.kind !== 'batch') return false;
  const { audience, schedule } = definition.entry;
  // A list that is being built has not all its members yet: they are waited for.
  if (!(await hasAllMembers(tx, tenantId, audience))) return false;
  const next = schedule ? nextRun(schedule, now) : null;
  const run = { runId: newAssetId(), journeyNo, version, runAt: now, nextRunAt: next };
  await insertRun(tx, tenantId, run, membersSql(tenantId, audience));
  return true;
}
