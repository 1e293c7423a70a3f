// What the engine works on and answers with. Pure: times are milliseconds since 1970, and nothing here knows a database.

import type { TimelineFact, TimelineWord, topicDefaults } from '@rapport/contract';
import type { Definition, Scalar } from '../definition/definition.js';

/** Where an enrolment stands. */
export interface State {
  /** The step that it is at; of one that has ended, where it stood last. */
  readonly stepId: string | null;
  /** How many steps it has begun: the number of this visit. */
  readonly visit: number;
  /** When it reached the step: of one that has begun, when it began. */
  readonly stepAt: number;
  readonly phase: 'ready' | 'waiting' | 'writing' | 'calling';
  /** Of `waiting`: when it goes on whatever happens. Of `writing` and `calling`: null. */
  readonly waitUntil: number | null;
  readonly goalAt: number | null;
  readonly isHoldout: boolean;
  readonly chain: number;
  /** How many steps it has begun since it last had to wait. A circle that goes round at once is put to rest by it. */
  readonly restless?: number | undefined;
  readonly words: Words;
  /** By the id of the split. */
  readonly arms: Readonly<Record<string, string>>;
}

export interface Words {
  readonly event?: Readonly<Record<string, unknown>>;
  readonly webhook?: unknown;
}

/** What brings an enrolment before the engine. */
export type Arrival =
  /** Its time has come, or it is new, or something about the contact changed. */
  | { readonly kind: 'look' }
  /** An event that one of its branches waits for. */
  | { readonly kind: 'event'; readonly eventName: string; readonly event: ArrivedEvent }
  /** Its own write was applied. */
  | { readonly kind: 'applied'; readonly visit: number }
  /** A webhook answered, or was given up. */
  | { readonly kind: 'answered'; readonly visit: number; readonly answer: WebhookAnswer };

export interface ArrivedEvent {
  /** When it was acknowledged. */
  readonly at: number;
  readonly eventDate: string;
  readonly userId: string | null;
  readonly orgId: string | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

export type WebhookAnswer =
  /** `body` is the JSON that came, or undefined where none did. */
  | { readonly ok: true; readonly status: number; readonly body?: unknown }
  | { readonly ok: false; readonly why: string };

/** What the engine may know beside the enrolment, all of it at one moment. */
export interface StepContext {
  readonly now: number;
  readonly journeyId: string;
  readonly contactId: string;
  readonly enrolmentId: string;
  /** When the enrolment entered. */
  readonly enteredAt: number;
  readonly properties: Readonly<Record<string, unknown>>;
  /** The tenant's zone, or UTC. */
  readonly timeZone: string;
  /** What a filter comes to, by its place in the definition. Asked only for what `asks` named. */
  holds(place: string): Held;
  /** The arm that won a split of this version, if one did. */
  winnerOf(stepId: string): WonArm | undefined;
}

/** `isSignificant`: null where it was chosen by a build that did not ask. */
export interface WonArm {
  readonly arm: string;
  readonly isSignificant: boolean | null;
}

export interface Held {
  readonly holds: boolean;
  /** The next moment at which that may change by itself. */
  readonly next: number | null;
}

/** What is to be done. Applied together with the new state, or not at all. */
export type Effect =
  | {
      readonly kind: 'message';
      readonly stepId: string;
      readonly visit: number;
      readonly emailId: string;
      readonly isTransactional: boolean;
      /** When it may leave. */
      readonly dueAt: number;
      /** By the id of the split, where it has taken any by then. */
      readonly arms?: Readonly<Record<string, string>> | undefined;
      /** Not to be sent, and why. */
      readonly skipped?: 'holdout' | undefined;
    }
  | { readonly kind: 'property'; readonly visit: number; readonly property: string; readonly value: Scalar | null }
  | {
      readonly kind: 'event';
      readonly visit: number;
      readonly eventName: string;
      readonly properties: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'list'; readonly staticListId: string; readonly what: 'add' | 'remove' }
  | {
      readonly kind: 'topic';
      readonly visit: number;
      readonly topicId: string;
      readonly state: (typeof topicDefaults)[number];
    }
  | { readonly kind: 'webhook'; readonly stepId: string; readonly visit: number }
  | { readonly kind: 'journey'; readonly journeyId: string; readonly chain: number }
  | { readonly kind: 'leave'; readonly journeyId: string }
  | { readonly kind: 'goal' };

/** A line of the timeline. */
export interface Note {
  readonly at: number;
  readonly what: TimelineWord;
  readonly stepId?: string | undefined;
  /** The visit that it tells of: how an effect of the same visit finds it. */
  readonly visit?: number | undefined;
  readonly fact?: TimelineFact | undefined;
}

export interface Stepped {
  readonly state: State;
  readonly effects: readonly Effect[];
  readonly notes: readonly Note[];
  /**
   * When to look again. Null while it is ready or has ended, and while it waits for its own write or webhook and no filter changes by
   * itself.
   */
  readonly dueAt: number | null;
  readonly ended?: Ended | undefined;
}

export interface Ended {
  readonly as: 'completed' | 'exited';
  readonly reason: string | null;
}

/** `step` takes one step at most: a rounds calls it again while the state is `ready` and nothing has ended. */
export type Step = (definition: Definition, state: State, arrival: Arrival, context: StepContext) => Stepped;
/** The places of the filters that the next `step` will want to know. */
export type Asks = (definition: Definition, state: State, arrival: Arrival) => readonly string[];
