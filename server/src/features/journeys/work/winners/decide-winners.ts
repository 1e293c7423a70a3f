// Splits with a winner: once their time has passed and every arm has sent enough, everybody takes the arm that did best.
import type { Runner } from '../../../../db/database.js';
import type { Step, Winner } from '../../definition/definition.js';
import type { ReadStored } from '../../news/interests.js';
import { type ArmFigures, insertWinner, selectArms, selectUndecided, type UndecidedVersion } from './queries.js';

type Split = Extract<Step, { type: 'split' }>;

export async function decideWinners(db: Runner, readStored: ReadStored, signal: AbortSignal): Promise<void> {
  for (const version of await selectUndecided(db))
    for (const split of splitsOf(version, readStored)) {
      if (signal.aborted) return;
      if (!split.winner || version.ageMs < split.winner.after.ms || version.decided.includes(split.id)) continue;
      const arm = winnerOf(split, split.winner, await selectArms(db, version, split.id));
      if (arm !== undefined) await insertWinner(db, version, split.id, arm);
    }
}

/** None of a version that only a newer process can read. */
function splitsOf({ definition, type }: UndecidedVersion, readStored: ReadStored): Split[] {
  try {
    return readStored(definition, type).steps.filter((step): step is Split => step.type === 'split');
  } catch {
    return [];
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
