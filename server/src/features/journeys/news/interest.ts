// What a tenant's active journeys listen to, the other way round: from what happened to the journeys that have to be told. Pure.

import type { TopicState } from '@rapport/contract';
import type { InputReader } from '../../dynamic-lists/index.js';
import { type EventTest, type Filter, readsOf } from '../../filter-language/index.js';
import type { Definition, Scalar } from '../definition/definition.js';

/** A version of an active journey in which somebody is, or may be. */
interface LiveVersion {
  readonly journeyNo: number;
  /** The one that contacts enter. */
  readonly isEntered: boolean;
  readonly definition: Definition;
}

interface EventEntry {
  readonly journeyNo: number;
  readonly where: EventTest | undefined;
  /** Whether it enters does not depend on what becomes of enrolments that the contact has. */
  readonly isFree: boolean;
}

interface PropertyEntry {
  readonly journeyNo: number;
  readonly from?: Scalar | undefined;
  readonly to?: Scalar | undefined;
}

/** Which journeys have to look at a contact that changed, and which at every contact in its organizations. */
interface Concerned {
  readonly own: ReadonlySet<number>;
  readonly orgs: ReadonlySet<number>;
}

export class JourneyInterest implements InputReader {
  readonly isEmpty: boolean;
  /** No filter that somebody waits by reads anything. */
  readonly readsNothing: boolean;
  readonly readsMemberships: boolean;
  readonly counting: ReadonlySet<number>;
  private readonly events = new Map<string, EventEntry[]>();
  private readonly waits = new Map<string, Set<number>>();
  private readonly joins = new Map<string, Set<number>>();
  private readonly leaves = new Map<string, Set<number>>();
  private readonly properties = new Map<string, PropertyEntry[]>();
  private readonly topics = new Map<string, Set<number>>();
  private readonly forms = new Map<string, Set<number>>();
  private readonly dates = new Map<string, Set<number>>();
  private readonly own = new Map<string, Set<number>>();
  private readonly ofOrgMembers = new Map<string, Set<number>>();

  constructor(versions: readonly LiveVersion[]) {
    const counting = new Set<number>();
    for (const { journeyNo, isEntered, definition } of versions) {
      if (isEntered) this.addEntry(journeyNo, definition);
      for (const eventName of waitedEvents(definition)) add(this.waits, eventName, journeyNo);
      for (const filter of watchedFilters(definition)) {
        const reads = readsOf(filter);
        for (const key of reads.own) add(this.own, key, journeyNo);
        for (const key of reads.ofOrgMembers) add(this.ofOrgMembers, key, journeyNo);
        if (reads.ofOrgMembers.size > 0) counting.add(journeyNo);
      }
    }
    this.counting = counting;
    this.isEmpty = versions.length === 0;
    this.readsNothing = this.own.size + this.ofOrgMembers.size === 0;
    this.readsMemberships = this.own.has('orgs') || this.ofOrgMembers.has('orgs');
  }

  get countsMembers(): boolean {
    return this.counting.size > 0;
  }

  keysOf(prefix: string): string[] {
    return [...new Set([...this.own.keys(), ...this.ofOrgMembers.keys()])].filter((key) => key.startsWith(prefix));
  }

  /** Journeys that such an event may start. Whether this one does is for `where` to say. */
  startedBy(eventName: string): readonly EventEntry[] {
    return this.events.get(eventName) ?? [];
  }

  /** Journeys in which somebody may be waiting for such an event. */
  waitingFor(eventName: string): Iterable<number> {
    return this.waits.get(eventName) ?? [];
  }

  isWaiting(journeyNo: number, eventName: string): boolean {
    return this.waits.get(eventName)?.has(journeyNo) ?? false;
  }

  hearsEvent(eventName: string): boolean {
    return this.events.has(eventName) || this.waits.has(eventName);
  }

  /** `static:<id>` or `dynamic:<id>`. */
  startedByJoining(list: string): Iterable<number> {
    return this.joins.get(list) ?? [];
  }

  startedByLeaving(list: string): Iterable<number> {
    return this.leaves.get(list) ?? [];
  }

  startedByProperty(field: string): readonly PropertyEntry[] {
    return this.properties.get(field) ?? [];
  }

  startedByTopic(topicId: string, state: TopicState): Iterable<number> {
    return this.topics.get(`${topicId}:${state}`) ?? [];
  }

  startedByForm(formId: string): Iterable<number> {
    return this.forms.get(formId) ?? [];
  }

  /** Some journey begins on a date. */
  get readsDates(): boolean {
    return this.dates.size > 0;
  }

  /** Journeys that begin on a date which this property moves. */
  datedBy(field: string): Iterable<number> {
    return this.dates.get(field) ?? [];
  }

  concerned(keys: Iterable<string>): Concerned {
    const own = new Set<number>();
    const orgs = new Set<number>();
    for (const key of keys) {
      for (const journeyNo of this.own.get(key) ?? []) own.add(journeyNo);
      for (const journeyNo of this.ofOrgMembers.get(key) ?? []) orgs.add(journeyNo);
    }
    return { own, orgs };
  }

  private addEntry(journeyNo: number, { entry, reentry }: Definition): void {
    switch (entry.kind) {
      case 'event':
        push(this.events, entry.eventName, { journeyNo, where: entry.where, isFree: reentry !== 'afterExit' });
        break;
      case 'joined':
        add(this.joins, listKey(entry.list), journeyNo);
        break;
      case 'left':
        add(this.leaves, `dynamic:${entry.dynamicListId}`, journeyNo);
        break;
      case 'property':
        push(this.properties, entry.property, { journeyNo, from: entry.from, to: entry.to });
        break;
      case 'topic':
        add(this.topics, `${entry.topicId}:${entry.becomes}`, journeyNo);
        break;
      case 'form':
        add(this.forms, entry.formId, journeyNo);
        break;
      case 'date':
        add(this.dates, entry.property, journeyNo);
        // At nine o'clock: where the contact is.
        if (entry.at !== undefined) add(this.dates, 'time_zone', journeyNo);
        break;
      case 'batch':
      case 'api':
        break;
    }
  }
}

export function listKey(list: { readonly staticListId: string } | { readonly dynamicListId: string }): string {
  return 'staticListId' in list ? `static:${list.staticListId}` : `dynamic:${list.dynamicListId}`;
}

function waitedEvents({ steps }: Definition): string[] {
  return steps.flatMap((step) =>
    step.type === 'waitUntil'
      ? step.branches.flatMap((branch) => (branch.kind === 'event' ? [branch.eventName] : []))
      : [],
  );
}

/** Filters whose truth matters while nothing else happens. Those of branches are asked when somebody gets there. */
function watchedFilters({ exitWhen, goal, steps }: Definition): Filter[] {
  const waited = steps.flatMap((step) =>
    step.type === 'waitUntil'
      ? step.branches.flatMap((branch) => (branch.kind === 'filter' ? [branch.filter] : []))
      : [],
  );
  return [...(exitWhen ? [exitWhen] : []), ...(goal ? [goal.filter] : []), ...waited];
}

function add<Key>(map: Map<Key, Set<number>>, key: Key, journeyNo: number): void {
  const known = map.get(key);
  if (known) known.add(journeyNo);
  else map.set(key, new Set([journeyNo]));
}

function push<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const known = map.get(key);
  if (known) known.push(item);
  else map.set(key, [item]);
}
