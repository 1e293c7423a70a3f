// Splits with a winner: once their time has passed and every arm has sent enough, everybody takes the arm that did best, as soon as that is
// sure; and after three times that time in any case.
import type { Runner } from '../../../../db/database.js';
import type { Clock } from '../../../../lib/clock.js';
import { compareRates, type Share, share } from '../../../../lib/compare-rates.js';
import type { Next, Step, Winner } from '../../definition/definition.js';
import type { ReadStored } from '../../news/interests.js';
import {
  type ArmFigures,
  type Decision,
  insertWinner,
  selectArms,
  selectUndecided,
  type UndecidedVersion,
} from './queries.js';

type Split = Extract<Step, { type: 'split' }>;

/** How often there is a look at what is undecided: a winner is known this soon after it could be. */
export const lookEveryMs = 5000;
// However long a split has been undecided: a winner is known within a minute.
const longestRestMs = 50_000;
// Of `after`: then the best arm is taken, sure or not.
const patience = 3;

/** What this process remembers of splits that could not be decided: from which age of their version on it looks again. */
export type Rests = Map<string, number>;

export async function decideWinners(
  db: Runner,
  readStored: ReadStored,
  clock: Clock,
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
      const { ageMs } = version;
      if (ageMs === null || ageMs < (rests.get(key) ?? split.winner.after.ms)) continue;
      const began = clock.elapsed();
      const figures = await selectArms(db, version, split.id, stepsAfter(steps, split));
      const decision = winnerOf(split, split.winner, figures, ageMs);
      if (decision) await insertWinner(db, version, split.id, decision);
      else rests.set(key, nextLook(ageMs, split.winner.after.ms, clock.elapsed() - began));
    }
  }
  for (const key of rests.keys()) if (!waiting.has(key)) rests.delete(key);
}

/**
 * A look counts every message of the journey, 1.2 s for 100,000 on a busy machine with two cores. So the longer it has been in vain, the
 * rarer it is, down to one a minute; one that takes long itself is followed by a rest that is twenty times as long. No rest goes on over
 * the moment at which it is decided in any case.
 */
export function nextLook(ageMs: number, afterMs: number, tookMs: number): number {
  const rest = Math.max(lookEveryMs, tookMs * 20, Math.min(longestRestMs, (ageMs - afterMs) / 10));
  const last = afterMs * patience;
  return ageMs < last ? Math.min(last, ageMs + rest) : ageMs + rest;
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
function stepsAfter(steps: readonly Step[], split: Split): string[] {
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

/**
 * The arm with the best rate; of two, the one that is named first. Undefined while one has not sent enough, or the best is not surely better
 * than every other and there is time left to find out. Pure.
 */
export function winnerOf(
  { arms }: Pick<Split, 'arms'>,
  { by, minimum, after }: Pick<Winner, 'by' | 'minimum' | 'after'>,
  figures: readonly ArmFigures[],
  ageMs: number,
): Decision | undefined {
  const rated = arms.map(({ name }) => {
    const { messages = 0, clicks = 0, enrolments = 0, goals = 0 } = figures.find(({ arm }) => arm === name) ?? {};
    const shared: Share = by === 'clicked' ? { part: clicks, whole: messages } : { part: goals, whole: enrolments };
    return { name, messages, shared, rate: share(shared.part, shared.whole) };
  });
  if (rated.some(({ messages }) => messages < minimum)) return undefined;
  const best = rated.reduce((first, one) => (one.rate > first.rate ? one : first));
  const others = rated
    .filter((one) => one !== best)
    .map(({ name, shared }) => ({ against: name, ...compareRates(best.shared, shared) }));
  const isSignificant = others.every(({ interval }) => interval !== null && interval[0] > 0);
  if (!isSignificant && ageMs < after.ms * patience) return undefined;
  const closest = others.reduce<(typeof others)[number] | undefined>(
    (first, one) => (first && (first.interval?.[0] ?? -1) <= (one.interval?.[0] ?? -1) ? first : one),
    undefined,
  );
  const { against = null, difference = null, interval = null } = closest ?? {};
  return { arm: best.name, isSignificant, against, difference, interval };
}
