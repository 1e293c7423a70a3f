import type { EntryCause, TimelineFact } from '@rapport/contract';
import type { Cause } from '../../../db/news.js';
import type { Definition } from '../definition/definition.js';
import { enter } from '../engine/enter.js';
import type { Effect, Ended, Note, State, Stepped, Words } from '../engine/types.js';
import type { Passed, Visit } from '../passage/deltas.js';
import type { EnrolmentRow, LiveJourney } from './queries.js';
import type { StoredEnrolment } from './store/queries.js';

/** An enrolment in hand: where it stands, and what came of it in this turn. */
export class EnrolmentInHand {
  readonly notes: Note[] = [];
  readonly effects: Effect[] = [];
  ended: Ended | undefined;
  isTouched: boolean;
  /** It is in the table. */
  isStored: boolean;
  /** Erased since it was read: the eraser has ended it, and nothing of this turn is told of it. */
  isGone = false;
  /** The visit that it was at before this turn, and the arms it had taken. */
  private readonly visited: Visit | undefined;
  private readonly armsBefore: State['arms'];
  private readonly hadGoal: boolean;
  private readonly wasCalling: boolean;

  private constructor(
    readonly journey: LiveJourney,
    readonly row: Omit<EnrolmentRow, keyof State | 'dueAt' | 'version'>,
    public version: number,
    public definition: Definition,
    public state: State,
    public dueAt: number | null,
    readonly isNew: boolean,
  ) {
    this.isTouched = isNew;
    this.isStored = !isNew;
    const { visit, stepId, stepAt, arms } = state;
    this.visited = visit > 0 && stepId !== null ? { stepId, at: stepAt } : undefined;
    this.armsBefore = arms;
    this.hadGoal = state.goalAt !== null;
    this.wasCalling = state.phase === 'calling';
  }

  static load(journey: LiveJourney, definition: Definition, row: EnrolmentRow): EnrolmentInHand {
    const { words, arms, dueAt, version, ...rest } = row;
    return new EnrolmentInHand(
      journey,
      rest,
      version,
      definition,
      { ...rest, words: words ?? {}, arms: arms ?? {} },
      dueAt,
      false,
    );
  }

  static enter(journey: LiveJourney, definition: Definition, entering: NewEnrolment): EnrolmentInHand {
    const { enrolmentId, contactId, runId = null, now } = entering;
    const { state, notes } = enter(definition, { ...entering, journeyId: journey.journeyId });
    const row = { enrolmentId, journeyNo: journey.journeyNo, runId, contactId, enteredAt: now };
    // Due at once, in case it does not go on in this turn.
    const made = new EnrolmentInHand(journey, row, journey.version, definition, state, now, true);
    made.notes.push(...notes);
    return made;
  }

  get id(): string {
    return this.row.enrolmentId;
  }

  get contactId(): string {
    return this.row.contactId;
  }

  get reachedGoal(): boolean {
    return !this.hadGoal && this.state.goalAt !== null;
  }

  /**
   * What it changes without ever having waited belongs to what made it enter: journeys that start one another so would go round for
   * ever. Nothing once it has waited: a slow circle is an author's choice, as in a definition.
   */
  get cause(): Cause | undefined {
    const { visit, restless = 0, chain } = this.state;
    return restless < visit ? undefined : { chain: chain + 1, fromEnrolment: this.id };
  }

  /** It waited for a webhook, and does no more. */
  get hasHungUp(): boolean {
    return this.wasCalling && (this.ended !== undefined || this.state.phase !== 'calling');
  }

  take({ state, effects, notes, dueAt, ended }: Stepped): void {
    this.state = state;
    this.effects.push(...effects);
    this.notes.push(...notes);
    this.dueAt = dueAt;
    this.ended = ended;
    this.isTouched = true;
  }

  /** It cannot go on: a fault of ours, or of its data. */
  fail(why: string, now: number): void {
    this.exit('error', { code: 'ended', reason: 'error', why }, now);
  }

  /** A step of another enrolment takes it out, or a person. */
  takeOut(fact: TimelineFact, now: number): void {
    this.exit('takenOut', fact, now);
  }

  /** Its wait is over now: it goes on as it does when the time is up. */
  skipWait(fact: TimelineFact, now: number): void {
    const { stepId, visit } = this.state;
    const note: Note = { at: now, what: 'waiting', visit, fact, ...(stepId === null ? {} : { stepId }) };
    this.take({ state: { ...this.state, waitUntil: now }, effects: [], notes: [note], dueAt: now });
  }

  /** It leaves from where it stands. */
  private exit(reason: string, fact: TimelineFact, now: number): void {
    const { stepId } = this.state;
    const note: Note = { at: now, what: 'exited', fact, ...(stepId === null ? {} : { stepId }) };
    const state: State = { ...this.state, phase: 'ready', waitUntil: null };
    this.take({ state, effects: [], notes: [note], dueAt: null, ended: { as: 'exited', reason } });
  }

  /** What came of it in this turn, for the figures. */
  get passed(): Passed {
    const { row, state, isNew, visited, armsBefore, notes, ended } = this;
    const { isHoldout, arms } = state;
    return { journeyNo: row.journeyNo, isNew, isHoldout, visited, armsBefore, arms, notes, ended };
  }

  stored(now: number): StoredEnrolment {
    const { ended, row, state } = this;
    // Field by field: spread, it took a tenth of a turn.
    return {
      enrolmentId: row.enrolmentId,
      journeyNo: row.journeyNo,
      version: this.version,
      runId: row.runId,
      contactId: row.contactId,
      state: ended?.as ?? 'active',
      reason: ended?.reason ?? null,
      stepId: state.stepId,
      visit: state.visit,
      stepAt: state.stepAt,
      phase: state.phase,
      waitUntil: state.waitUntil,
      dueAt: ended ? null : this.dueAt,
      enteredAt: row.enteredAt,
      endedAt: ended ? now : null,
      goalAt: state.goalAt,
      isHoldout: state.isHoldout,
      chain: state.chain,
      restless: state.restless,
      words: state.words,
      arms: state.arms,
    };
  }
}

export interface NewEnrolment {
  readonly enrolmentId: string;
  readonly contactId: string;
  readonly runId?: string | null;
  readonly now: number;
  readonly words: Words;
  readonly chain: number;
  readonly cause: EntryCause;
}
