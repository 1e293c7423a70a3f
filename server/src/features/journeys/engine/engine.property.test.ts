// The engine against a simple interpreter: random journeys, contacts, events and filters on a virtual clock, visit by visit.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { definition as anyDefinition, storyOf } from '../../../../test/journeys/definition-arbitrary.js';
import { interpret } from '../../../../test/journeys/interpreter.js';
import type { Story, Told } from '../../../../test/journeys/story.js';
import { runs } from '../../../../test/runs.js';
import { Subjects } from '../../filter-language/index.js';
import type { Definition } from '../definition/definition.js';
import { readDefinition } from '../definition/read.js';
import { enter } from './enter.js';
import { asks, step, waitsOf } from './step.js';
import type { Arrival, Effect, State, StepContext, Stepped } from './types.js';

/** Drives one enrolment as the queue does, but with a clock of its own. */
class Rounds {
  readonly told: Told = { visits: [], done: [], ended: null };
  readonly #definition: Definition;
  readonly #story: Story;
  #state: State;
  #now: number;
  #dueAt: number | null = null;
  /** When the write or webhook that it waits for is through. */
  #throughAt: number | null = null;

  constructor(definition: Definition, story: Story) {
    const { journeyId, contactId, enrolmentId, start } = story;
    this.#definition = definition;
    this.#story = story;
    this.#now = start;
    const words = { event: story.entry };
    this.#state = enter(definition, {
      journeyId,
      contactId,
      enrolmentId,
      now: start,
      words,
      chain: 0,
      cause: { code: 'joinedList' },
    }).state;
  }

  run(): Told {
    const events = this.#story.events.filter((event) => event.at >= this.#now);
    this.#settle();
    // An engine that asks to be looked at again and again at one moment is to fail, not to hang.
    for (let looks = 0; !this.#isOver(); looks++) {
      if (looks > 10_000) throw new Error('It never comes to rest');
      const at = Math.min(events[0]?.at ?? Infinity, this.#throughAt ?? Infinity, this.#dueAt ?? Infinity);
      if (at > this.#story.end) break;
      this.#now = at;
      const event = events[0]?.at === at ? events.shift() : undefined;
      if (event) this.#hear(event);
      else if (this.#throughAt === at) this.#through();
      else this.#take({ kind: 'look' });
    }
    return this.told;
  }

  #isOver(): boolean {
    return this.told.ended !== null || (this.#state.phase === 'ready' && this.#state.visit >= this.#story.mostVisits);
  }

  #hear({ eventName, at, properties }: Story['events'][number]): void {
    if (!waitsOf(this.#definition, this.#state).some((wait) => wait.eventName === eventName)) return;
    const event = { at, properties, eventDate: new Date(at).toISOString(), userId: null, orgId: null };
    this.#take({ kind: 'event', eventName, event });
  }

  #through(): void {
    const { phase, visit } = this.#state;
    this.#throughAt = null;
    const answer = this.#story.answers
      ? ({ ok: true, status: 200, body: { fine: true } } as const)
      : ({ ok: false, why: 'no answer came' } as const);
    this.#take(phase === 'calling' ? { kind: 'answered', visit, answer } : { kind: 'applied', visit });
  }

  #take(arrival: Arrival): void {
    this.#apply(this.#step(arrival));
    this.#settle();
  }

  /** Until there is nothing to do at this moment. */
  #settle(): void {
    while (this.#state.phase === 'ready' && !this.#isOver()) this.#apply(this.#step({ kind: 'look' }));
  }

  #step(arrival: Arrival): Stepped {
    const asked = new Set(asks(this.#definition, this.#state, arrival));
    const { journeyId, contactId, enrolmentId, start, properties, changes, winners } = this.#story;
    const context: StepContext = {
      ...{ now: this.#now, journeyId, contactId, enrolmentId, enteredAt: start, properties, timeZone: 'UTC' },
      holds: (place) => {
        if (!asked.has(place)) throw new Error(`It did not ask for ${place}`);
        const passed = (changes[place] ?? []).filter((at) => at <= this.#now).length;
        return { holds: passed % 2 === 1, next: changes[place]?.[passed] ?? null };
      },
      winnerOf: (stepId) => {
        const arm = winners[stepId];
        return arm === undefined ? undefined : { arm, isSignificant: true };
      },
    };
    return step(this.#definition, this.#state, arrival, context);
  }

  #apply({ state, effects, dueAt, ended }: Stepped): void {
    const begun = state.visit > this.#state.visit;
    const stepId = this.#state.stepId as string;
    if (begun) this.told.visits.push(`${state.visit} ${stepId} ${this.#now}`);
    for (const effect of effects) this.told.done.push(this.#say(effect, state.visit));
    const arm = state.arms[stepId];
    if (begun && this.#typeOf(stepId) === 'split') this.told.done.push(`arm ${arm} ${state.visit} ${this.#now}`);
    this.#state = state;
    this.#dueAt = dueAt;
    if (begun && (state.phase === 'writing' || state.phase === 'calling')) {
      this.#throughAt = this.#now + this.#story.latency;
    }
    if (ended) this.told.ended = `${ended.as}${ended.reason === null ? '' : ` ${ended.reason}`} at ${this.#now}`;
  }

  #typeOf(stepId: string): string | undefined {
    return this.#definition.steps.find((one) => one.id === stepId)?.type;
  }

  #say(effect: Effect, visit: number): string {
    const when = `${visit} ${this.#now}`;
    switch (effect.kind) {
      case 'message':
        return `message ${effect.emailId} ${effect.skipped ?? effect.dueAt} ${when}`;
      case 'property':
        return `property ${effect.property}=${JSON.stringify(effect.value)} ${when}`;
      case 'event':
        return `event ${effect.eventName} ${when}`;
      case 'list':
        return `${effect.what === 'add' ? 'addToList' : 'removeFromList'} ${when}`;
      case 'topic':
        return `topic ${effect.topicId}=${effect.state} ${when}`;
      case 'goal':
        return `goal ${this.#now}`;
      default:
        return `${effect.kind} ${when}`;
    }
  }
}

describe('the engine', () => {
  it('does to every contact what a simple interpreter says, visit by visit', () => {
    const seen = { completed: 0, exited: 0, visits: 0 };
    fc.assert(
      fc.property(
        anyDefinition.chain((json) => fc.tuple(fc.constant(json), storyOf(json))),
        ([json, story]) => {
          const told = new Rounds(readDefinition(json, 'trigger', new Subjects([])), story).run();
          expect(told).toEqual(interpret(json, story));
          seen.visits += told.visits.length;
          if (told.ended?.startsWith('completed')) seen.completed++;
          if (told.ended?.startsWith('exited')) seen.exited++;
        },
      ),
      { numRuns: runs(500) },
    );
    // Otherwise it would have compared nothing with nothing.
    expect(seen.completed).toBeGreaterThan(30);
    expect(seen.exited).toBeGreaterThan(30);
    expect(seen.visits).toBeGreaterThan(1000);
  });
});
