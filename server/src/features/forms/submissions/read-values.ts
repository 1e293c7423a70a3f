// Reads what was sent by a form against its fields. Pure.

import { isSoundText } from '../../../lib/text.js';
import { parseEmail } from '../../contacts/index.js';
import type { FormField } from '../queries.js';

export type ValueFault = 'required' | 'notAddress' | 'notOption' | 'notText' | 'tooLong';

/** What was given for a field: of a page text, of JSON anything. */
export type Given = (name: string) => unknown;

export interface ReadForm {
  /** By property: what is to be stored. What was left empty is not there. */
  values: Record<string, string | true>;
  /** As contacts have it; empty where it is at fault. */
  email: string;
  emailField: string;
  faults: Map<string, ValueFault>;
}

// As much as the properties of a contact may take.
const mostBytes = 32 * 1024;

export function readValues(fields: readonly FormField[], given: Given): ReadForm {
  const read: ReadForm = { values: {}, email: '', emailField: '', faults: new Map() };
  for (const field of fields) {
    const { property, type, required } = field;
    if (type === 'email') read.emailField = property;
    const value = readValue(field, given(property));
    if (value === undefined) {
      if (required) read.faults.set(property, 'required');
    } else if (typeof value === 'object') read.faults.set(property, value.fault);
    else {
      if (type === 'email') read.email = value as string;
      read.values[property] = value;
    }
  }
  const longest = longestOf(read.values);
  if (longest !== undefined && Buffer.byteLength(JSON.stringify(read.values)) > mostBytes) {
    read.faults.set(longest, 'tooLong');
    // A robot is remembered by its address: what it sends must not fill the database.
    read.values = read.email === '' ? {} : { [read.emailField]: read.email };
  }
  return read;
}

type Value = string | true | { fault: ValueFault } | undefined;

function readValue({ type, options = [] }: FormField, given: unknown): Value {
  if (given === undefined || given === null || given === '') return undefined;
  if (type === 'checkbox') return readTick(given);
  if (typeof given !== 'string' || !isSoundText(given)) return { fault: 'notText' };
  const text = given.trim();
  if (text === '') return undefined;
  if (type === 'email') return parseEmail(text) ?? { fault: 'notAddress' };
  if (type === 'select' && !options.includes(text)) return { fault: 'notOption' };
  return text;
}

/** Browsers send `on`, or what the page says, which may be another than ours. What is not ticked is not sent, and writes nothing. */
function readTick(given: unknown): Value {
  const word = typeof given === 'string' ? given.trim().toLowerCase() : given;
  if (notTicked.includes(word)) return undefined;
  return ticked.includes(word) ? true : { fault: 'notOption' };
}
const ticked: readonly unknown[] = [true, 'true', 'on', 'yes', '1'];
const notTicked: readonly unknown[] = [false, 'false', 'off', 'no', '0', ''];

function longestOf(values: Record<string, string | true>): string | undefined {
  const length = (key: string) => String(values[key]).length;
  return Object.keys(values).sort((a, b) => length(b) - length(a))[0];
}
