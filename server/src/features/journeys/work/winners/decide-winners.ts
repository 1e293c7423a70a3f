// Splits with a winner: once their time has passed and every arm has sent enough, everybody takes the arm that did best.
import type { Runner } from '../../../../db/database.js';
import type { Next, Step, Winner } from '../../definition/definition.js';
import type { ReadStored } from '../../news/interests.js';
import { type ArmFigures, insertWinner, selectArms, selectUndecided, type UndecidedVersion } from './queries.js';

type Split = Extract<Step, { type: 'split' }>;

/** How often there is a look at what is undecided: a winner is known this soon after it could be. */
export const lookEveryMs = 5000;
// However long a split has been waiting for messages.
const longestRestMs = 3_600_000;

/** What this process remembers of splits that could not be decided: from which age of their version on it looks again. */
export type Rests = Map<string, number>;

export async function decideWinners(
  db: Runner,
  readStored: ReadStored,
  rests: Rests,
  signal: AbortSignal,
): Promise<void> {
  const waiting = new Set<string>();
  for (const version of await selectUndecided(db)) {
    const steps = stepsOf(version, readStored);
    for (const split of steps) {
      if (signal.aborted) return;
      if (split.type !== 'split' || !split.winner || version.decided.includes(split.id)) continue;
      const key = `${version.tenantId}:${version.journeyNo}:${version.version}:${split.id}`;
      waiting.add(key);
      if (version.ageMs < (rests.get(key) ?? split.winner.after.ms)) continue;
      const arm = winnerOf(split, split.winner, await selectArms(db, version, split.id, stepsAfter(steps, split)));
      if (arm !== undefined) await insertWinner(db, version, split.id, arm);
      else rests.set(key, nextLook(version.ageMs, split.winner.after.ms));
    }
  }
  for (const key of rests.keys()) if (!waiting.has(key)) rests.delete(key);
}

/**
 * A look counts every message of the journey, 1.2 s for 100,000 on a busy machine with two cores: the longer it has been in vain, the
 * rarer it is. A tenth of the time that it has taken so far: some eighty looks in the first ten hours, then one an hour.
 */
function nextLook(ageMs: number, afterMs: number): number {
  return ageMs + Math.min(longestRestMs, Math.max(lookEveryMs, (ageMs - afterMs) / 10));
}

/** None of a version that only a newer process can read. */
function stepsOf({ definition, type }: UndecidedVersion, readStored: ReadStored): readonly Step[] {
  try {
    return readStored(definition, type).steps;
  } catch {
    return [];
  }
}

/** The steps that the arms lead to. What was sent on the way to the split says nothing about them. */
export function stepsAfter(steps: readonly Step[], split: Split): string[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const reached = new Set<string>();
  const ahead = [...exitsOf(split)];
  for (let id = ahead.pop(); id !== undefined; id = ahead.pop()) {
    const step = id === null || reached.has(id) ? undefined : byId.get(id);
    if (!step) continue;
    reached.add(step.id);
    ahead.push(...exitsOf(step));
  }
  return [...reached];
}

function exitsOf(step: Step): Next[] {
  switch (step.type) {
    case 'exit':
      return [];
    case 'split':
      return step.arms.map(({ next }) => next);
    case 'branch':
      return [...step.cases.map(({ next }) => next), step.otherwise];
    case 'waitUntil':
      return [...step.branches.map(({ next }) => next), step.onTimeout];
    case 'webhook':
      return [step.next, step.onError ?? null];
    default:
      return [step.next];
  }
}

/** The arm with the best rate; of two, the one that is named first. Undefined while one has not sent enough. Pure. */
export function winnerOf(
  { arms }: Pick<Split, 'arms'>,
  { by, minimum }: Pick<Winner, 'by' | 'minimum'>,
  figures: readonly ArmFigures[],
): string | undefined {
  const rated = arms.map(({ name }) => {
    const { messages = 0, clicks = 0, enrolments = 0, goals = 0 } = figures.find(({ arm }) => arm === name) ?? {};
    const rate = by === 'clicked' ? clicks / Math.max(messages, 1) : goals / Math.max(enrolments, 1);
    return { name, messages, rate };
  });
  if (rated.some(({ messages }) => messages < minimum)) return undefined;
  return rated.reduce((best, one) => (one.rate > best.rate ? one : best)).name;
}
