// What enrolments add to the figures of their journeys. Pure: a turn adds up what became of its enrolments, and stores the sums.
import { hourMs } from '../../../db/tallies.js';
import type { Ended, Note } from '../engine/types.js';

/** See journey_tally. */
interface Delta {
  journeyNo: number;
  /** Empty for the journey itself. */
  stepId: string;
  part: string;
  what: string;
  n: number;
}

/** What became of an enrolment in a turn. */
export interface Passed {
  readonly journeyNo: number;
  readonly isNew: boolean;
  readonly isHoldout: boolean;
  /** The visit that it was at before, if it had begun one. */
  readonly visited: Visit | undefined;
  /** The arms that it had taken before, and has taken by now. */
  readonly armsBefore: Readonly<Record<string, string>>;
  readonly arms: Readonly<Record<string, string>>;
  readonly notes: readonly Note[];
  readonly ended: Ended | undefined;
}

export interface Visit {
  readonly stepId: string;
  readonly at: number;
}

/** About how long a visit took: 2^(n/8) milliseconds. */
function tookOf(ms: number): string {
  return `took:${Math.round(8 * Math.log2(Math.max(1, ms)))}`;
}

/** Sums of one moment: whatever happens in a turn happens then. Maps in maps: 2,000 enrolments add tens of thousands of times. */
export class Deltas {
  readonly hour: number;
  private readonly sums = new Map<number, Map<string, Map<string, Delta>>>();

  /** `now` in milliseconds since 1970. */
  constructor(private readonly now: number) {
    this.hour = Math.floor(now / hourMs) * hourMs;
  }

  get all(): Delta[] {
    return [...this.sums.values()].flatMap((steps) => [...steps.values()].flatMap((sums) => [...sums.values()]));
  }

  add(passed: Passed): void {
    const { journeyNo, isHoldout, isNew, ended } = passed;
    if (isNew) this.#addLife(journeyNo, isHoldout, 'entered');
    const visit = this.#addNotes(passed);
    if (!ended) return;
    this.#leave(journeyNo, visit);
    this.#addLife(journeyNo, isHoldout, ended.as);
  }

  /** Answers at which visit it is after them. */
  #addNotes({ journeyNo, visited, armsBefore, arms, isHoldout, notes }: Passed): Visit | undefined {
    let visit = visited;
    let taken = armsBefore;
    for (const { what, at, stepId = '' } of notes) {
      if (what === 'step') {
        this.#leave(journeyNo, visit);
        visit = { stepId, at };
        this.#add(journeyNo, stepId, '', 'entered');
      } else if (what === 'split') {
        // Of one version, and with what had won when the turn began: it takes the same arm however often it comes by.
        const arm = arms[stepId] ?? '';
        if (!isHoldout && taken[stepId] !== arm) this.#add(journeyNo, stepId, `arm:${arm}`, 'entered');
        taken = { ...taken, [stepId]: arm };
      } else if (what === 'goal') {
        this.#addLife(journeyNo, isHoldout, 'goal');
        if (isHoldout) continue;
        for (const [split, arm] of Object.entries(taken)) this.#add(journeyNo, split, `arm:${arm}`, 'goal');
      }
    }
    return visit;
  }

  #addLife(journeyNo: number, isHoldout: boolean, what: string): void {
    this.#add(journeyNo, '', '', what);
    if (isHoldout) this.#add(journeyNo, '', 'holdout', what);
  }

  #leave(journeyNo: number, visit: Visit | undefined): void {
    if (!visit) return;
    this.#add(journeyNo, visit.stepId, '', 'left');
    this.#add(journeyNo, visit.stepId, '', tookOf(this.now - visit.at));
  }

  #add(journeyNo: number, stepId: string, part: string, what: string): void {
    const steps = this.sums.get(journeyNo) ?? new Map<string, Map<string, Delta>>();
    if (steps.size === 0) this.sums.set(journeyNo, steps);
    const sums = steps.get(stepId) ?? new Map<string, Delta>();
    if (sums.size === 0) steps.set(stepId, sums);
    // No text that is stored has the character 0.
    const name = part === '' ? what : `${part}\0${what}`;
    const sum = sums.get(name);
    if (sum) sum.n++;
    else sums.set(name, { journeyNo, stepId, part, what, n: 1 });
  }
}
