// Runs one tool: reads its arguments, calls it, masks, bounds and logs what it answers.

import { isObject } from '@rapport/contract';
import type { TObject } from 'typebox';
import { ApiError, invalid } from '../../http/api-error.js';
import { bodyReader } from '../../http/body.js';
import type { auditGroups } from '../audit/index.js';
import { bounded, shortened } from './bound.js';
import { maskAddress, masked } from './mask.js';
import { findNearest, missedIn, nearestOf } from './nearest.js';
import { rangeOf } from './paging.js';
import type { Session, Tool, ToolAnswer } from './tool.js';

type Json = Record<string, unknown>;

/** Writes into the audit log. */
export type Audit = ReturnType<typeof auditGroups>;

/** What tools/call answers. */
interface ToolResult {
  [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent: Json;
  isError?: boolean;
  /** Instead of a result: the person is asked first. */
  ask?: NonNullable<ToolAnswer['ask']>;
}

export async function callTool(audit: Audit, tool: Tool, given: unknown, session: Session): Promise<ToolResult> {
  const answer = await answerOf(tool, given, session);
  await note(audit, tool, answer, session);
  return resultOf(answer, given, session);
}

async function answerOf(tool: Tool, given: unknown, session: Session): Promise<ToolAnswer> {
  try {
    const read = readArguments(tool, given);
    return await tool.run(read as never, session);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    return refusal(error, isObject(given) ? given : {}, session);
  }
}

const readers = new WeakMap<TObject, { all(body: unknown): unknown; some(body: unknown): unknown }>();

/** Reads arguments as the API reads bodies. Null is the same as absent, unless it clears something. */
function readArguments({ input }: Tool, given: unknown): unknown {
  const reader = readers.get(input) ?? { all: bodyReader(input, 'POST'), some: bodyReader(input, 'PATCH') };
  readers.set(input, reader);
  if (given !== undefined && !isObject(given)) throw invalid('arguments', 'must be an object');
  const known: Record<string, { type?: unknown }> = input.properties;
  const kept = Object.entries(given ?? {}).filter(
    ([name, value]) => value !== null || [known[name]?.type].flat().includes('null'),
  );
  for (const [name] of kept)
    if (!Object.hasOwn(known, name))
      throw invalid(
        name,
        `is no argument of this tool. Nearest: ${nearestOf(name, Object.keys(known), (key) => [key]).join(', ')}`,
      );
  return kept.length === 0 ? reader.all({}) : reader.some(Object.fromEntries(kept));
}

/** What the API refuses, in its words; and what the caller may have meant. */
async function refusal(error: ApiError, given: Json, session: Session): Promise<ToolAnswer> {
  const { items } = error;
  const what = missedBy(error);
  const nearest = what === undefined ? [] : await findNearest(what, given, session);
  const said = items.map(({ message }) => message).join(' ');
  const isPeople = what === 'contact';
  const names = nearest.map((each) => `“${each.name}” (${Object.values(each)[0]})`).join(', ');
  const meant = nearest.length === 0 || isPeople ? '' : ` Nearest: ${names}.`;
  return {
    ...{ isError: true, text: `${said}${meant}`.slice(0, 1500) },
    data: { errors: items, ...(what === undefined ? {} : { nearest }) },
  };
}

/** What the API did not find. */
function missedBy({ code, message }: ApiError): string | undefined {
  return code === 'BAS-E-002' ? 'contact' : missedIn(message);
}

// The short text is one or two sentences; a refusal may name much.
const mostTextBytes = 2000;
// From the start of a word alone, as in mask.ts.
const anyAddress = /(?<![^\s@“"])[^\s@“"]+@[^\s@”"]+/g;

function resultOf(answer: ToolAnswer, given: unknown, { scopes }: Session): ToolResult {
  const seesPeople = scopes.has('people');
  const shown = seesPeople ? answer.data : masked(answer.data, answer.secrets);
  const { offset } = startOf(given);
  const said = seesPeople ? answer.text : answer.text.replace(anyAddress, maskAddress);
  const text = shortened(said, mostTextBytes);
  return {
    content: [{ type: 'text', text }],
    structuredContent: bounded(shown, { offset, beside: text, rest: answer.rest }),
    ...(answer.isError ? { isError: true } : {}),
    ...(answer.ask ? { ask: answer.ask } : {}),
  };
}

function startOf(given: unknown): { offset: number } {
  const cursor = isObject(given) && typeof given.cursor === 'string' ? given.cursor : undefined;
  try {
    return rangeOf(cursor === undefined ? {} : { cursor });
  } catch {
    return { offset: 0 };
  }
}

/** Every call is in the audit log: the app, the person, what was asked and what it touched. */
async function note(
  audit: Audit,
  tool: Tool,
  { touched = [], isError, ask }: ToolAnswer,
  session: Session,
): Promise<void> {
  const { tenantId, accountId, clientId, tokenId } = session.caller;
  await audit({ tenantId, accountId, address: session.address }, 'agent.called', tool.name, {
    app: clientId ?? null,
    tokenId,
    tool: tool.name,
    touched: touched.slice(0, 50),
    outcome: ask ? 'asked' : isError ? 'refused' : 'done',
  });
}
