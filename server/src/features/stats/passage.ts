// How contacts passed through journeys: rows of counters, found by what they count.
import type { Runner } from '../../db/database.js';
import type { Window } from '../../db/tallies.js';
import { type PassageDetail, type PassageRow, readPassage, sumPassage } from '../journeys/index.js';

interface Passage {
  entered: number;
  completed: number;
  exited: number;
  /** Current state, whatever the window. */
  inProgress: number;
}

/** The same of one journey among many, with its goal; `held`: those of them in the holdout. */
export interface Whole extends Passage {
  reachedGoal: number;
  heldEntered: number;
  heldReachedGoal: number;
}

/** What happened in a window, and since the beginning: a contact on the way now has entered and not left. */
interface Passages {
  inWindow: readonly PassageRow[];
  ever: readonly PassageRow[];
}

export async function readPassages(
  db: { window: Runner; ever: Runner },
  tenantId: number,
  journeyNos: readonly number[],
  window: Window,
  detail: PassageDetail,
): Promise<Passages> {
  const ever = await readPassage(db.ever, tenantId, journeyNos, { from: null, to: null }, detail);
  const isEver = window.from === null && window.to === null;
  return { ever, inWindow: isEver ? ever : await readPassage(db.window, tenantId, journeyNos, window, detail) };
}

/** How often something happened at a step, or in the journey itself (null), for everyone or for one group. */
export class PassageBook {
  private readonly counts = new Map<string, number>();

  constructor(rows: Iterable<PassageRow>) {
    for (const { stepId, part, what, n } of rows) this.counts.set(keyOf(stepId, what, part), n);
  }

  count(stepId: string | null, what: string, part = ''): number {
    return this.counts.get(keyOf(stepId, what, part)) ?? 0;
  }
}

/** Step ids have no spaces; the name of an arm may contain anything, so it comes last. */
function keyOf(stepId: string | null, what: string, part: string): string {
  return `${stepId ?? ''} ${what} ${part}`;
}

export function noPassage(): Whole {
  return {
    ...{ entered: 0, completed: 0, exited: 0, inProgress: 0 },
    ...{ reachedGoal: 0, heldEntered: 0, heldReachedGoal: 0 },
  };
}

/** Everyone in the one journey of these rows. */
export function wholeOf({ inWindow, ever }: { inWindow: PassageBook; ever: PassageBook }): Passage {
  const of = (book: PassageBook) => ({
    ...{ entered: book.count(null, 'entered'), completed: book.count(null, 'completed') },
    exited: book.count(null, 'exited'),
  });
  const { entered, completed, exited } = of(ever);
  return { ...of(inWindow), inProgress: entered - completed - exited };
}

/** Everyone in each journey as a whole, by its number. */
export async function readWholes(
  db: { window: Runner; ever: Runner },
  tenantId: number,
  journeyNos: readonly number[],
  window: Window,
): Promise<Map<number, Whole>> {
  const ever = await sumPassage(db.ever, tenantId, journeyNos, { from: null, to: null });
  const isEver = window.from === null && window.to === null;
  const inWindow = isEver ? ever : await sumPassage(db.window, tenantId, journeyNos, window);
  const found = new Map<number, Whole>();
  for (const { journeyNo, entered, completed, exited } of ever)
    found.set(journeyNo, { ...noPassage(), inProgress: entered - completed - exited });
  for (const { journeyNo, ...sums } of inWindow) {
    const { inProgress } = found.get(journeyNo) ?? noPassage();
    found.set(journeyNo, { ...sums, inProgress });
  }
  return found;
}

export function sumPassages(all: Iterable<Whole>): Passage & Pick<Whole, 'reachedGoal'> {
  const { heldEntered: _entered, heldReachedGoal: _reached, ...sum } = noPassage();
  for (const { entered, completed, exited, inProgress, reachedGoal } of all) {
    sum.entered += entered;
    sum.completed += completed;
    sum.exited += exited;
    sum.inProgress += inProgress;
    sum.reachedGoal += reachedGoal;
  }
  return sum;
}
