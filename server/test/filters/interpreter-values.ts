// The meaning of the operators on values, based on the filter language alone. Shares no code with the service, on purpose.
import type { Json } from './world.js';

/** A filter or a part of one, as a client sends it. */
// biome-ignore lint/suspicious/noExplicitAny: it is looked into freely
export type Sent = Record<string, any>;

/** The positive operator for each negative one. */
const positives: Readonly<Record<string, string>> = {
  isNot: 'is',
  notIn: 'in',
  notContains: 'contains',
  notWithinLast: 'withinLast',
};
const operators = [
  ...[
    'is',
    'in',
    'contains',
    'startsWith',
    'endsWith',
    'matches',
    'exists',
    'lt',
    'lte',
    'gt',
    'gte',
    'between',
    'before',
    'after',
  ],
  ...['withinLast', 'withinNext', 'hasEverBeen', ...Object.keys(positives)],
];

/** The operator of a condition. For events, `withinLast` is the window, except for the first and the last one. */
export function operatorOf(condition: Sent): string {
  const isWindow = 'event' in condition && !['first', 'last'].includes(condition.measure);
  const found = operators.filter((key) => key in condition && !(isWindow && key === 'withinLast'));
  if (found.length !== 1) throw new Error(`Not one operator: ${JSON.stringify(condition)}`);
  return found[0] as string;
}

/** Whether one of the values satisfies the operator; for a negative one, whether none does. Missing values are left out of `values`. */
export function holdsOf(values: readonly Json[], operator: string, operand: Json, now: number): boolean {
  const positive = positives[operator];
  if (positive) return !holdsOf(values, positive, operand, now);
  if (operator === 'exists') return values.length > 0 === operand;
  return values.some((value) =>
    Array.isArray(value)
      ? value.some((element) => one(element, operator, operand, now))
      : one(value, operator, operand, now),
  );
}

function one(value: Json, operator: string, operand: Json, now: number): boolean {
  const texts = typeof value === 'string' && typeof operand === 'string';
  const numbers = typeof value === 'number' && typeof operand === 'number';
  const time = typeof value === 'string' ? timeOf(value) : undefined;
  switch (operator) {
    case 'is':
      return value === operand;
    case 'in':
      return (operand as Json[]).some((each) => value === each);
    case 'contains':
      return texts && fold(value).includes(fold(operand));
    case 'startsWith':
      return texts && fold(value).startsWith(fold(operand));
    case 'endsWith':
      return texts && fold(value).endsWith(fold(operand));
    case 'matches':
      return texts && wildcards(fold(operand)).test(fold(value));
    case 'lt':
      return numbers && value < operand;
    case 'lte':
      return numbers && value <= operand;
    case 'gt':
      return numbers && value > operand;
    case 'gte':
      return numbers && value >= operand;
    case 'between': {
      const [low, high] = operand as [number, number];
      return typeof value === 'number' && low <= value && value <= high;
    }
    case 'before':
      return time !== undefined && time < (timeOf(operand as string) as number);
    case 'after':
      return time !== undefined && time > (timeOf(operand as string) as number);
    case 'withinLast':
      return time !== undefined && now - durationOf(operand as string) <= time && time <= now;
    case 'withinNext':
      return time !== undefined && now <= time && time <= now + durationOf(operand as string);
    default:
      throw new Error(`Unknown operator ${operator}`);
  }
}

/** `*` is any text, `?` one character. */
function wildcards(pattern: string): RegExp {
  const source = [...pattern].map((one) =>
    one === '*' ? '[^]*' : one === '?' ? '[^]' : `\\u{${(one.codePointAt(0) as number).toString(16)}}`,
  );
  return new RegExp(`^${source.join('')}$`, 'u');
}

/** RFC 3339 with any offset; without one it is UTC; a date alone is its midnight. Undefined for anything else. */
export function timeOf(text: string): number | undefined {
  const date = /^\d{4}-\d{2}-\d{2}$/;
  const full = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2}):(\d{2})(\.\d+)?(Z|[+-]\d{2}:\d{2})?$/i;
  const parts = full.exec(date.test(text) ? `${text}T00:00:00Z` : text);
  if (!parts) return undefined;
  const [, day, hour, minute, second, fraction = '.0', offset = 'Z'] = parts as unknown as string[];
  const midnight = Date.parse(`${day}T00:00:00.000Z`);
  // Date rolls 30 February over into March: such a day does not exist.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return undefined;
  const shift = shiftOf(offset as string);
  if (shift === undefined) return undefined;
  // A finer fraction is cut off: everything here is stored to the millisecond.
  const ms = Number(`${(fraction as string).slice(1)}00`.slice(0, 3));
  const time = midnight + ((Number(hour) * 60 + Number(minute) - shift) * 60 + Number(second)) * 1000 + ms;
  const isKnownYear = time >= Date.parse('0001-01-01T00:00:00Z') && time <= Date.parse('9999-12-31T23:59:59.999Z');
  return isKnownYear ? time : undefined;
}

/** Minutes east of Greenwich. */
function shiftOf(offset: string): number | undefined {
  if (offset.toUpperCase() === 'Z') return 0;
  const [hours, minutes] = offset.slice(1).split(':').map(Number) as [number, number];
  if (hours > 23 || minutes > 59) return undefined;
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** Milliseconds. */
export function durationOf(text: string): number {
  const weeks = /^P(\d+)W$/.exec(text);
  if (weeks) return Number(weeks[1]) * 7 * 86_400_000;
  const parts = /^P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/.exec(text);
  if (!parts) throw new Error(`Not a duration: ${text}`);
  const [days, hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0)) as [
    number,
    number,
    number,
    number,
  ];
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
}

/** Case-folded letter by letter. `ß` has no single capital and stays; dotless i is not i. */
function fold(text: string): string {
  return [...text]
    .map((letter) => {
      if (letter === 'ı') return letter;
      const capital = letter.toUpperCase();
      return (capital.length > letter.length ? letter : capital).toLowerCase();
    })
    .join('');
}
