import { newMessageUuid } from '../../../lib/ids.js';
import { selectContactsByIds } from '../../contacts/index.js';
import type { Definition } from '../definition/definition.js';
import { mayEnter } from '../definition/reentry.js';
import type { TurnContext } from './context.js';
import { EnrolmentInHand, type NewEnrolment } from './enrolment.js';
import type { Past } from './past.js';
import {
  type EnrolmentRow,
  type LiveJourney,
  type Pair,
  selectActive,
  selectActiveByIds,
  selectLastEntries,
} from './queries.js';

export interface Person {
  readonly email: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** The enrolments of a turn: read together, changed in memory, stored together. */
export class TurnEnrolments {
  private readonly byId = new Map<string, EnrolmentInHand>();
  private readonly byPair = new Map<string, EnrolmentInHand[]>();
  private readonly lastEntries = new Map<string, number>();
  private readonly people = new Map<string, Person>();

  constructor(private readonly context: TurnContext) {}

  get all(): Iterable<EnrolmentInHand> {
    return this.byId.values();
  }

  find(enrolmentId: string): EnrolmentInHand | undefined {
    return this.byId.get(enrolmentId);
  }

  /** Those of a contact that are on their way in a journey. */
  activeOf(pair: Pair): EnrolmentInHand[] {
    return (this.byPair.get(keyOf(pair)) ?? []).filter((one) => !one.ended);
  }

  /** Nothing: the contact was erased. */
  personOf(contactId: string): Person | undefined {
    return this.people.get(contactId);
  }

  async add(rows: readonly EnrolmentRow[]): Promise<EnrolmentInHand[]> {
    const added: EnrolmentInHand[] = [];
    for (const row of rows) {
      const known = this.byId.get(row.enrolmentId);
      const enrolment = known ?? (await this.load(row));
      if (enrolment) added.push(enrolment);
    }
    return added;
  }

  private async load(row: EnrolmentRow): Promise<EnrolmentInHand | undefined> {
    const journey = this.context.journeys.get(row.journeyNo);
    const definition = journey && (await this.context.definitionOf(row.journeyNo, row.version));
    if (!journey || !definition) return undefined;
    const enrolment = EnrolmentInHand.load(journey, definition, row);
    this.keep(enrolment);
    return enrolment;
  }

  async gather({ active, last, ids }: Past): Promise<void> {
    const { tx, tenantId } = this.context;
    await this.add(await selectActive(tx, tenantId, distinct(active)));
    await this.add(await selectActiveByIds(tx, tenantId, [...new Set(ids)]));
    for (const { at, ...pair } of await selectLastEntries(tx, tenantId, distinct(last)))
      this.lastEntries.set(keyOf(pair), at);
  }

  async meet(contactIds: Iterable<string>): Promise<void> {
    const unknown = [...new Set(contactIds)].filter((contactId) => !this.people.has(contactId));
    if (unknown.length === 0) return;
    for (const { id, email, properties } of await selectContactsByIds(this.context.tx, this.context.tenantId, unknown))
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
  ): EnrolmentInHand | undefined {
    const { now } = this.context;
    const pair = { journeyNo: journey.journeyNo, contactId };
    if (!this.people.has(contactId)) return undefined;
    const last = this.lastEntries.get(keyOf(pair));
    if (!mayEnter(definition.reentry, last, this.activeOf(pair).length > 0, now)) return undefined;
    const enrolmentId = newMessageUuid();
    const enrolment = EnrolmentInHand.enter(journey, definition, { ...entering, enrolmentId, contactId, now });
    this.keep(enrolment);
    this.lastEntries.set(keyOf(pair), now);
    return enrolment;
  }

  private keep(enrolment: EnrolmentInHand): void {
    this.byId.set(enrolment.id, enrolment);
    const key = keyOf(enrolment.row);
    const known = this.byPair.get(key);
    if (known) known.push(enrolment);
    else this.byPair.set(key, [enrolment]);
  }
}

export const keyOf = ({ journeyNo, contactId }: Pair) => `${journeyNo}:${contactId}`;

function distinct(pairs: readonly Pair[]): Pair[] {
  return [...new Map(pairs.map((pair) => [keyOf(pair), pair])).values()];
}
