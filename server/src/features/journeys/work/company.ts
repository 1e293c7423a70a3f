import { newMessageUuid } from '../../../lib/ids.js';
import { selectContactsByIds } from '../../contacts/index.js';
import type { Definition } from '../definition/definition.js';
import { mayEnter } from '../entries/reentry.js';
import type { Ground } from './ground.js';
import type { Past } from './past.js';
import {
  type EnrolmentRow,
  type LiveJourney,
  type Pair,
  selectActive,
  selectActiveByIds,
  selectLastEntries,
} from './queries.js';
import { type NewEnrolment, Traveller } from './traveller.js';

export interface Person {
  readonly email: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Everybody whom a turn has in hand: read together, changed in memory, stored together. */
export class Company {
  private readonly byId = new Map<string, Traveller>();
  private readonly byPair = new Map<string, Traveller[]>();
  private readonly lastEntries = new Map<string, number>();
  private readonly people = new Map<string, Person>();

  constructor(private readonly ground: Ground) {}

  get all(): Iterable<Traveller> {
    return this.byId.values();
  }

  find(enrolmentId: string): Traveller | undefined {
    return this.byId.get(enrolmentId);
  }

  /** Those of a contact that are on their way in a journey. */
  activeOf(pair: Pair): Traveller[] {
    return (this.byPair.get(keyOf(pair)) ?? []).filter((one) => !one.ended);
  }

  /** Nothing: the contact was erased. */
  personOf(contactId: string): Person | undefined {
    return this.people.get(contactId);
  }

  async add(rows: readonly EnrolmentRow[]): Promise<Traveller[]> {
    const added: Traveller[] = [];
    for (const row of rows) {
      const known = this.byId.get(row.enrolmentId);
      const traveller = known ?? (await this.load(row));
      if (traveller) added.push(traveller);
    }
    return added;
  }

  private async load(row: EnrolmentRow): Promise<Traveller | undefined> {
    const journey = this.ground.journeys.get(row.journeyNo);
    const definition = journey && (await this.ground.definitionOf(row.journeyNo, row.version));
    if (!journey || !definition) return undefined;
    const traveller = Traveller.load(journey, definition, row);
    this.keep(traveller);
    return traveller;
  }

  async gather({ active, last, ids }: Past): Promise<void> {
    const { tx, tenantId } = this.ground;
    await this.add(await selectActive(tx, tenantId, distinct(active)));
    await this.add(await selectActiveByIds(tx, tenantId, [...new Set(ids)]));
    for (const { at, ...pair } of await selectLastEntries(tx, tenantId, distinct(last)))
      this.lastEntries.set(keyOf(pair), at);
  }

  async meet(contactIds: Iterable<string>): Promise<void> {
    const unknown = [...new Set(contactIds)].filter((contactId) => !this.people.has(contactId));
    if (unknown.length === 0) return;
    for (const { id, email, properties } of await selectContactsByIds(this.ground.tx, this.ground.tenantId, unknown))
      this.people.set(id, { email, properties });
  }

  /** Somebody's properties were changed in this turn. */
  update(contactId: string, properties: Person['properties']): void {
    const person = this.people.get(contactId);
    if (person) this.people.set(contactId, { ...person, properties });
  }

  /** Its past was gathered before. Nothing: it may not enter, or there is no such contact. */
  enter(
    journey: LiveJourney,
    definition: Definition,
    contactId: string,
    entering: Omit<NewEnrolment, 'enrolmentId' | 'contactId' | 'now'>,
  ): Traveller | undefined {
    const { now } = this.ground;
    const pair = { journeyNo: journey.journeyNo, contactId };
    if (!this.people.has(contactId)) return undefined;
    const last = this.lastEntries.get(keyOf(pair));
    if (!mayEnter(definition.reentry, last, this.activeOf(pair).length > 0, now)) return undefined;
    const enrolmentId = newMessageUuid();
    const traveller = Traveller.enter(journey, definition, { ...entering, enrolmentId, contactId, now });
    this.keep(traveller);
    this.lastEntries.set(keyOf(pair), now);
    return traveller;
  }

  private keep(traveller: Traveller): void {
    this.byId.set(traveller.id, traveller);
    const key = keyOf(traveller.row);
    const known = this.byPair.get(key);
    if (known) known.push(traveller);
    else this.byPair.set(key, [traveller]);
  }
}

export const keyOf = ({ journeyNo, contactId }: Pair) => `${journeyNo}:${contactId}`;

function distinct(pairs: readonly Pair[]): Pair[] {
  return [...new Map(pairs.map((pair) => [keyOf(pair), pair])).values()];
}
