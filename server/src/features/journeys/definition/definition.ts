import type {
  AssetKind,
  StepFields,
  StepType,
  TopicState,
  topicDefaults,
  webhookMethods,
  winnerMeasures,
} from '@rapport/contract';
import type { Duration, EventTest, Filter } from '../../filter-language/index.js';
// A journey's definition that was read and checked: what the engine works on. read.ts makes it from JSON.

export interface Definition {
  readonly entry: Entry;
  /** At least one; the first is where one begins. */
  readonly steps: readonly Step[];
  readonly exitWhen?: Filter | undefined;
  readonly goal?: { readonly filter: Filter; readonly exit: boolean } | undefined;
  readonly reentry: Reentry;
  readonly cap?: { readonly messages: number; readonly per: Duration } | undefined;
  readonly window?: SendWindow | undefined;
  /** Whole percent, 0 where there is none. */
  readonly holdout: number;
}

export type Audience = { readonly staticListId: string } | { readonly dynamicListId: string };

export type Entry =
  | { readonly kind: 'batch'; readonly audience: Audience; readonly schedule?: Schedule | undefined }
  | { readonly kind: 'event'; readonly eventName: string; readonly where?: EventTest | undefined }
  | { readonly kind: 'joined'; readonly list: Audience }
  | { readonly kind: 'left'; readonly dynamicListId: string }
  | {
      readonly kind: 'property';
      readonly property: string;
      readonly from?: Scalar | undefined;
      readonly to?: Scalar | undefined;
    }
  | { readonly kind: 'form'; readonly formId: string }
  | { readonly kind: 'topic'; readonly topicId: string; readonly becomes: TopicState }
  | {
      readonly kind: 'date';
      readonly property: string;
      /** Milliseconds, negative for before. */
      readonly offset: number;
      /** Minutes since midnight. */
      readonly at?: number | undefined;
      readonly yearly: boolean;
    }
  | { readonly kind: 'api' };

export type Scalar = string | number | boolean;

/** `at` in milliseconds since 1970. */
export type Schedule =
  | { readonly kind: 'at'; readonly at: number }
  | { readonly kind: 'cron'; readonly cron: string; readonly timeZone: string };

export type Reentry = 'never' | 'afterExit' | 'always' | { readonly after: Duration };

/** `timeZone` undefined: the contact's. Minutes since midnight; `to` before `from` passes midnight. */
export interface SendWindow {
  /** 1 is Monday. All seven if none are named. */
  readonly days: readonly number[];
  readonly from: number;
  readonly to: number;
  readonly timeZone: string | undefined;
}

/** Where one goes after a step. Null: the end. Always resolved: an absent `next` is the following step. */
export type Next = string | null;

/** A value as written, or one that the event which started the journey had at this path. */
export type Value = { readonly value: Scalar | null } | { readonly entry: readonly string[] };

/** `place` is where it stands: `definition.steps[1]`. */
export interface At {
  readonly id: string;
  /** What people call it. */
  readonly name?: string | undefined;
  readonly place: string;
}

/** What fields hold that need no reading of their own. */
export interface PlainValues extends Readonly<Record<AssetKind, string>> {
  readonly flag: boolean;
  readonly topicState: (typeof topicDefaults)[number];
  readonly way: Next;
}

/** Types with such fields only: the grammar says how they are read. */
export type PlainType = {
  [Type in StepType]: StepFields<Type>[keyof StepFields<Type>] extends keyof PlainValues ? Type : never;
}[StepType];

export type PlainStep = {
  [Type in PlainType]: At & { readonly type: Type } & {
    readonly [Field in keyof StepFields<Type>]: PlainValues[StepFields<Type>[Field] & keyof PlainValues];
  };
}[PlainType];

export type Step =
  | PlainStep
  | (At & {
      readonly type: 'delay';
      readonly until: DelayUntil;
      readonly spread?: Duration | undefined;
      readonly next: Next;
    })
  | (At & {
      readonly type: 'waitUntil';
      readonly branches: readonly WaitBranch[];
      readonly timeout: Duration;
      readonly onTimeout: Next;
    })
  | (At & {
      readonly type: 'branch';
      readonly cases: readonly { readonly filter: Filter; readonly next: Next }[];
      readonly otherwise: Next;
    })
  | (At & { readonly type: 'split'; readonly arms: readonly Arm[]; readonly winner?: Winner | undefined })
  | (At & { readonly type: 'updateProperty'; readonly property: string; readonly value: Value; readonly next: Next })
  | (At & {
      readonly type: 'webhook';
      readonly url: string;
      readonly method: (typeof webhookMethods)[number];
      readonly headers: Readonly<Record<string, string>>;
      /** Liquid. Undefined: the service's own JSON of contact and journey. */
      readonly body?: string | undefined;
      readonly timeoutMs: number;
      /** Where one goes when it was given up. Undefined: as `next`. */
      readonly onError?: Next | undefined;
      readonly next: Next;
    })
  | (At & {
      readonly type: 'emitEvent';
      readonly eventName: string;
      readonly properties: Readonly<Record<string, unknown>>;
      readonly next: Next;
    })
  | (At & { readonly type: 'exit'; readonly reason?: string | undefined });

export type DelayUntil =
  | { readonly kind: 'for'; readonly duration: Duration }
  /** Minutes since midnight; `days` as in a window. */
  | { readonly kind: 'time'; readonly at: number; readonly days: readonly number[] }
  /** On the contact's own clock: see Local. */
  | { readonly kind: 'local'; readonly at: number }
  | { readonly kind: 'property'; readonly property: string; readonly offset: number };

export type WaitBranch =
  | { readonly kind: 'event'; readonly eventName: string; readonly where?: EventTest | undefined; readonly next: Next }
  | { readonly kind: 'filter'; readonly filter: Filter; readonly next: Next };

export interface Arm {
  readonly name: string;
  readonly percent: number;
  readonly next: Next;
}

export interface Winner {
  readonly by: (typeof winnerMeasures)[number];
  readonly after: Duration;
  readonly minimum: number;
}

/** Every id that a definition names, with its place. */
export type References = Readonly<Record<AssetKind | 'dynamicList' | 'form', readonly Reference[]>>;

export interface Reference {
  readonly id: string;
  readonly place: string;
}
