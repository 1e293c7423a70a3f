// Parses JSON that would block the event loop for too long. V8 needs 0.3 to 1.7 s for 500,000 keys: long arrays, which hold the bulk of any
// large request, are parsed in slices, also those inside of others.

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
  /** Inner ones before those that they are in. */
  arrays: LongArray[];
  /** The weight of the heaviest part that is parsed in one piece. */
  heaviest: number;
  /** The weight of the largest item of an array near the top, or of all that is beside those, with what is cut from it. */
  largest: number;
  /** The number of items in the longest array near the top. */
  longest: number;
}

/** An array whose end was not seen yet. One is made for each level and used again: there may be a million arrays. */
class OpenArray {
  from = 0;
  depth = 0;
  isNearTop = false;
  items = 0;
  cuts: number[] = [];
  /** The weight up to its begin, and to that of its current item and slice, without what was cut. */
  at = 0;
  itemAt = 0;
  sliceAt = 0;
  /** With what was cut. */
  wholeAt = 0;
  wholeItemAt = 0;
}

/** One pass over the bytes: which arrays to cut, and where. For invalid JSON the result is arbitrary; parsing refuses it. */
export function layoutOf(bytes: Buffer): Layout {
  const layout: Layout = { arrays: [], heaviest: 0, largest: 0, longest: 0 };
  const levels: OpenArray[] = [];
  let level = 0;
  let open: OpenArray | undefined;
  let depth = 0;
  let weight = 0;
  let cutWeight = 0;
  let nearTopWeight = 0;
  const endItem = ({ itemAt, wholeItemAt, isNearTop }: OpenArray) => {
    if (weight - itemAt > layout.heaviest) layout.heaviest = weight - itemAt;
    if (isNearTop) layout.largest = Math.max(layout.largest, weight + cutWeight - wholeItemAt);
  };
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === 0x22) {
      for (i++; i < bytes.length && bytes[i] !== 0x22; i++) if (bytes[i] === 0x5c) i++;
    } else if (byte === 0x3a) weight++;
    else if (byte === 0x2c) {
      weight++;
      if (!open || depth !== open.depth) continue;
      endItem(open);
      open.items++;
      open.itemAt = weight;
      open.wholeItemAt = weight + cutWeight;
      if (weight - open.sliceAt < sliceWeight) continue;
      open.cuts.push(i);
      open.sliceAt = weight;
    } else if (byte === 0x5b || byte === 0x7b) {
      weight++;
      depth++;
      if (byte !== 0x5b) continue;
      // If the outermost value is an array, nothing is cut.
      if (depth === 1) return { arrays: [], heaviest: Infinity, largest: Infinity, longest: 0 };
      open = levels[level] ??= new OpenArray();
      open.isNearTop = level++ === 0 && depth <= deepest;
      open.from = i;
      open.depth = depth;
      open.items = 1;
      open.at = open.itemAt = open.sliceAt = weight;
      open.wholeAt = open.wholeItemAt = weight + cutWeight;
    } else if (byte === 0x5d || byte === 0x7d) {
      if (open && depth === open.depth) {
        endItem(open);
        if (open.isNearTop) {
          layout.longest = Math.max(layout.longest, open.items);
          nearTopWeight += weight + cutWeight - open.wholeAt;
        }
        if (weight - open.at >= sliceWeight) {
          layout.arrays.push({ from: open.from, to: i, cuts: open.cuts });
          open.cuts = [];
          cutWeight += weight - open.at;
          weight = open.at;
        }
        open = --level > 0 ? levels[level - 1] : undefined;
      }
      depth--;
    }
  }
  layout.heaviest = Math.max(layout.heaviest, weight);
  layout.largest = Math.max(layout.largest, weight + cutWeight - nearTopWeight);
  return layout;
}

/** Like JSON.parse, but yields to the event loop between slices. */
export async function parseInSlices(bytes: Buffer, { arrays }: Layout = layoutOf(bytes)): Promise<unknown> {
  const turn = new Turn();
  const slices = new Slices(bytes);
  /** Those that were read, and are in none that was. */
  let read: Read[] = [];
  for (const { from, to, cuts } of arrays) {
    if (bytes[to] !== 0x5d) throw new SyntaxError('A bracket is missing.');
    const inside = read.filter((array) => array.from > from);
    const items: unknown[] = [];
    let start = from + 1;
    for (const end of [...cuts, to]) {
      if (turn.isOver) await turn.next();
      const slice = slices.parse(start, end, inside, '[', ']') as unknown[];
      // There is something between two commas.
      if (slice.length === 0) throw new SyntaxError('An item is missing.');
      for (const item of slice) items.push(item);
      start = end + 1;
    }
    read = [...read.slice(0, read.length - inside.length), { from, to, items }];
  }
  if (turn.isOver) await turn.next();
  return slices.parse(0, bytes.length, read);
}

interface Read {
  from: number;
  to: number;
  items: unknown[];
}

class Slices {
  readonly #mark = randomToken('');

  constructor(private readonly bytes: Buffer) {}

  /** Parses the text between two offsets, with a mark in place of each array that was read. */
  parse(start: number, end: number, read: readonly Read[], before = '', after = ''): unknown {
    const within = read.filter(({ from }) => from >= start && from < end);
    let text = before;
    let at = start;
    for (const [n, { from, to }] of within.entries()) {
      text += `${this.bytes.toString('utf8', at, from)}"${this.#mark}${n}"`;
      at = to + 1;
    }
    const value = parseJson(text + this.bytes.toString('utf8', at, end) + after);
    return within.length === 0 ? value : this.#putBack(value, within);
  }

  /** Replaces each mark with its array. */
  #putBack(value: unknown, read: readonly Read[]): unknown {
    if (typeof value === 'string' && value.startsWith(this.#mark))
      return read[Number(value.slice(this.#mark.length))]?.items;
    if (typeof value !== 'object' || value === null) return value;
    const object = value as Record<string, unknown>;
    for (const key of Object.keys(object)) {
      const put = this.#putBack(object[key], read);
      if (put !== object[key]) object[key] = put;
    }
    return object;
  }
}

/** Text that was read before, and may be long. */
export async function parseLong<T>(text: string): Promise<T> {
  return (text.length < longText ? parseJson(text) : await parseInSlices(Buffer.from(text))) as T;
}
