// One moment of a run: how many reached each step, are there now, and took each line.
import type { Move, Run, Trip } from './run.ts';

interface StepCount {
  readonly entered: number;
  readonly here: number;
}

export interface Frame {
  readonly at: number;
  readonly steps: ReadonlyMap<string, StepCount>;
  readonly edges: ReadonlyMap<string, number>;
  readonly entered: number;
  readonly onTheWay: number;
  readonly completed: number;
  readonly exited: number;
  readonly mails: number;
  /** How many of those who entered are in the holdout: they get no mail. */
  readonly heldOut: number;
  readonly reachedGoal: number;
}

export function frameAt({ trips, moves }: Run, at: number): Frame {
  const steps = new Map<string, { entered: number; here: number }>();
  const edges = new Map<string, number>();
  const sums = { entered: 0, onTheWay: 0, completed: 0, exited: 0, mails: 0, heldOut: 0, reachedGoal: 0 };
  for (const trip of trips) {
    if (trip.enteredAt > at) continue;
    sums.entered++;
    if (trip.isHeldOut) sums.heldOut++;
    const hasEnded = trip.endedAt !== null && trip.endedAt <= at;
    if (!hasEnded) sums.onTheWay++;
    else if (trip.endedAs === 'completed') sums.completed++;
    else sums.exited++;
    if (trip.goalAt !== null && trip.goalAt <= at) sums.reachedGoal++;
    for (const mail of trip.mails) if (mail.at <= at) sums.mails++;
    for (const { stepId, from, to } of trip.visits) {
      if (from > at) break;
      const count = steps.get(stepId) ?? { entered: 0, here: 0 };
      count.entered++;
      if (to === null || to > at) count.here++;
      steps.set(stepId, count);
    }
  }
  for (const { at: moved, edge } of moves) {
    if (moved > at) break;
    edges.set(edge, (edges.get(edge) ?? 0) + 1);
  }
  return { at, steps, edges, ...sums };
}

/** Where a contact is at a moment, and which lines it took. */
export function whereabouts(trip: Trip, at: number): { stepId: string | undefined; edges: ReadonlySet<string> } {
  const been = trip.visits.filter(({ from }) => from <= at);
  const last = been.at(-1);
  const isHere = last && (last.to === null || last.to > at);
  return {
    stepId: isHere ? last.stepId : undefined,
    edges: new Set(been.flatMap(({ to, edge }) => (edge !== undefined && to !== null && to <= at ? [edge] : []))),
  };
}

export interface Dot {
  readonly edge: string;
  readonly trip: number;
  /** From 0, the start of the line, to 1. */
  readonly progress: number;
}

// More would be a grey band, and slow.
const mostDots = 160;

/** Contacts on a line while the picture moves: a move, which takes no time, is shown for `span` of the virtual clock. */
export function dotsAt({ moves }: Run, at: number, span: number): Dot[] {
  const dots: Dot[] = [];
  for (let index = firstAfter(moves, at - span); index < moves.length; index++) {
    const { at: moved, edge, trip } = moves[index] as Move;
    if (moved > at || dots.length >= mostDots) break;
    // Contacts that move at the same moment are shown one behind the other.
    const late = ((trip * 37) % 100) / 250;
    const progress = (at - moved) / span / 0.6 - late;
    if (progress >= 0 && progress <= 1) dots.push({ edge, trip, progress });
  }
  return dots;
}

function firstAfter(moves: readonly Move[], at: number): number {
  let [low, high] = [0, moves.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((moves[middle] as Move).at > at) high = middle;
    else low = middle + 1;
  }
  return low;
}
