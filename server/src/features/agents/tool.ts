// What a tool is: a row of the table that tools/list shows and tools/call runs.
import type { AgentScope, BodyValue, Route } from '@rapport/contract';
import type { Static, TObject } from 'typebox';
import type { Caller } from '../../http/endpoint.js';
import type { LocalAnswer, LocalRequest } from '../../http/local-calls.js';

/** One call: the caller, and what they may do. */
export interface Session {
  caller: Caller;
  address: string;
  scopes: ReadonlySet<AgentScope>;
  /** Calls the API as this caller. */
  api<R extends Route>(route: R, request?: LocalRequest): Promise<LocalAnswer<R>>;
  /** Checks a call of the API without making it. Returns its body as the API reads it. */
  check<R extends Route>(route: R, request: LocalRequest): BodyValue<R>;
  /** For a client that can ask the person: what they said, and about which plan. Undefined: it cannot. */
  consent?: { planId: string | undefined; isGiven: boolean } | undefined;
}

export interface ToolAnswer {
  /** What the tool found or did: `structuredContent`. */
  data: Record<string, unknown>;
  /** One or two sentences about it that name no person and quote nobody. */
  text: string;
  /** What it looked at or changed, for the audit log: `journey:<id>`. Contacts by their ids alone. */
  touched?: readonly string[];
  /** Words of people that may stand anywhere in `data`: masked for an app that must not see people. */
  secrets?: readonly string[];
  isError?: boolean;
  /** How to get what had to be cut, as a sentence. */
  rest?: string;
  /** What the person has to be asked first. */
  ask?: { planId: string; message: string };
}

export interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
}

/** A JSON Schema, kept short: all tools together fit in one answer. */
type Shape = Readonly<Record<string, unknown>>;

export interface Tool {
  name: string;
  title: string;
  scopes: readonly AgentScope[];
  /** What a call wants beyond that, by its arguments. They are not checked yet. */
  alsoWants?(given: Readonly<Record<string, unknown>>): readonly AgentScope[];
  description: string;
  input: TObject;
  output: Shape;
  annotations: Annotations;
  run(given: never, session: Session): Promise<ToolAnswer>;
}

/** Ties the types of the input to those that `run` gets. */
export function tool<I extends TObject>(
  definition: Omit<Tool, 'input' | 'run'> & {
    input: I;
    run(given: Static<I>, session: Session): Promise<ToolAnswer>;
  },
): Tool {
  return definition as unknown as Tool;
}

export const reads: Annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };

/** An object of a result, by the types of its fields: `{ count: 'integer', items: 'array' }`. */
export function shape(fields: Readonly<Record<string, string | readonly string[] | Shape>>): Shape {
  const properties = Object.fromEntries(
    Object.entries(fields).map(([name, type]) => [
      name,
      typeof type === 'string' || Array.isArray(type) ? { type } : type,
    ]),
  );
  return { type: 'object', properties };
}

export const pageFields = {
  items: { type: 'array', items: { type: 'object' } },
  total: 'integer',
  nextCursor: ['string', 'null'],
  cut: 'string',
} as const;
/** A page of a list. */
export const pageShape = shape(pageFields);
