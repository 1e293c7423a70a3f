// What may stand in the fields of blocks.
import { alignments, contentTypes, designLimits, variableFormats } from '@rapport/contract';
import { isSoundText } from '../../../lib/text.js';
import type { Read, Reading } from './reading.js';

export const readText: Read = (value, place, reading) => {
  if (typeof value !== 'string') reading.fault(place, 'a text is wanted');
  else if (!isSoundText(value)) reading.fault(place, 'a text must be valid Unicode without NUL');
};

export const readFlag: Read = (value, place, reading) => {
  if (typeof value !== 'boolean') reading.fault(place, 'true or false is wanted');
};

export function readOneOf(words: readonly unknown[]): Read {
  const said = words.map((word) => JSON.stringify(word)).join(', ');
  return (value, place, reading) => {
    if (!words.includes(value)) reading.fault(place, `one of ${said} is wanted`);
  };
}

export function readWhole({ least, most }: { least: number; most: number }): Read {
  return (value, place, reading) => {
    if (!Number.isInteger(value) || (value as number) < least || (value as number) > most)
      reading.fault(place, `a whole number from ${least} to ${most} is wanted`);
  };
}

export const readPercent: Read = (value, place, reading) => {
  if (typeof value !== 'number' || !(value >= 1 && value <= 100))
    reading.fault(place, 'a number from 1 to 100 is wanted');
};

const colour = /^#[0-9a-f]{6}$/i;

export const readColour: Read = (value, place, reading) => {
  if (typeof value !== 'string' || !colour.test(value)) reading.fault(place, 'a colour is wanted, written as #rrggbb');
};

// Keys of data and events may have letters of any script; a property has one segment.
const path = /^[A-Za-z_][A-Za-z0-9_]{0,63}(?:\.[\p{L}\p{N}_][\p{L}\p{M}\p{N}_ -]{0,99}){0,9}$/u;

export const readPath: Read = (value, place, reading) => {
  if (typeof value !== 'string' || !path.test(value) || value.includes('__proto__'))
    reading.fault(place, 'the name of a variable is wanted, such as first_name or data.order.total');
};

const readVariable = {
  wants: { variable: readPath },
  may: { default: readText, format: readOneOf(variableFormats) },
};

/** Text or a variable. `styles`: what a text may have besides. */
function readSpan(styles: Readonly<Record<string, Read>>): Read {
  return (value, place, reading) => {
    const fields = reading.fields(value, place);
    if (!fields) return;
    const isText = Object.hasOwn(fields, 'text');
    const isVariable = Object.hasOwn(fields, 'variable');
    if (!isText && !isVariable) reading.fault(place, '"text" or "variable" is wanted');
    else if (isVariable && !isText) reading.object(value, place, readVariable.wants, readVariable.may);
    else reading.object(value, place, { text: readText }, styles);
  };
}

const styles = { bold: readFlag, italic: readFlag, underline: readFlag, strike: readFlag, color: readColour };

/** A plain text, or spans. */
function readSpansOr(read: Read): Read {
  return (value, place, reading) => {
    if (Array.isArray(value)) reading.list(value, place, 1, mostSpans, read);
    else if (typeof value === 'string') readText(value, place, reading);
    else reading.fault(place, 'a text or a list of spans is wanted');
  };
}

// The bytes of a design leave room for no more.
const mostSpans = 20_000;

export const readAddress = readSpansOr(readSpan({}));
export const readLabel = readSpansOr(readSpan(styles));

const readContentSpan = readSpan({ ...styles, href: readAddress });

export const readContent: Read = (value, place, reading) =>
  reading.list(value, place, 0, mostSpans, (item, at) =>
    reading.object(item, at, {
      type: readOneOf(contentTypes),
      spans: (spans: unknown, where: string, inside: Reading) =>
        inside.list(spans, where, 0, mostSpans, readContentSpan),
    }),
  );

export const readAlignment = readOneOf(alignments);
export const readLevel = readOneOf([1, 2, 3]);
export const readTextSize = readWhole(designLimits.textSize);
export const readHeight = readWhole(designLimits.height);
