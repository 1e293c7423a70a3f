// What a journey is told to do, what the world does meanwhile, and what is told of it: before and after the interpreter.

/** A step as it is sent. Which keys are there depends on its type. */
export interface SentStep {
  readonly id: string;
  readonly type: string;
  readonly next?: Goes;
  readonly onError?: Goes;
  readonly onTimeout?: Goes;
  readonly otherwise?: Goes;
  readonly emailId?: string;
  readonly transactional?: boolean;
  readonly for?: string;
  readonly spread?: string;
  readonly untilTime?: string;
  readonly days?: readonly number[];
  readonly untilProperty?: string;
  readonly offset?: string;
  readonly timeout?: string;
  readonly branches?: readonly SentBranch[];
  readonly cases?: readonly { readonly filter: object; readonly next?: Goes }[];
  readonly arms?: readonly { readonly name: string; readonly percent: number; readonly next?: Goes }[];
  readonly property?: string;
  readonly value?: unknown;
  readonly eventName?: string;
  readonly reason?: string;
}

type Goes = string | null | undefined;
interface SentBranch {
  readonly filter?: object;
  readonly event?: { readonly eventName: string; readonly where?: object };
  readonly next?: Goes;
}

export interface SentDefinition {
  readonly steps: readonly SentStep[];
  readonly exitWhen?: object;
  readonly goal?: { readonly exit?: boolean };
  readonly holdout?: number;
  readonly window?: { readonly from: string; readonly to: string; readonly days?: readonly number[] };
}

/** What the world does to the contact, known beforehand. */
export interface Story {
  readonly journeyId: string;
  readonly contactId: string;
  readonly enrolmentId: string;
  readonly start: number;
  readonly end: number;
  readonly mostVisits: number;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly entry: Readonly<Record<string, unknown>>;
  /** In the order in which they come. */
  readonly events: readonly { at: number; eventName: string; properties: Readonly<Record<string, unknown>> }[];
  /** When each filter changes, by its place: it is false before the first of them. */
  readonly changes: Readonly<Record<string, readonly number[]>>;
  /** How long a write or webhook takes, and whether webhooks answer. */
  readonly latency: number;
  /** How long the write of a property takes, if not as long as that. */
  readonly propertyLatency?: number;
  readonly answers: boolean;
  readonly winners: Readonly<Record<string, string>>;
  /** No contact moves from one to the other; what happened meanwhile is looked at then. */
  readonly pauses?: readonly { from: number; to: number }[];
  /** From then on who stands on a step that this has too goes on with it. */
  readonly move?: { at: number; definition: SentDefinition };
  /** Told when a contact that went round a circle at once is put to rest, after so many visits. */
  onRest?(visits: number): void;
}

export interface Told {
  /** `visit stepId at`. */
  readonly visits: string[];
  /** What was done, in its order. */
  readonly done: string[];
  ended: string | null;
}
