// Takes enrolments through the engine in rounds: what the filters of all of them come to is asked together, then each takes one step.

import type { Cause } from '../../../db/news.js';
import { evaluateFilters, type Filter, readsOf, type Verdict } from '../../filter-language/index.js';
import type { Definition } from '../definition/definition.js';
import { filtersAt } from '../engine/doing.js';
import { asks, step } from '../engine/step.js';
import type { Arrival, Effect, WonArm, World } from '../engine/types.js';
import type { Company } from './company.js';
import type { Ground } from './ground.js';
import type { Traveller } from './traveller.js';

// Live and in simulations: what differs is behind the ground, the company and the needs.

/** A definition has at most 200 steps, and a circle in it waits. */
const mostRounds = 1000;
const look: Arrival = { kind: 'look' };

export interface DriveNeeds {
  /** Later steps of the same turn see who is in a list. */
  changeLists(changes: readonly ListChange[]): Promise<void>;
  /** Writes what steps set, as far as that can be done at once, and answers what it wrote: whoever waits for that goes on. */
  write?(writes: readonly PropertyWrite[]): Promise<readonly PropertyWrite[]>;
  /** Stores where everybody stands, for filters that read it. */
  flush(): Promise<void>;
  winnerOf(traveller: Traveller, stepId: string): WonArm | undefined;
}

export interface ListChange {
  readonly contactId: string;
  readonly staticListId: string;
  readonly what: 'add' | 'remove';
  readonly cause?: Cause | undefined;
}

export interface PropertyWrite {
  readonly by: Traveller;
  readonly effect: Extract<Effect, { kind: 'property' }>;
}

export class Driver {
  constructor(
    private readonly ground: Pick<Ground, 'tx' | 'tenantId' | 'at' | 'now' | 'timeZone'>,
    private readonly company: Pick<Company, 'personOf'>,
    private readonly needs: DriveNeeds,
    private readonly evaluateAll: typeof evaluateFilters = evaluateFilters,
  ) {}

  async drive(arrivals: ReadonlyMap<Traveller, Arrival>): Promise<void> {
    let round = arrivals;
    for (let rounds = 0; round.size > 0; rounds++) {
      if (rounds > mostRounds) throw new Error('An enrolment never comes to rest');
      round = await this.takeRound(round);
    }
  }

  /** Answers who goes on at once. */
  private async takeRound(arrivals: ReadonlyMap<Traveller, Arrival>): Promise<Map<Traveller, Arrival>> {
    const verdicts = await this.ask(arrivals);
    const next = new Map<Traveller, Arrival>();
    const lists: ListChange[] = [];
    const writes: PropertyWrite[] = [];
    for (const [traveller, arrival] of arrivals) {
      const world = this.worldOf(traveller, verdicts.get(traveller));
      // Erased: there is nobody to be moved, and the eraser has ended it.
      if (!world) continue;
      const stepped = step(traveller.definition, traveller.state, arrival, world);
      traveller.take(stepped);
      for (const effect of stepped.effects)
        if (effect.kind === 'list') lists.push(listChange(traveller, effect));
        else if (effect.kind === 'property') writes.push({ by: traveller, effect });
      if (!stepped.ended && stepped.state.phase === 'ready') next.set(traveller, look);
    }
    if (lists.length > 0) await this.needs.changeLists(lists);
    const written = writes.length > 0 ? await this.needs.write?.(writes) : [];
    for (const { by, effect } of written ?? []) next.set(by, { kind: 'applied', visit: effect.visit });
    return next;
  }

  private worldOf(traveller: Traveller, asked: Asked | undefined): World | undefined {
    const { contactId, journey, id } = traveller;
    const person = this.company.personOf(contactId);
    if (!person || (asked && !asked.verdicts)) return undefined;
    return {
      now: this.ground.now,
      timeZone: this.ground.timeZone,
      properties: person.properties,
      journeyId: journey.journeyId,
      contactId,
      enrolmentId: id,
      holds: (path) => {
        const verdict = asked?.verdicts?.[asked.paths.indexOf(path)];
        if (!verdict) throw new Error(`Nobody asked for the filter at ${path}`);
        return verdict;
      },
      winnerOf: (stepId) => this.needs.winnerOf(traveller, stepId),
    };
  }

  /** Enrolments that ask for the same filters of the same version are answered together. */
  private async ask(arrivals: ReadonlyMap<Traveller, Arrival>): Promise<Map<Traveller, Asked>> {
    // By the list that asks() answers: it is the same for the same filters of a version.
    const groups = new Map<readonly string[], Traveller[]>();
    for (const [traveller, arrival] of arrivals) {
      const paths = asks(traveller.definition, traveller.state, arrival);
      if (paths.length === 0) continue;
      const group = groups.get(paths);
      if (group) group.push(traveller);
      else groups.set(paths, [traveller]);
    }
    const answers = new Map<Traveller, Asked>();
    let isFlushed = false;
    for (const [paths, travellers] of groups) {
      const { definition } = travellers[0] as Traveller;
      const filters = paths.map((path) => filterAt(definition, path));
      if (!isFlushed && filters.some(readsEnrolments)) {
        await this.needs.flush();
        isFlushed = true;
      }
      const found = await this.evaluate(filters, travellers);
      for (const traveller of travellers) answers.set(traveller, { paths, verdicts: found.get(traveller.contactId) });
    }
    return answers;
  }

  private evaluate(filters: readonly Filter[], travellers: readonly Traveller[]) {
    const { tx, tenantId, at } = this.ground;
    const contactIds = [...new Set(travellers.map(({ contactId }) => contactId))];
    return this.evaluateAll(tx, tenantId, filters, contactIds, at);
  }
}

/** `verdicts` undefined: the contact is gone. */
interface Asked {
  readonly paths: readonly string[];
  readonly verdicts: readonly Verdict[] | undefined;
}

function listChange(traveller: Traveller, { staticListId, what }: Extract<Effect, { kind: 'list' }>): ListChange {
  return { contactId: traveller.contactId, staticListId, what, cause: traveller.cause };
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
