// What news mean for enrolments: who enters, who need no longer wait, who has to look. News of a contact in a journey one after the other.

import type { EntryCause, TimelineFact } from '@rapport/contract';
import type { Definition } from '../definition/definition.js';
import { longestChain, mostInChain } from '../engine/begin.js';
import { waitsOf } from '../engine/step.js';
import type { Arrival, ArrivedEvent, WebhookAnswer } from '../engine/types.js';
import { listKey } from '../news/interest.js';
import { equalsScalar } from '../news/match-property.js';
import type { TurnContext } from '../turn/context.js';
import type { EnrolmentInHand, NewEnrolment } from '../turn/enrolment.js';
import { keyOf, type TurnEnrolments } from '../turn/enrolments.js';
import type { LiveJourney, NewsRow, Pair } from '../turn/queries.js';
import type { Refusal } from '../turn/store/store.js';

type Entering = Pick<NewEnrolment, 'words' | 'chain' | 'cause'>;

export class NewsReader {
  readonly refusals: Refusal[] = [];
  /** Contacts whose date has to be found anew. */
  readonly redated: Pair[] = [];

  constructor(
    private readonly context: TurnContext,
    private readonly enrolments: TurnEnrolments,
  ) {}

  /** What a piece of news means, added to who arrives in this round. */
  async add(news: NewsRow, arrivals: Map<EnrolmentInHand, Arrival>): Promise<void> {
    const journey = this.context.journeys.get(news.journeyNo);
    if (!journey || !this.enrolments.personOf(news.contactId)) return;
    switch (news.kind) {
      case 'event':
        return this.addEvent(journey, news, arrivals);
      case 'joined':
      case 'left':
      case 'property':
      case 'topic':
      case 'form':
      case 'started':
        return this.addEntry(journey, news, arrivals);
      case 'takenOut':
        return this.takeOut(journey, news, arrivals);
      case 'changed':
        for (const enrolment of this.enrolments.activeOf(news))
          if (enrolment.state.phase !== 'ready') arrivals.set(enrolment, { kind: 'look' });
        return;
      case 'applied':
      case 'answered':
        return this.addAnswer(news, arrivals);
    }
  }

  private async addEvent(journey: LiveJourney, news: NewsRow, arrivals: Map<EnrolmentInHand, Arrival>): Promise<void> {
    const { eventName, event } = eventOf(news);
    for (const enrolment of this.enrolments.activeOf(news)) {
      const isWaited = waitsOf(enrolment.definition, enrolment.state).some((wait) => wait.eventName === eventName);
      if (isWaited) arrivals.set(enrolment, { kind: 'event', eventName, event });
    }
    const definition = await this.entered(journey, news);
    if (definition?.entry.kind !== 'event' || definition.entry.eventName !== eventName) return;
    const { where } = definition.entry;
    if (where && !where.holds(event, { now: event.at })) return;
    this.enter(journey, definition, news, arrivals, {
      words: { event: event.properties },
      chain: chainOf(news),
      cause: { code: 'eventCame', eventName },
    });
  }

  private async addEntry(journey: LiveJourney, news: NewsRow, arrivals: Map<EnrolmentInHand, Arrival>): Promise<void> {
    const definition = await this.entered(journey, news);
    if (!definition) return;
    if (news.kind === 'property' && definition.entry.kind === 'date') this.redated.push(pairOf(news));
    const cause = causeOf(definition, news);
    if (cause) this.enter(journey, definition, news, arrivals, { words: {}, chain: chainOf(news), cause });
  }

  /** All that are in progress but the one that says so, which may name its own journey. Those of before the activation have ended. */
  private takeOut(journey: LiveJourney, news: NewsRow, arrivals: Map<EnrolmentInHand, Arrival>): void {
    const { at, data } = news;
    const by = String(data?.fromEnrolment);
    const found = at < journey.activatedAt ? [] : this.enrolments.activeOf(news).filter(({ id }) => id !== by);
    for (const one of found) {
      one.takeOut({ code: 'takenOutBy', journeyId: String(data?.fromJourney) }, this.context.now);
      arrivals.delete(one);
    }
    if (found.length === 0) this.refuse(by, { code: 'notInJourney', journeyId: journey.journeyId });
  }

  private refuse(enrolmentId: string, fact: TimelineFact): void {
    this.refusals.push({ enrolmentId, at: this.context.now, what: 'event', fact });
  }

  private addAnswer({ kind, enrolmentId, data }: NewsRow, arrivals: Map<EnrolmentInHand, Arrival>): void {
    const enrolment = enrolmentId === null ? undefined : this.enrolments.find(enrolmentId);
    const visit = Number(data?.visit);
    if (!enrolment || enrolment.ended || enrolment.state.visit !== visit) return;
    if (kind === 'answered') arrivals.set(enrolment, { kind, visit, answer: data?.answer as WebhookAnswer });
    else if (typeof data?.error === 'string') enrolment.fail(data.error, this.context.now);
    else {
      if (typeof data?.problem === 'string') noteProblem(enrolment, data.problem, this.context.now);
      arrivals.set(enrolment, { kind: 'applied', visit });
    }
  }

  /** The definition that news may start; nothing for news of before the activation, and for journeys that are over. */
  private async entered(journey: LiveJourney, { at }: NewsRow): Promise<Definition | undefined> {
    if (!journey.isActive || at < journey.activatedAt) return undefined;
    return this.context.definitionOf(journey.journeyNo, journey.version);
  }

  private enter(
    journey: LiveJourney,
    definition: Definition,
    { contactId, data }: NewsRow,
    arrivals: Map<EnrolmentInHand, Arrival>,
    entering: Entering,
  ): void {
    if (entering.chain > longestChain) {
      if (typeof data?.fromEnrolment === 'string')
        this.refuse(data.fromEnrolment, {
          code: 'journeyNotStarted',
          journeyId: journey.journeyId,
          chain: mostInChain,
        });
      return;
    }
    const enrolment = this.enrolments.enter(journey, definition, contactId, entering);
    if (enrolment) arrivals.set(enrolment, { kind: 'look' });
  }
}

/** Its own write could not be applied: the timeline says so, and it goes on. */
export function noteProblem({ definition, state, notes }: EnrolmentInHand, why: string, now: number): void {
  const { stepId } = state;
  const what = definition.steps.find(({ id }) => id === stepId)?.type === 'emitEvent' ? 'event' : 'property';
  notes.push({ at: now, what, fact: { code: 'writeRefused', why }, ...(stepId === null ? {} : { stepId }) });
}

function chainOf({ data }: NewsRow): number {
  return typeof data?.chain === 'number' ? data.chain : 0;
}

const pairOf = ({ journeyNo, contactId }: Pair): Pair => ({ journeyNo, contactId });

function eventOf({ data, at }: NewsRow): { eventName: string; event: ArrivedEvent } {
  const { eventName, eventDate, userId, orgId, properties } = (data ?? {}) as Partial<ArrivedEvent> & {
    eventName: string;
  };
  const event = {
    at,
    eventDate: eventDate ?? '',
    userId: userId ?? null,
    orgId: orgId ?? null,
    properties: properties ?? {},
  };
  return { eventName, event };
}

/** Why news that are no event start this version; nothing where they do not: it may have been edited since they came. */
function causeOf({ entry }: Definition, { kind, data }: NewsRow): EntryCause | undefined {
  if (kind === 'started')
    return entry.kind === 'batch' ? undefined : { code: 'startedBy', journeyId: String(data?.fromJourney) };
  if (kind === 'joined' && entry.kind === 'joined' && data?.list === listKey(entry.list)) return { code: 'joinedList' };
  if (kind === 'left' && entry.kind === 'left' && data?.list === `dynamic:${entry.dynamicListId}`)
    return { code: 'leftList' };
  if (kind === 'form' && entry.kind === 'form' && data?.formId === entry.formId)
    return { code: 'formSent', formId: entry.formId };
  if (kind === 'topic' && entry.kind === 'topic' && data?.topicId === entry.topicId && data.state === entry.becomes)
    return { code: 'topicBecame', topicId: entry.topicId, state: entry.becomes };
  if (kind !== 'property' || entry.kind !== 'property' || data?.field !== entry.property) return undefined;
  const { from, to, property } = entry;
  const isMeant =
    (from === undefined || equalsScalar(data.oldValue, from)) && (to === undefined || equalsScalar(data.newValue, to));
  return isMeant ? { code: 'propertyChanged', property } : undefined;
}

/** News in waves: in each, one of a contact in a journey at most. Looks that come twice are one. */
export function inWaves(news: readonly NewsRow[], most: number): NewsRow[][] {
  const waves: NewsRow[][] = [];
  const counts = new Map<string, number>();
  const looks = new Set<string>();
  for (const one of news) {
    const key = keyOf(one);
    const count = counts.get(key) ?? 0;
    if (count >= most) continue;
    const wave = waves[count] ?? [];
    waves[count] = wave;
    const isRepeat = one.kind === 'changed' && looks.has(key);
    wave.push(one);
    // A later look sees what an earlier one would have seen, unless something happens in between.
    if (isRepeat) continue;
    if (one.kind === 'changed') looks.add(key);
    else looks.delete(key);
    counts.set(key, count + 1);
  }
  return waves;
}
