import { isUtf8 } from 'node:buffer';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { layoutOf, parseInSlices } from '../lib/long-json.js';
import { parseJson as parseText } from '../lib/parse-json.js';
import { ApiError } from './api-error.js';

/**
 * What a body may hold, counted before anything is built from it. A batch of 1,000 contacts with 500 properties each has
 * 502,001 keys, and 1,004,002 values if each property is an array of one. The deepest filter, in a branch of a journey, has 71 levels.
 * See docs/decisions/0016.
 */
const most = { depth: 80, keys: 550_000, values: 1_100_000 };
/** Keys and values that are parsed at once; arrays of more are parsed in slices, item by item. V8 needs 50 ms for this many keys of one object. */
const mostAtOnce = 40_000;
/** Of one item. The largest in the contract is a filter: 200 conditions with 1,000 values each. */
const mostInItem = 240_000;
const fewAtOnce = 10_000;
// No request of the contract has more than 1,000; a property in 32 KiB, 16,000.
const mostItems = 20_000;

export function malformed(reason: string): ApiError {
  return new ApiError('VALIDATION_ERROR', { reason }, { detail: 'body' });
}

/** Whether a Content-Type header, if there is one, says JSON in UTF-8. Other parameters do not matter. */
export function isJsonType(header: string | undefined): boolean {
  if (header === undefined || header === 'application/json') return true;
  // Split, because one pattern for the whole header backtracks: 15 KiB of spaces took 0.8 s.
  const [type = '', ...parameters] = header.toLowerCase().split(';');
  return /^application\/([\w.+-]+\+)?json$/.test(type.trim()) && parameters.every(isNoOtherCharset);
}

/** Whether a parameter of a Content-Type leaves the text in UTF-8. */
export function isNoOtherCharset(parameter: string): boolean {
  const [name = '', value = ''] = parameter.split('=');
  return name.trim() !== 'charset' || /^("?)utf-?8\1$/.test(value.trim());
}

export interface ParsedBody {
  value: unknown;
  text: string;
}

/** Parses a body, and refuses what could confuse or block a later step: bad UTF-8, deep nesting, excessive size, prototype keys. */
export function parseJson(body: Buffer): ParsedBody | Promise<ParsedBody> {
  if (body.length === 0) return { value: undefined, text: '' };
  if (!isUtf8(body)) throw malformed('The body is not valid UTF-8.');
  if (measure(body) > fewAtOnce) return parseHeavy(body);
  const text = textOf(body);
  try {
    return { value: parseText(text), text };
  } catch {
    throw noJson();
  }
}

function textOf(body: Buffer): string {
  return body.toString('utf8').replace(/^\ufeff/, '');
}

/** Each pass over megabytes runs in a turn of its own. */
async function parseHeavy(body: Buffer): Promise<ParsedBody> {
  await nextTurn();
  const hasMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  const bare = hasMark ? body.subarray(3) : body;
  const layout = layoutOf(bare);
  if (layout.longest > mostItems)
    throw malformed(`The body has an array of ${layout.longest} items; at most ${mostItems} are read. ${inParts}`);
  if (layout.heaviest > mostAtOnce)
    throw malformed(`The body has too many keys and values in one place; at most ${mostAtOnce} are read. ${inParts}`);
  if (layout.largest > mostInItem)
    throw malformed(`The body has too many keys and values in one item; at most ${mostInItem} are read. ${inParts}`);
  try {
    await nextTurn();
    const text = textOf(bare);
    return { value: await parseInSlices(bare, layout), text };
  } catch {
    throw noJson();
  }
}

function noJson(): ApiError {
  return malformed('The body is not valid JSON.');
}

/**
 * One pass over the bytes, before there is any value: counts brackets, commas and colons outside strings. Bytes are enough: in
 * UTF-8 no part of a longer character looks like one of these. The count for invalid JSON is arbitrary; it is refused later.
 */
function measure(body: Buffer): number {
  const { length } = body;
  let depth = 0;
  let keys = 0;
  let values = 1;
  let from = 0;
  let to = 0;
  for (let i = 0; i < length; i++) {
    const byte = body[i];
    if (byte === 0x22) {
      from = i + 1;
      for (i = from; i < length && body[i] !== 0x22; i++) if (body[i] === 0x5c) i++;
      to = i;
    } else if (byte === 0x2c) values++;
    else if (byte === 0x3a) {
      keys++;
      // `_`, or an escape that may stand for it.
      if ((body[from] === 0x5f || body[from] === 0x5c) && isPrototype(body, from, to))
        throw malformed('The body has a key named __proto__.');
    } else if (byte === 0x7b || byte === 0x5b) {
      values++;
      if (++depth > most.depth) throw malformed(`The body is nested more than ${most.depth} levels deep.`);
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  if (keys > most.keys) throw malformed(`The body has ${keys} keys; at most ${most.keys} are read. ${inParts}`);
  if (values > most.values)
    throw malformed(`The body has ${values} values; at most ${most.values} are read. ${inParts}`);
  return keys + values;
}

const inParts = 'Send it in smaller parts.';
const prototype = '__proto__';

function isPrototype(body: Buffer, from: number, to: number): boolean {
  // Each of its characters takes at most six bytes: an escape.
  if (to - from < prototype.length || to - from > 6 * prototype.length) return false;
  const written = body.toString('latin1', from, to);
  return (
    written.replace(/\\u00([567][0-9a-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))) === prototype
  );
}
