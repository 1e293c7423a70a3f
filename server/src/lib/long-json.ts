// Parses JSON that would block the event loop for too long. V8 needs 0.3 to 1.7 s for 500,000 keys: long arrays near the top, which hold
// the bulk of any large request, are parsed in slices.

import { parseJson } from './parse-json.js';
import { randomToken } from './random.js';
import { Turn } from './turns.js';

// Roughly how many brackets, commas and colons a slice has: a few milliseconds.
const sliceWeight = 5000;
// Arrays in objects in objects: `{"type":…,"body":{"batch":[…]}}`.
const deepest = 3;
// Characters. Shorter text has too few values to matter.
const longText = 64 * 1024;

interface LongArray {
  /** The offsets of its brackets. */
  from: number;
  to: number;
  /** The offsets of the commas between slices. */
  cuts: number[];
}

interface Layout {
  arrays: LongArray[];
  /** The weight of the heaviest part that is parsed in one piece. */
  heaviest: number;
  /** The number of items in the longest of these arrays. */
  longest: number;
}

/** One pass over the bytes: which arrays to cut, and where. For invalid JSON the result is arbitrary; parsing refuses it. */
export function layoutOf(bytes: Buffer): Layout {
  const arrays: LongArray[] = [];
  let open: LongArray | undefined;
  let openDepth = 0;
  let depth = 0;
  /** The weight of everything, of what cut arrays hold, and where the current item, slice and array began. */
  let weight = 0;
  let cutWeight = 0;
  let itemAt = 0;
  let sliceAt = 0;
  let arrayAt = 0;
  let heaviest = 0;
  let items = 0;
  let longest = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === 0x22) {
      for (i++; i < bytes.length && bytes[i] !== 0x22; i++) if (bytes[i] === 0x5c) i++;
    } else if (byte === 0x3a) weight++;
    else if (byte === 0x2c) {
      weight++;
      if (!open || depth !== openDepth) continue;
      if (weight - itemAt > heaviest) heaviest = weight - itemAt;
      itemAt = weight;
      items++;
      if (weight - sliceAt < sliceWeight) continue;
      open.cuts.push(i);
      sliceAt = weight;
    } else if (byte === 0x5b || byte === 0x7b) {
      weight++;
      depth++;
      // If the outermost value is an array, nothing is cut.
      if (byte === 0x5b && depth === 1) return { arrays: [], heaviest: Number.POSITIVE_INFINITY, longest: 0 };
      if (byte !== 0x5b || open || depth > deepest) continue;
      open = { from: i, to: i, cuts: [] };
      openDepth = depth;
      itemAt = sliceAt = arrayAt = weight;
      items = 1;
    } else if (byte === 0x5d || byte === 0x7d) {
      if (open && depth === openDepth) {
        heaviest = Math.max(heaviest, weight - itemAt);
        longest = Math.max(longest, items);
        open.to = i;
        if (open.cuts.length > 0) {
          arrays.push(open);
          cutWeight += weight - arrayAt;
        }
        open = undefined;
      }
      depth--;
    }
  }
  return { arrays, heaviest: Math.max(heaviest, weight - cutWeight), longest };
}

/** Like JSON.parse, but yields to the event loop between slices. */
export async function parseInSlices(bytes: Buffer, { arrays }: Layout = layoutOf(bytes)): Promise<unknown> {
  const turn = new Turn();
  const mark = randomToken('');
  const parts: unknown[][] = [];
  let rest = '';
  let at = 0;
  for (const [n, { from, to, cuts }] of arrays.entries()) {
    const items: unknown[] = [];
    let start = from + 1;
    for (const end of [...cuts, to]) {
      if (turn.isOver) await turn.next();
      const slice = parseJson(`[${bytes.toString('utf8', start, end)}]`) as unknown[];
      // There is something between two commas.
      if (slice.length === 0) throw new SyntaxError('An item is missing.');
      for (const item of slice) items.push(item);
      start = end + 1;
    }
    parts.push(items);
    rest += `${bytes.toString('utf8', at, from)}"${mark}${n}"`;
    at = bytes[to] === 0x5d ? to + 1 : to;
  }
  if (turn.isOver) await turn.next();
  return putBack(parseJson(rest + bytes.toString('utf8', at)), mark, parts, 1);
}

/** Replaces each mark with its array. */
function putBack(value: unknown, mark: string, parts: unknown[][], depth: number): unknown {
  if (typeof value === 'string' && value.startsWith(mark)) return parts[Number(value.slice(mark.length))];
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > deepest) return value;
  const object = value as Record<string, unknown>;
  for (const key of Object.keys(object)) object[key] = putBack(object[key], mark, parts, depth + 1);
  return object;
}

/** Text that was read before, and may be long. */
export async function parseLong<T>(text: string): Promise<T> {
  return (text.length < longText ? parseJson(text) : await parseInSlices(Buffer.from(text))) as T;
}
