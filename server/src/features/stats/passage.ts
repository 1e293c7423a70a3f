// How contacts passed through journeys: rows of the counters, found by what they count.
import type { PassageRow } from '../journeys/index.js';

export interface Passage {
  entered: number;
  completed: number;
  exited: number;
  inProgress: number;
}

const names = ['entered', 'completed', 'exited', 'inProgress'] as const;

export function noPassage(): Passage {
  return { entered: 0, completed: 0, exited: 0, inProgress: 0 };
}

export function sumPassages(all: Iterable<Passage>): Passage {
  const sum = noPassage();
  for (const one of all) for (const name of names) sum[name] += one[name];
  return sum;
}

/** Everybody in each journey as a whole, by its number. */
export function passageByJourney(rows: Iterable<PassageRow>): Map<number, Passage> {
  const found = new Map<number, Passage>();
  for (const { journeyNo, stepId, part, what, n } of rows) {
    if (stepId !== null || part !== '') continue;
    const name = names.find((known) => known === what);
    if (!name) continue;
    const passage = found.get(journeyNo) ?? noPassage();
    passage[name] += n;
    found.set(journeyNo, passage);
  }
  return found;
}

/** Of one journey: how often something happened at a step, or in the journey itself (null), to everybody or to a part of them. */
export class PassageBook {
  private readonly counts = new Map<string, number>();

  constructor(rows: Iterable<PassageRow>) {
    for (const { stepId, part, what, n } of rows) {
      const key = keyOf(stepId, part, what);
      this.counts.set(key, (this.counts.get(key) ?? 0) + n);
    }
  }

  count(stepId: string | null, what: string, part = ''): number {
    return this.counts.get(keyOf(stepId, part, what)) ?? 0;
  }
}

/** Ids of steps have no spaces; an arm may be called anything, and comes last. */
function keyOf(stepId: string | null, part: string, what: string): string {
  return `${stepId ?? ''} ${what} ${part}`;
}
