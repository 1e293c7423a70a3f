// The virtual clock: what happens to each contact at which moment, through the engine that runs live. Those of one moment go together.
import { createHash } from 'node:crypto';
import { invalid } from '../../../http/api-error.js';
import { instantOf } from '../../../lib/instant.js';
import { Turn } from '../../../lib/turns.js';
import type { Definition } from '../definition/definition.js';
import { mayEnter } from '../definition/reentry.js';
import { longestChain } from '../engine/begin.js';
import { waitsOf } from '../engine/step.js';
import type { Arrival, Effect } from '../engine/types.js';
import { EnrolmentInHand, type NewEnrolment } from '../turn/enrolment.js';
import type { LiveJourney } from '../turn/queries.js';
import { inVain } from '../work/carry-out.js';
import { noteProblem } from '../work/read-news.js';
import { Agenda } from './agenda.js';
import type { Elsewhere } from './elsewhere.js';
import { arrival, type Happening, type Queues, queue } from './happenings.js';
import type { Done, Stage } from './stage.js';

/** Steps that are begun, of all contacts together. */
const mostVisits = 100_000;

interface Script {
  readonly journey: LiveJourney;
  readonly definition: Definition;
  readonly elsewhere: Elsewhere;
}

/** What filters of the contact's other enrolments may read. */
const changesContact: readonly Effect['kind'][] = ['property', 'event', 'list', 'topic'];

export class Simulation {
  /** By contact, in the order in which they entered. */
  readonly ways = new Map<string, EnrolmentInHand[]>();
  private readonly agenda = new Agenda<Happening>();
  private readonly lastEntries = new Map<string, number>();
  private readonly told = new Map<EnrolmentInHand, { effects: number; visits: number }>();
  private visits = 0;

  constructor(private readonly script: Script) {}

  get enrolments(): Iterable<EnrolmentInHand> {
    return this.told.keys();
  }

  add(at: number, happening: Happening): void {
    this.agenda.add(at, happening);
  }

  async run(stage: Stage, until: number): Promise<void> {
    const turn = new Turn();
    for (let now = this.agenda.next; now !== undefined && now <= until; now = this.agenda.next) {
      if (turn.isOver) await turn.next();
      await this.pass(now, this.agenda.take(), stage);
    }
  }

  /** One moment: of each contact one thing after the other, and what comes of it behind. */
  private async pass(now: number, happenings: readonly Happening[], stage: Stage): Promise<void> {
    const queues: Queues = new Map();
    // What came in time counts: it goes before what the time alone brings.
    for (const one of happenings) if (one.kind !== 'due') queue(queues, one);
    for (const one of happenings) if (one.kind === 'due') queue(queues, one);
    const touched = new Set<EnrolmentInHand>();
    const rounds = stage.roundsAt(now);
    while (queues.size > 0) {
      const arrivals = new Map<EnrolmentInHand, Arrival>();
      for (const [contactId, own] of queues) {
        const first = own.shift();
        if (own.length === 0) queues.delete(contactId);
        if (first) this.hear(first, now, arrivals);
      }
      await rounds.run(arrivals);
      for (const enrolment of arrivals.keys()) touched.add(enrolment);
      await this.follow([...arrivals.keys()], now, queues, stage);
    }
    for (const enrolment of touched) {
      // A moment is told in whole milliseconds, and may be this very one.
      if (!enrolment.ended && enrolment.dueAt !== null)
        this.add(Math.max(enrolment.dueAt, now + 1), { kind: 'due', enrolment });
    }
  }

  private hear(happening: Happening, now: number, arrivals: Map<EnrolmentInHand, Arrival>): void {
    switch (happening.kind) {
      case 'enter':
        this.enter(happening.contactId, now, { words: {}, chain: 0, cause: { code: 'atBeginning' } }, arrivals);
        return;
      case 'event':
        this.hearEvent(happening, now, arrivals);
        return;
      case 'due': {
        const { ended, dueAt } = happening.enrolment;
        if (!ended && dueAt !== null && dueAt <= now) arrivals.set(happening.enrolment, { kind: 'look' });
        return;
      }
      case 'changed':
        if (!happening.enrolment.ended) arrivals.set(happening.enrolment, { kind: 'look' });
        return;
      case 'arrival':
        if (!happening.enrolment.ended) arrivals.set(happening.enrolment, happening.arrival);
    }
  }

  private hearEvent(
    { contactId, eventName, event, chain }: Extract<Happening, { kind: 'event' }>,
    now: number,
    arrivals: Map<EnrolmentInHand, Arrival>,
  ): void {
    for (const enrolment of this.activeOf(contactId))
      if (waitsOf(enrolment.definition, enrolment.state).some((wait) => wait.eventName === eventName))
        arrivals.set(enrolment, { kind: 'event', eventName, event });
    const { entry } = this.script.definition;
    if (entry.kind !== 'event' || entry.eventName !== eventName || chain > longestChain) return;
    if (entry.where && !entry.where.holds(event, { now: event.at })) return;
    const cause = { code: 'eventCame', eventName } as const;
    this.enter(contactId, now, { words: { event: event.properties }, chain, cause }, arrivals);
  }

  private enter(
    contactId: string,
    now: number,
    entering: Pick<NewEnrolment, 'words' | 'chain' | 'cause'>,
    arrivals: Map<EnrolmentInHand, Arrival>,
  ): void {
    const { journey, definition } = this.script;
    const own = this.ways.get(contactId) ?? [];
    const isActive = this.activeOf(contactId).length > 0;
    if (!mayEnter(definition.reentry, this.lastEntries.get(contactId), isActive, now)) return;
    const enrolmentId = idOf(journey.journeyId, contactId, own.length);
    const enrolment = EnrolmentInHand.enter(journey, definition, { ...entering, enrolmentId, contactId, now });
    this.ways.set(contactId, [...own, enrolment]);
    this.lastEntries.set(contactId, now);
    this.told.set(enrolment, { effects: 0, visits: 0 });
    arrivals.set(enrolment, { kind: 'look' });
  }

  private activeOf(contactId: string): EnrolmentInHand[] {
    return (this.ways.get(contactId) ?? []).filter((one) => !one.ended);
  }

  /** What effects of these come to, at the same moment. */
  private async follow(
    enrolments: readonly EnrolmentInHand[],
    now: number,
    queues: Queues,
    stage: Stage,
  ): Promise<void> {
    const fresh = enrolments.flatMap((by) => this.freshOf(by).map((effect) => ({ by, effect })));
    const of = <Kind extends Effect['kind']>(kind: Kind) =>
      fresh.filter((done): done is Done<Kind> & typeof done => done.effect.kind === kind);
    stage.queueMessages(of('message'));
    const properties = of('property');
    const problems = await stage.setProperties(properties, now);
    for (const [i, { by }] of properties.entries()) {
      const problem = problems[i];
      if (problem !== undefined) noteProblem(by, problem, now);
    }
    const events = of('event').map(({ by, effect: { eventName, properties: own } }) => ({
      ...{ contactId: by.contactId, eventName, at: now, properties: own },
    }));
    await stage.putEvents(events);
    await stage.takeOut(this.tellJourneys(fresh, now), now);
    for (const done of fresh) this.answer(done, now, queues);
  }

  private answer({ by, effect }: Done<Effect['kind']>, now: number, queues: Queues): void {
    const { contactId } = by;
    if (changesContact.includes(effect.kind))
      for (const other of this.activeOf(contactId))
        if (other !== by && other.state.phase !== 'ready') queue(queues, { kind: 'changed', enrolment: other });
    switch (effect.kind) {
      case 'event': {
        const { eventName, properties } = effect;
        const event = { at: now, eventDate: instantOf(now), userId: null, orgId: null, properties };
        queue(queues, { kind: 'event', contactId, eventName, event, chain: by.state.chain + 1 });
        queue(queues, arrival(by, { kind: 'applied', visit: effect.visit }));
        return;
      }
      case 'property':
        queue(queues, arrival(by, { kind: 'applied', visit: effect.visit }));
        return;
      case 'webhook':
        queue(queues, arrival(by, { kind: 'answered', visit: effect.visit, answer: { ok: true, status: 200 } }));
    }
  }

  /** In the order of the steps, as live. Returns who is taken out of a journey that is not simulated. */
  private tellJourneys(fresh: readonly Done<Effect['kind']>[], now: number): Done<'leave'>[] {
    return fresh.flatMap(({ by, effect }) => {
      if (effect.kind === 'leave') return this.takesOut({ by, effect }, now) ? { by, effect } : [];
      if (effect.kind === 'journey' && !this.script.elsewhere.start(effect.journeyId, by.contactId, now))
        by.notes.push(inVain(effect, now));
      return [];
    });
  }

  /** Whether somebody is taken out of a journey that is not simulated. */
  private takesOut({ by, effect }: Done<'leave'>, now: number): boolean {
    const { journeyId } = effect;
    const { contactId } = by;
    const own = journeyId === by.journey.journeyId ? this.activeOf(contactId).filter((one) => one !== by) : [];
    for (const one of own) one.takeOut({ code: 'takenOutBy', journeyId }, now);
    const isInside = this.script.elsewhere.leave(journeyId, contactId);
    if (own.length === 0 && !isInside) by.notes.push(inVain(effect, now));
    return isInside;
  }

  private freshOf(enrolment: EnrolmentInHand): readonly Effect[] {
    const told = this.told.get(enrolment) ?? { effects: 0, visits: 0 };
    const fresh = enrolment.effects.slice(told.effects);
    this.visits += enrolment.state.visit - told.visits;
    if (this.visits > mostVisits) {
      const reason = `or fewer contacts are wanted: the simulation takes more than ${mostVisits.toLocaleString('en')} steps`;
      throw invalid('until', `that is earlier, ${reason}`);
    }
    this.told.set(enrolment, { effects: enrolment.effects.length, visits: enrolment.state.visit });
    return fresh;
  }
}

/** The same simulation again has the same ids, and with them the same chance. */
function idOf(journeyId: string, contactId: string, place: number): string {
  return createHash('sha256').update(`${journeyId}:${contactId}:${place}`).digest('hex').slice(0, 32);
}
