// The input and output of the interpreter: a journey's definition, what happens in the world, and what is reported about it.

/** A step as it is sent. Its keys depend on its type. */
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
  readonly untilLocal?: string;
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
  readonly topicId?: string;
  readonly state?: string;
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

/** What happens to the contact, known in advance. */
export interface Story {
  readonly journeyId: string;
  readonly contactId: string;
  readonly enrolmentId: string;
  readonly start: number;
  readonly end: number;
  readonly mostVisits: number;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly entry: Readonly<Record<string, unknown>>;
  /** In order of arrival. */
  readonly events: readonly { at: number; eventName: string; properties: Readonly<Record<string, unknown>> }[];
  /** When each filter changes, by its place: it is false before the first change. */
  readonly changes: Readonly<Record<string, readonly number[]>>;
  /** How long a write or webhook takes, and whether webhooks respond. */
  readonly latency: number;
  /** How long the write of a property takes, if different from that. */
  readonly propertyLatency?: number;
  readonly answers: boolean;
  readonly winners: Readonly<Record<string, string>>;
  /** No contact moves between these two; what happened meanwhile is processed afterwards. */
  readonly pauses?: readonly { from: number; to: number }[];
  /** From then on, contacts at a step that this definition also has continue with it. */
  readonly move?: { at: number; definition: SentDefinition };
  /** Called when a contact that went round a cycle at once is put to rest, after this many visits. */
  onRest?(visits: number): void;
}

export interface Told {
  /** `visit stepId at`. */
  readonly visits: string[];
  /** What was done, in order. */
  readonly done: string[];
  ended: string | null;
}

/** A value that stands for a property of the event that a contact entered with. */
export function isEntry(value: unknown): value is { entry: string } {
  return typeof value === 'object' && value !== null && 'entry' in value;
}
