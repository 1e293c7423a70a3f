// A journey's definition as the canvas works on it. A draft may be unfinished, so everything that a person fills in later is optional here;
// what activation refuses is the service's to say.
import type { AssetKind, FieldKind, StepFields, StepType, TopicState } from '@rapport/contract';

export { type StepType, stepTypes } from '@rapport/contract';

export type Next = string | null;
export type FilterJson = Readonly<Record<string, unknown>>;
export type ListRef = { readonly staticListId?: string | undefined; readonly dynamicListId?: string | undefined };

interface EventRef {
  readonly eventName: string;
  readonly where?: FilterJson | undefined;
}

export interface WaitBranch {
  readonly event?: EventRef | undefined;
  readonly filter?: FilterJson | undefined;
  readonly next?: Next | undefined;
}
export interface Case {
  readonly filter?: FilterJson | undefined;
  readonly next?: Next | undefined;
}
export interface Arm {
  readonly name: string;
  readonly percent: number;
  readonly next?: Next | undefined;
}
export interface Winner {
  readonly by: 'clicked' | 'goal';
  readonly after: string;
  readonly minimum: number;
}

/** What a field of each kind holds. */
interface FieldValues extends Readonly<Record<AssetKind, string>> {
  readonly duration: string;
  readonly offset: string;
  readonly timeOfDay: string;
  readonly localTime: string;
  readonly weekdays: readonly number[];
  readonly propertyKey: string;
  readonly value: unknown;
  readonly eventName: string;
  readonly eventProperties: Readonly<Record<string, unknown>>;
  readonly flag: boolean;
  readonly topicState: 'subscribed' | 'unsubscribed';
  readonly text: string;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly template: string;
  readonly branches: readonly WaitBranch[];
  readonly cases: readonly Case[];
  readonly arms: readonly Arm[];
  readonly winner: Winner;
  readonly way: Next;
}
/** The ways of a step: without them it could not be drawn. */
type Needed = 'branches' | 'cases' | 'arms';
type Kinds<Type extends StepType> = Readonly<Record<keyof StepFields<Type>, FieldKind>> & StepFields<Type>;

/** A step as the contract's grammar describes it. `next` absent: the following step; null: the end. */
type StepOf<Type extends StepType> = {
  readonly id: string;
  /** What people call it. */
  readonly name?: string | undefined;
  readonly type: Type;
  readonly next?: Next | undefined;
} & {
  readonly [Field in keyof StepFields<Type> as Kinds<Type>[Field] extends Needed
    ? Field
    : never]: FieldValues[Kinds<Type>[Field]];
} & {
  readonly [Field in keyof StepFields<Type> as Kinds<Type>[Field] extends Needed ? never : Field]?:
    | FieldValues[Kinds<Type>[Field]]
    | undefined;
};
export type Step = { [Type in StepType]: StepOf<Type> }[StepType];
export type SendEmail = StepOf<'sendEmail'>;
export type Delay = StepOf<'delay'>;
export type WaitUntil = StepOf<'waitUntil'>;
export type Branch = StepOf<'branch'>;
export type Split = StepOf<'split'>;
export type UpdateProperty = StepOf<'updateProperty'>;
export type Webhook = StepOf<'webhook'>;
export type EmitEvent = StepOf<'emitEvent'>;
export type SetTopic = StepOf<'setTopic'>;

export type Schedule = {
  readonly at?: string | undefined;
  readonly cron?: string | undefined;
  readonly timeZone?: string | undefined;
};
/** One of the keys; none until one is chosen. */
export interface Entry {
  readonly audience?: ListRef | undefined;
  readonly schedule?: Schedule | undefined;
  readonly event?: EventRef | undefined;
  readonly joined?: ListRef | undefined;
  readonly left?: ListRef | undefined;
  readonly propertyChanged?: { property: string; from?: unknown; to?: unknown } | undefined;
  readonly date?:
    | { property: string; offset?: string | undefined; at?: string | undefined; yearly?: boolean | undefined }
    | undefined;
  readonly form?: { formId?: string | undefined } | undefined;
  readonly topic?: { topicId?: string | undefined; becomes?: TopicState | undefined } | undefined;
  readonly api?: true | undefined;
}

export interface SendWindow {
  readonly days?: readonly number[] | undefined;
  readonly from: string;
  readonly to: string;
  readonly timeZone: string;
}

export interface Definition {
  readonly entry: Entry;
  readonly steps: readonly Step[];
  readonly exitWhen?: FilterJson | undefined;
  readonly goal?: { readonly filter: FilterJson; readonly exit?: boolean | undefined } | undefined;
  readonly reentry?: 'never' | 'afterExit' | 'always' | { readonly after: string } | undefined;
  readonly cap?: { readonly messages: number; readonly per: string } | undefined;
  readonly window?: SendWindow | undefined;
  readonly holdout?: number | undefined;
}

export const emptyDefinition: Definition = { entry: {}, steps: [] };
