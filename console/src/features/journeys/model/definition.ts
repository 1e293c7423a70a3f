// A journey's definition as the canvas works on it. A draft may be unfinished, so everything that a person fills in later is optional here;
// what activation refuses is the service's to say.
export type Next = string | null;
export type FilterJson = Readonly<Record<string, unknown>>;
export type ListRef = { readonly staticListId?: string | undefined; readonly dynamicListId?: string | undefined };

export interface EventRef {
  readonly eventName: string;
  readonly where?: FilterJson | undefined;
}

interface Base {
  readonly id: string;
  /** Absent: the following step. Null: the end. */
  readonly next?: Next | undefined;
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

export type SendEmail = Base & {
  readonly type: 'sendEmail';
  readonly emailId?: string | undefined;
  readonly transactional?: boolean | undefined;
};
export type Delay = Base & {
  readonly type: 'delay';
  readonly for?: string | undefined;
  readonly untilTime?: string | undefined;
  readonly days?: readonly number[] | undefined;
  readonly untilProperty?: string | undefined;
  readonly offset?: string | undefined;
  readonly spread?: string | undefined;
};
export type WaitUntil = Base & {
  readonly type: 'waitUntil';
  readonly branches: readonly WaitBranch[];
  readonly timeout?: string | undefined;
  readonly onTimeout?: Next | undefined;
};
export type Branch = Base & {
  readonly type: 'branch';
  readonly cases: readonly Case[];
  readonly otherwise?: Next | undefined;
};
export type Split = Base & {
  readonly type: 'split';
  readonly arms: readonly Arm[];
  readonly winner?: Winner | undefined;
};
export type UpdateProperty = Base & {
  readonly type: 'updateProperty';
  readonly property?: string | undefined;
  readonly value?: unknown;
};
export type ChangeList = Base & {
  readonly type: 'addToList' | 'removeFromList';
  readonly staticListId?: string | undefined;
};
export type Webhook = Base & {
  readonly type: 'webhook';
  readonly url?: string | undefined;
  readonly method?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly body?: string | undefined;
  readonly timeout?: string | undefined;
  readonly onError?: Next | undefined;
};
export type EmitEvent = Base & {
  readonly type: 'emitEvent';
  readonly eventName?: string | undefined;
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
};
export type StartJourney = Base & { readonly type: 'startJourney'; readonly journeyId?: string | undefined };
export type Exit = Base & { readonly type: 'exit'; readonly reason?: string | undefined };

export type Step =
  | SendEmail
  | Delay
  | WaitUntil
  | Branch
  | Split
  | UpdateProperty
  | ChangeList
  | Webhook
  | EmitEvent
  | StartJourney
  | Exit;
export type StepType = Step['type'];
export const stepTypes: readonly StepType[] = [
  ...(['sendEmail', 'delay', 'waitUntil', 'branch', 'split'] as const),
  ...(['updateProperty', 'addToList', 'removeFromList', 'webhook', 'emitEvent', 'startJourney', 'exit'] as const),
];

export type Schedule = {
  readonly at?: string | undefined;
  readonly cron?: string | undefined;
  readonly timeZone?: string | undefined;
};
/** One of the keys; none while nobody has chosen. */
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
