// No answer is longer than a bound. What is cut says so, and how to get the rest.
import { isObject } from '@rapport/contract';
import { parseJson } from '../../lib/parse-json.js';
import { cursorAt } from './paging.js';

/** Bytes of JSON of a whole answer. */
const mostBytes = 40_960;
// What the protocol writes around a result.
const aroundBytes = 512;
const leastText = 200;
// Objects with more are data of people, such as their properties.
const mostFields = 25;

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '');

type Json = Record<string, unknown>;

interface Room {
  /** Where the page begins, for a list. */
  offset?: number;
  /** What an answer has besides the data. */
  beside?: unknown;
  /** The data is a text of JSON, with its quotes escaped. */
  isText?: boolean;
  /** How to get the rest. */
  rest?: string | undefined;
}

interface Limits {
  fits(data: Json): boolean;
  rest: string;
}

export function bounded(data: Json, { offset = 0, beside = '', isText = false, rest = advice }: Room = {}): Json {
  const room = mostBytes - aroundBytes - bytesOf(beside);
  const size = (value: unknown) => bytesOf(isText ? JSON.stringify(value) : value);
  const limits = { fits: (value: Json) => size(value) <= room, rest };
  if (limits.fits(data)) return data;
  return Array.isArray(data.items) && 'nextCursor' in data ? cutPage(data, offset, limits) : cutAnything(data, limits);
}

/** The JSON of a message, or an error in its place: what the library says by itself, of what it could not read, has no bound. */
export function boundedMessage(text: string): string {
  if (Buffer.byteLength(text) <= mostBytes) return text;
  const message = parseJson(text);
  const id = isObject(message) ? message.id : null;
  const error = { code: -32_603, message: `The answer would be longer than ${mostBytes} bytes. Ask for less.` };
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}

/** A text that takes at most so many bytes as JSON. */
export function shortened(text: string, most: number): string {
  let kept = text;
  while (bytesOf(kept) > most) kept = `${wholeTo(kept, Math.floor(kept.length * 0.8))}…`;
  return kept;
}

/** As many items as fit, from a place on; at least one. `next`: where to go on. */
export function fitting<T>(items: readonly T[], from: number, most: number): { part: T[]; next: number | null } {
  let bytes = 0;
  let to = from;
  for (; to < items.length; to++) {
    bytes += bytesOf(items[to]) + 1;
    if (bytes > most && to > from) break;
  }
  return { part: items.slice(from, to), next: to < items.length ? to : null };
}

function cutPage(data: Json, offset: number, limits: Limits): Json {
  const items = data.items as unknown[];
  let kept = items.length;
  const shown = () => ({
    ...data,
    items: items.slice(0, kept),
    nextCursor: cursorAt(offset + kept),
    cut: `Only ${kept} of ${items.length} items fit into one answer. Call again with cursor: nextCursor for the next ones.`,
  });
  while (kept > 1 && !limits.fits(shown())) kept = Math.max(1, Math.floor(kept * 0.8));
  const page = shown();
  return limits.fits(page) ? page : cutAnything(page, limits);
}

interface Piece {
  holder: Json | unknown[];
  key: string | number;
  path: string;
  bytes: number;
}

/** Takes away from the largest text or array until the rest fits. */
function cutAnything(data: Json, { fits, rest }: Limits): Json {
  const copy = structuredClone(data);
  const cuts = new Map<string, string>();
  const before = typeof data.cut === 'string' ? `${data.cut} ` : '';
  const shown = () => ({
    ...copy,
    cut: shortened(`${before}${[...cuts.values()].slice(0, 5).join(' ')} ${rest}`, 1500),
  });
  while (!fits(shown())) {
    const largest = piecesOf(copy).sort((a, b) => b.bytes - a.bytes)[0];
    if (!largest) return { cut: `The answer does not fit into ${mostBytes} bytes. ${rest}` };
    cutPiece(largest, cuts);
  }
  return shown();
}

const advice = 'Ask for less: fewer contacts or steps, a shorter window, or one thing by its id.';

function wholeTo(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
}

function cutPiece({ holder, key, path }: Piece, cuts: Map<string, string>): void {
  const value = (holder as Json)[key as string];
  if (typeof value === 'string') {
    const kept = wholeTo(value, Math.floor(value.length / 2));
    (holder as Json)[key as string] = `${kept}…`;
    cuts.set(path, `${path} is cut after ${kept.length} characters.`);
  } else if (Array.isArray(value)) {
    value.length = Math.floor(value.length / 2);
    cuts.set(path, `${path} shows only its first ${value.length}.`);
  } else if (isObject(value)) {
    const keys = Object.keys(value);
    for (const name of keys.slice(Math.floor(keys.length / 2))) delete value[name];
    cuts.set(path, `${path} shows only ${Math.floor(keys.length / 2)} of its fields.`);
  }
}

function piecesOf(data: Json): Piece[] {
  const pieces: Piece[] = [];
  const walk = (holder: Json | unknown[], path: string) => {
    for (const [key, value] of Object.entries(holder)) {
      const at = Array.isArray(holder) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
      const isText = typeof value === 'string' && value.length > leastText;
      const isWide = isObject(value) && Object.keys(value).length > mostFields;
      if (isText || isWide || (Array.isArray(value) && value.length > 0))
        pieces.push({ holder, key, path: at, bytes: bytesOf(value) });
      if (Array.isArray(value) || isObject(value)) walk(value as Json, at);
    }
  };
  walk(data, '');
  return pieces;
}
