// Where a simulation plays: copies of people, lists and events, and what effects of steps do to them.

import type { Transaction } from '../../../db/database.js';
import { instantOf } from '../../../lib/instant.js';
import { changedStanding, decide, type Standing, selectStandings, type TopicVerdict } from '../../consent/index.js';
import { mergeProperties, type Properties, selectContactsByIds } from '../../contacts/index.js';
import type { Filter } from '../../filter-language/index.js';
import { decideCaps, selectCounted } from '../../messages/index.js';
import type { Definition } from '../definition/definition.js';
import { filtersOf } from '../definition/references.js';
import type { Effect, WonArm } from '../engine/types.js';
import type { EnrolmentInHand } from '../turn/enrolment.js';
import type { Person } from '../turn/enrolments.js';
import { messageOf, noteNotSent } from '../work/carry-out.js';
import { type ListChange, type RoundNeeds, Rounds, type TopicWrite } from '../work/rounds.js';
import { noteTopic } from '../work/write-topics.js';
import * as queries from './queries.js';
import { readsJourneys, Verdicts } from './verdicts.js';

type Of<Kind extends Effect['kind']> = Extract<Effect, { kind: Kind }>;
export interface Done<Kind extends Effect['kind']> {
  readonly by: EnrolmentInHand;
  readonly effect: Of<Kind>;
}

interface Scene {
  readonly tx: Transaction;
  readonly tenantId: number;
  readonly timeZone: string;
  readonly definition: Definition;
  readonly winners: ReadonlyMap<string, WonArm>;
}

// Numbers of events are those of writes times a few thousand: these come behind all of them, and are exact.
const firstEventNo = 2 ** 52;

export class Stage {
  private readonly people = new Map<string, Person>();
  private counted: Map<string, number[]> = new Map();
  private events = 0;
  /** By list and contact, what a step last did. */
  private readonly settled = new Map<string, ListChange['what']>();
  /** By contact and topic, what was said last. */
  private readonly standings = new Map<string, Standing>();
  private readonly filters: readonly Filter[];
  private readonly verdicts: Verdicts;

  constructor(
    private readonly scene: Scene,
    private readonly enrolments: () => Iterable<EnrolmentInHand>,
  ) {
    this.filters = filtersOf(scene.definition);
    this.verdicts = new Verdicts(scene.tx, scene.tenantId, this.filters);
  }

  /** Reads who takes part and, where filters will look, puts the copies up. */
  async set(contactIds: readonly string[], from: number, given: readonly queries.NewEvent[]): Promise<void> {
    const { tx, tenantId, definition } = this.scene;
    for (const { id, email, properties } of await selectContactsByIds(tx, tenantId, contactIds))
      this.people.set(id, { email, properties });
    const { cap } = definition;
    const since = cap && contactIds.map((contactId) => ({ contactId, after: from - cap.per.ms }));
    if (since) this.counted = await selectCounted(tx, tenantId, since);
    const topicIds = definition.steps.flatMap((step) => (step.type === 'setTopic' ? step.topicId : []));
    if (topicIds.length > 0)
      for (const row of await selectStandings(tx, tenantId, contactIds, topicIds))
        this.standings.set(standingKey(row), row);
    if (this.filters.length === 0) return;
    await queries.makeCopies(tx);
    await this.putEvents(given);
    if (this.filters.some(readsJourneys)) await queries.copyEnrolments(tx, tenantId, contactIds);
    await this.verdicts.look(contactIds, from);
  }

  roundsAt(now: number): Rounds {
    const { tx, tenantId, timeZone, winners } = this.scene;
    const at = instantOf(now);
    const needs: RoundNeeds = {
      changeLists: (changes) => this.changeLists(changes, at),
      setTopics: (writes) => this.setTopics(writes, at),
      flush: () => this.flush(),
      winnerOf: (_, stepId) => winners.get(stepId),
    };
    return new Rounds({ tx, tenantId, timeZone, now, at }, this, needs, (_tx, _tenantId, filters, contactIds) =>
      this.verdicts.evaluate(filters, contactIds, at),
    );
  }

  personOf(contactId: string): Person | undefined {
    return this.people.get(contactId);
  }

  private async flush(): Promise<void> {
    const touched = [...this.enrolments()].filter((one) => one.isTouched);
    for (const one of touched) one.isTouched = false;
    const standings = touched.map(
      ({ row, version, state, ended, notes }): queries.Standing => ({
        ...{ ...row, version, state: ended?.as ?? 'active', goalAt: state.goalAt },
        // Its last note tells of its end.
        endedAt: ended ? (notes.at(-1)?.at ?? null) : null,
      }),
    );
    await queries.putStandings(this.scene.tx, this.scene.tenantId, standings);
  }

  private async changeLists(changes: readonly ListChange[], at: string): Promise<void> {
    if (this.filters.length === 0) return;
    const byMember = new Map(changes.map((change) => [`${change.staticListId}:${change.contactId}`, change]));
    // A circle puts the same contact into the same list at every round: the copy says so since the first.
    const news = [...byMember].filter(([member, { what }]) => this.settled.get(member) !== what);
    if (news.length === 0) return;
    for (const [member, { what, contactId }] of news) {
      this.settled.set(member, what);
      this.verdicts.forget(contactId);
    }
    await queries.putMembers(
      this.scene.tx,
      this.scene.tenantId,
      news.map(([, change]) => change),
      at,
    );
  }

  /** As consent would decide. */
  private async setTopics(writes: readonly TopicWrite[], at: string): Promise<void> {
    const changes = new Map<string, { contactId: string; topicId: string; state: string }>();
    for (const write of writes) {
      const { topicId, state } = write.effect;
      const { contactId } = write.by;
      const key = standingKey({ contactId, topicId });
      const standing = this.standings.get(key);
      const wish = { state, source: 'journey' as const };
      const verdict: TopicVerdict = decide(standing, wish);
      noteTopic(write, verdict);
      if (verdict !== 'changed') continue;
      this.standings.set(key, changedStanding(standing, wish));
      changes.set(key, { contactId, topicId, state });
      this.verdicts.forget(contactId);
    }
    if (this.filters.length === 0 || changes.size === 0) return;
    await queries.putTopics(this.scene.tx, this.scene.tenantId, [...changes.values()], at);
  }

  /** Returns why a property could not be set; nothing where it was. Of a contact, one at a time. */
  async setProperties(done: readonly Done<'property'>[], now: number): Promise<(string | undefined)[]> {
    const changes: queries.SimulatedChange[] = [];
    const problems = done.map(({ by: { contactId }, effect: { property, value } }) => {
      const person = this.people.get(contactId);
      if (!person) return undefined;
      const merged = mergeProperties(person.properties as Properties, { [property]: value });
      if (!merged.ok) return merged.error;
      this.people.set(contactId, { ...person, properties: merged.properties });
      this.verdicts.forget(contactId);
      for (const change of merged.changes) changes.push({ contactId, json: merged.json, ...change });
      return undefined;
    });
    if (this.filters.length > 0)
      await queries.putProperties(this.scene.tx, this.scene.tenantId, changes, instantOf(now));
    return problems;
  }

  /** For filters that ask who is where in a journey. */
  async takeOut(done: readonly Done<'leave'>[], now: number): Promise<void> {
    if (done.length === 0 || !this.filters.some(readsJourneys)) return;
    const pairs = done.map(({ by, effect }) => ({ contactId: by.contactId, journeyId: effect.journeyId }));
    await queries.endStandings(this.scene.tx, this.scene.tenantId, pairs, instantOf(now));
  }

  async putEvents(events: readonly queries.NewEvent[]): Promise<void> {
    if (this.filters.length === 0) return;
    await queries.putEvents(this.scene.tx, this.scene.tenantId, events, firstEventNo + this.events);
    this.events += events.length;
    for (const { contactId } of events) this.verdicts.forget(contactId);
  }

  /** Messages make notes, and count for the cap of those behind them. */
  queueMessages(done: readonly Done<'message'>[]): void {
    const messages = done.map(messageOf);
    const own = new Map(messages.map(({ contactId }) => [contactId, this.counted.get(contactId) ?? []]));
    const over = decideCaps(messages, own, () => true);
    for (const [i, { by, effect }] of done.entries()) {
      const times = own.get(by.contactId) ?? [];
      if (over.has(i)) noteNotSent(by, effect, 'capped');
      else if (!effect.isTransactional && !effect.skipped) times.push(effect.dueAt);
      this.counted.set(by.contactId, times);
    }
  }
}

function standingKey({ contactId, topicId }: { contactId: string; topicId: string }): string {
  return `${contactId}:${topicId}`;
}
