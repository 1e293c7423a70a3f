// No answer is longer than a bound. What is cut says so, and how to get the rest.
import { isObject } from '../../lib/is-object.js';
import { cursorAt } from './paging.js';

/** Bytes of JSON of a whole answer. */
const mostBytes = 40_960;
// What stands around the data: the envelope of the protocol and the short text.
const aroundBytes = 2560;
const mostDataBytes = mostBytes - aroundBytes;
const leastText = 200;
// Objects with more are data of people, such as their properties.
const mostFields = 25;

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value) ?? '');

type Json = Record<string, unknown>;

/** `offset`: where the page begins, for a list. */
export function bounded(data: Json, offset = 0): Json {
  if (bytesOf(data) <= mostDataBytes) return data;
  return Array.isArray(data.items) && 'nextCursor' in data ? cutPage(data, offset) : cutAnything(data);
}

function cutPage(data: Json, offset: number): Json {
  const items = data.items as unknown[];
  let kept = items.length;
  const shown = () => ({
    ...data,
    items: items.slice(0, kept),
    nextCursor: cursorAt(offset + kept),
    cut: `Only ${kept} of ${items.length} items fit into one answer. Call again with cursor: nextCursor for the next ones.`,
  });
  while (kept > 1 && bytesOf(shown()) > mostDataBytes) kept = Math.max(1, Math.floor(kept * 0.8));
  const page = shown();
  return bytesOf(page) <= mostDataBytes ? page : cutAnything(page);
}

interface Piece {
  holder: Json | unknown[];
  key: string | number;
  path: string;
  bytes: number;
}

/** Takes away from the largest text or array until the rest fits. */
function cutAnything(data: Json): Json {
  const copy = structuredClone(data);
  const cuts = new Map<string, string>();
  while (bytesOf({ ...copy, cut: [...cuts.values()].join(' ') }) > mostDataBytes) {
    const largest = piecesOf(copy).sort((a, b) => b.bytes - a.bytes)[0];
    if (!largest) break;
    cutPiece(largest, cuts);
  }
  if (bytesOf(copy) > mostDataBytes) return { cut: `The answer does not fit into ${mostBytes} bytes. ${advice}` };
  const before = typeof data.cut === 'string' ? `${data.cut} ` : '';
  return { ...copy, cut: `${before}${[...cuts.values()].slice(0, 5).join(' ')} ${advice}`.slice(0, 1500) };
}

const advice = 'Ask for less: fewer contacts or steps, a shorter window, or one thing by its id.';

function cutPiece({ holder, key, path }: Piece, cuts: Map<string, string>): void {
  const value = (holder as Json)[key as string];
  if (typeof value === 'string') {
    const kept = value.slice(0, Math.floor(value.length / 2)).replace(/[\ud800-\udbff]$/, '');
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
