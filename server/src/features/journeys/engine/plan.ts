// One step of one enrolment in the making: what has been noted and is to be done so far, and the ways in which it can end.

import type { TimelineFact, TimelineWord } from '@rapport/contract';
import type { Definition, Next, Step } from '../definition/definition.js';
import type { Effect, Ended, Held, Note, State, StepContext, Stepped } from './types.js';

export class StepPlan {
  readonly #effects: Effect[] = [];
  readonly #notes: Note[] = [];
  #hasOwnState = false;

  constructor(
    readonly definition: Definition,
    public state: State,
    readonly context: StepContext,
  ) {}

  change(change: Partial<State>): void {
    // Copied once: the state that was given stays as it is.
    if (this.#hasOwnState) Object.assign(this.state, change);
    else this.state = { ...this.state, ...change };
    this.#hasOwnState = true;
  }

  add(effect: Effect): void {
    this.#effects.push(effect);
  }

  note(what: TimelineWord, fact?: TimelineFact): void {
    const { stepId, visit } = this.state;
    const note: { -readonly [Key in keyof Note]: Note[Key] } = { at: this.context.now, what, visit };
    if (stepId !== null) note.stepId = stepId;
    if (fact !== undefined) note.fact = fact;
    this.#notes.push(note);
  }

  /** To the next step, which is not begun yet, or to the end. */
  goOn(next: Next): Stepped {
    if (next === null) return this.end({ as: 'completed', reason: null });
    this.change({ stepId: next, stepAt: this.context.now, phase: 'ready', waitUntil: null });
    return this.#stepped(null);
  }

  end(ended: Ended): Stepped {
    this.note(ended.as, ended.reason === null ? undefined : { code: 'ended', reason: ended.reason });
    this.change({ phase: 'ready', waitUntil: null });
    return { ...this.#stepped(null), ended };
  }

  /** Stays at the step: until a time, or until its own write or webhook is through. */
  stay(phase: 'waiting' | 'writing' | 'calling', waitUntil: number | null, look: number | null = waitUntil): Stepped {
    this.change({ phase, waitUntil, restless: phase === 'waiting' ? 0 : this.state.restless });
    const moments = [look, ...this.#watched().map((held) => held.next)].filter((moment) => moment !== null);
    return this.#stepped(moments.length === 0 ? null : Math.min(...moments));
  }

  /** As before. */
  stayAsItIs(): Stepped {
    const { phase, waitUntil } = this.state;
    if (phase === 'ready') throw new Error('A step that is ready cannot stay so');
    return this.stay(phase, waitUntil);
  }

  /** What the filters that matter while it waits here come to. */
  #watched(): Held[] {
    const { goal, exitWhen } = this.definition;
    const filters = [
      ...(goal && this.state.goalAt === null ? [goal.filter] : []),
      ...(exitWhen ? [exitWhen] : []),
      ...(this.state.phase === 'waiting' ? filtersAt(stepOf(this.definition, this.state)) : []),
    ];
    return filters.map((filter) => this.context.holds(filter.path));
  }

  #stepped(dueAt: number | null): Stepped {
    return { state: this.state, effects: this.#effects, notes: this.#notes, dueAt };
  }
}

/** The filters that decide where one goes from a step. */
export function filtersAt(step: Step) {
  if (step.type === 'branch') return step.cases.map((one) => one.filter);
  if (step.type !== 'waitUntil') return [];
  return step.branches.flatMap((branch) => (branch.kind === 'filter' ? [branch.filter] : []));
}

const stepsOf = new WeakMap<Definition, ReadonlyMap<string, Step>>();

export function findStep(definition: Definition, stepId: string | null): Step | undefined {
  let steps = stepsOf.get(definition);
  if (steps === undefined) {
    steps = new Map(definition.steps.map((step) => [step.id, step]));
    stepsOf.set(definition, steps);
  }
  return stepId === null ? undefined : steps.get(stepId);
}

/** The step that an enrolment is at. Its version has it: only moveTo() changes the version, and looks first. */
export function stepOf(definition: Definition, { stepId }: State): Step {
  const step = findStep(definition, stepId);
  if (step === undefined) throw new Error(`The definition has no step ${JSON.stringify(stepId)}`);
  return step;
}
