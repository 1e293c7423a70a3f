// What enrolments add to the figures of their journeys. Pure: a turn adds up what became of everybody in it, and stores the sums.
import { hourMs } from '../../../db/tallies.js';
import type { Ended, Note } from '../engine/types.js';

/** See journey_tally. */
export interface Delta {
  journeyNo: number;
  /** Empty for the journey itself. */
  stepId: string;
  part: string;
  what: string;
  /** The hour in which it happened, in milliseconds since 1970. */
  hour: number;
  n: number;
}

/** What became of an enrolment in a turn. */
export interface Passed {
  readonly journeyNo: number;
  readonly isNew: boolean;
  readonly enteredAt: number;
  readonly isHoldout: boolean;
  /** The visit that it was at before, if it had begun one. */
  readonly visited: Visit | undefined;
  /** The arms that it had taken before, and has taken by now. */
  readonly armsBefore: Readonly<Record<string, string>>;
  readonly arms: Readonly<Record<string, string>>;
  readonly notes: readonly Note[];
  readonly ended: Ended | undefined;
  readonly now: number;
}

export interface Visit {
  readonly stepId: string;
  readonly at: number;
}

/** About how long a visit took: 2^(n/8) milliseconds. */
export function tookOf(ms: number): string {
  return `took:${Math.round(8 * Math.log2(Math.max(1, ms)))}`;
}

/** Sums, one for each journey, step, part, what and hour. */
export class Deltas {
  private readonly sums = new Map<string, Delta>();

  get all(): Delta[] {
    return [...this.sums.values()];
  }

  add(passed: Passed): void {
    const { isNew, enteredAt, ended, now } = passed;
    if (isNew) this.#addLife(passed, 'entered', enteredAt);
    this.#addNotes(passed);
    if (ended) this.#addLife(passed, ended.as, now);
  }

  #addNotes({ journeyNo, visited, armsBefore, arms, isHoldout, notes, ended, now }: Passed): void {
    let visit = visited;
    const taken = new Map(Object.entries(armsBefore));
    for (const { what, at, stepId = '' } of notes) {
      if (what === 'step') {
        this.#leave(journeyNo, visit, at);
        visit = { stepId, at };
        this.#add(journeyNo, stepId, '', 'entered', at);
      } else if (what === 'split') {
        // Of one version, and with what had won when the turn began: it takes the same arm however often it comes by.
        const arm = arms[stepId] ?? '';
        if (!isHoldout && taken.get(stepId) !== arm) this.#add(journeyNo, stepId, `arm:${arm}`, 'entered', at);
        taken.set(stepId, arm);
      } else if (what === 'goal') {
        this.#addLife({ journeyNo, isHoldout }, 'goal', at);
        if (!isHoldout) for (const [split, arm] of taken) this.#add(journeyNo, split, `arm:${arm}`, 'goal', at);
      }
    }
    if (ended) this.#leave(journeyNo, visit, now);
  }

  #addLife({ journeyNo, isHoldout }: Pick<Passed, 'journeyNo' | 'isHoldout'>, what: string, at: number): void {
    this.#add(journeyNo, '', '', what, at);
    if (isHoldout) this.#add(journeyNo, '', 'holdout', what, at);
  }

  #leave(journeyNo: number, visit: Visit | undefined, at: number): void {
    if (!visit) return;
    this.#add(journeyNo, visit.stepId, '', 'left', at);
    this.#add(journeyNo, visit.stepId, '', tookOf(at - visit.at), at);
  }

  #add(journeyNo: number, stepId: string, part: string, what: string, at: number): void {
    const hour = Math.floor(at / hourMs) * hourMs;
    // No text that is stored has the character 0.
    const key = `${journeyNo}\0${stepId}\0${part}\0${what}\0${hour}`;
    const sum = this.sums.get(key);
    if (sum) sum.n++;
    else this.sums.set(key, { journeyNo, stepId, part, what, hour, n: 1 });
  }
}
