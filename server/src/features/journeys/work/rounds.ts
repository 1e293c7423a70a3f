// Takes enrolments through the engine in rounds: what the filters of all of them come to is asked together, then each takes one step.

import type { Cause } from '../../../db/news.js';
import {
  evaluateFilters,
  type Filter,
  followsFromProperties,
  holdsForProperties,
  readsOf,
  type Verdict,
} from '../../filter-language/index.js';
import type { Definition } from '../definition/definition.js';
import { filtersAt } from '../engine/plan.js';
import { asks, step } from '../engine/step.js';
import type { Arrival, Effect, StepContext, WonArm } from '../engine/types.js';
import type { TurnContext } from '../turn/context.js';
import type { EnrolmentInHand } from '../turn/enrolment.js';
import type { TurnEnrolments } from '../turn/enrolments.js';

// The same code runs live and in simulations; what differs is passed in.

/** A definition has at most 200 steps, and a circle in it waits. */
const mostRounds = 1000;
const look: Arrival = { kind: 'look' };

export interface RoundNeeds {
  /** Later steps of the same turn see who is in a list. */
  changeLists(changes: readonly ListChange[]): Promise<void>;
  /** And what a contact is to a topic. */
  setTopics(writes: readonly TopicWrite[]): Promise<void>;
  /** Writes what steps set, as far as that can be done at once, and answers what it wrote: enrolments that wait for it go on. */
  write?(writes: readonly PropertyWrite[]): Promise<readonly PropertyWrite[]>;
  /** Stores where everybody stands, for filters that read it. */
  flush(): Promise<void>;
  winnerOf(enrolment: EnrolmentInHand, stepId: string): WonArm | undefined;
}

export interface ListChange {
  readonly contactId: string;
  readonly staticListId: string;
  readonly what: 'add' | 'remove';
  readonly cause?: Cause | undefined;
}

export interface PropertyWrite {
  readonly by: EnrolmentInHand;
  readonly effect: Extract<Effect, { kind: 'property' }>;
}

export interface TopicWrite {
  readonly by: EnrolmentInHand;
  readonly effect: Extract<Effect, { kind: 'topic' }>;
}

export class Rounds {
  constructor(
    private readonly turn: Pick<TurnContext, 'tx' | 'tenantId' | 'at' | 'now' | 'timeZone'>,
    private readonly enrolments: Pick<TurnEnrolments, 'personOf'>,
    private readonly needs: RoundNeeds,
    private readonly evaluateAll: typeof evaluateFilters = evaluateFilters,
  ) {}

  async run(arrivals: ReadonlyMap<EnrolmentInHand, Arrival>): Promise<void> {
    let round = arrivals;
    for (let rounds = 0; round.size > 0; rounds++) {
      if (rounds > mostRounds) throw new Error('An enrolment never comes to rest');
      round = await this.takeRound(round);
    }
  }

  /** Returns who goes on at once. */
  private async takeRound(arrivals: ReadonlyMap<EnrolmentInHand, Arrival>): Promise<Map<EnrolmentInHand, Arrival>> {
    const verdicts = await this.ask(arrivals);
    const next = new Map<EnrolmentInHand, Arrival>();
    const lists: ListChange[] = [];
    const topics: TopicWrite[] = [];
    const writes: PropertyWrite[] = [];
    for (const [enrolment, arrival] of arrivals) {
      const context = this.contextOf(enrolment, verdicts.get(enrolment));
      // The contact was erased, and the eraser has ended the enrolment.
      if (!context) continue;
      const stepped = step(enrolment.definition, enrolment.state, arrival, context);
      enrolment.take(stepped);
      for (const effect of stepped.effects)
        if (effect.kind === 'list') lists.push(listChange(enrolment, effect));
        else if (effect.kind === 'topic') topics.push({ by: enrolment, effect });
        else if (effect.kind === 'property') writes.push({ by: enrolment, effect });
      if (!stepped.ended && stepped.state.phase === 'ready') next.set(enrolment, look);
    }
    if (lists.length > 0) await this.needs.changeLists(lists);
    if (topics.length > 0) await this.needs.setTopics(topics);
    const written = writes.length > 0 ? await this.needs.write?.(writes) : [];
    for (const { by, effect } of written ?? []) next.set(by, { kind: 'applied', visit: effect.visit });
    return next;
  }

  private contextOf(enrolment: EnrolmentInHand, asked: Verdicts | undefined): StepContext | undefined {
    const { contactId, journey, id } = enrolment;
    const person = this.enrolments.personOf(contactId);
    if (!person || (asked && !asked.verdicts)) return undefined;
    return {
      now: this.turn.now,
      timeZone: this.turn.timeZone,
      properties: person.properties,
      journeyId: journey.journeyId,
      contactId,
      enrolmentId: id,
      enteredAt: enrolment.row.enteredAt,
      holds: (path) => {
        const verdict = asked?.verdicts?.[asked.paths.indexOf(path)];
        if (!verdict) throw new Error(`The filter at ${path} was not asked for`);
        return verdict;
      },
      winnerOf: (stepId) => this.needs.winnerOf(enrolment, stepId),
    };
  }

  /** Enrolments that ask for the same filters of the same version are answered together. */
  private async ask(arrivals: ReadonlyMap<EnrolmentInHand, Arrival>): Promise<Map<EnrolmentInHand, Verdicts>> {
    // By the list that asks() answers: it is the same for the same filters of a version.
    const groups = new Map<readonly string[], EnrolmentInHand[]>();
    for (const [enrolment, arrival] of arrivals) {
      const paths = asks(enrolment.definition, enrolment.state, arrival);
      if (paths.length === 0) continue;
      const group = groups.get(paths);
      if (group) group.push(enrolment);
      else groups.set(paths, [enrolment]);
    }
    const answers = new Map<EnrolmentInHand, Verdicts>();
    let isFlushed = false;
    for (const [paths, enrolments] of groups) {
      const { definition } = enrolments[0] as EnrolmentInHand;
      const filters = paths.map((path) => filterAt(definition, path));
      if (!isFlushed && filters.some(readsEnrolments)) {
        await this.needs.flush();
        isFlushed = true;
      }
      const verdictsOf = filters.every(followsFromProperties)
        ? this.holdInHand(filters)
        : await this.evaluate(filters, enrolments);
      for (const enrolment of enrolments) answers.set(enrolment, { paths, verdicts: verdictsOf(enrolment.contactId) });
    }
    return answers;
  }

  /** The turn has the properties, with what it has set itself. */
  private holdInHand(filters: readonly Filter[]): VerdictsOf {
    return (contactId) => {
      const person = this.enrolments.personOf(contactId);
      return person && filters.map((filter) => ({ holds: holdsForProperties(filter, person.properties), next: null }));
    };
  }

  private async evaluate(filters: readonly Filter[], enrolments: readonly EnrolmentInHand[]): Promise<VerdictsOf> {
    const { tx, tenantId, at } = this.turn;
    const contactIds = [...new Set(enrolments.map(({ contactId }) => contactId))];
    const found = await this.evaluateAll(tx, tenantId, filters, contactIds, at);
    return (contactId) => found.get(contactId);
  }
}

type VerdictsOf = (contactId: string) => readonly Verdict[] | undefined;

/** `verdicts` undefined: the contact is gone. */
interface Verdicts {
  readonly paths: readonly string[];
  readonly verdicts: readonly Verdict[] | undefined;
}

function listChange(enrolment: EnrolmentInHand, { staticListId, what }: Extract<Effect, { kind: 'list' }>): ListChange {
  return { contactId: enrolment.contactId, staticListId, what, cause: enrolment.cause };
}

const filtersOf = new WeakMap<Definition, ReadonlyMap<string, Filter>>();

function filterAt(definition: Definition, path: string): Filter {
  let filters = filtersOf.get(definition);
  if (!filters) {
    const { goal, exitWhen, steps } = definition;
    const all = [...(goal ? [goal.filter] : []), ...(exitWhen ? [exitWhen] : []), ...steps.flatMap(filtersAt)];
    filters = new Map(all.map((filter) => [filter.path, filter]));
    filtersOf.set(definition, filters);
  }
  const filter = filters.get(path);
  if (!filter) throw new Error(`The definition has no filter at ${path}`);
  return filter;
}

const readers = new WeakMap<Filter, boolean>();

/** It asks who is where in a journey. */
function readsEnrolments(filter: Filter): boolean {
  const known = readers.get(filter);
  if (known !== undefined) return known;
  const reads = [...readsOf(filter).own].some((key) => key.startsWith('journey:'));
  readers.set(filter, reads);
  return reads;
}
