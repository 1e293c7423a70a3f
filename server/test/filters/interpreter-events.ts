// The meaning of conditions on events, by trying everything.
import { durationOf, holdsOf, operatorOf, type Sent, timeOf } from './interpreter-values.js';
import type { Activity, Event, Json } from './world.js';

/** `{"event": …}` for a contact with these events. */
export function eventHolds(condition: Sent, all: readonly Event[], now: number): boolean {
  const events = all
    .filter((event) => event.name === condition.event && event.at <= now && isInWindow(condition, event, now))
    .filter((event) => condition.where === undefined || whereHolds(condition.where, event, now))
    .sort(byOrder);
  const values = condition.of === undefined ? [] : events.flatMap((event) => at(event.properties, condition.of));
  const numbers = values.filter((value) => typeof value === 'number');
  switch (condition.measure ?? 'count') {
    case 'count':
      return isSoMany(condition, events.length);
    case 'distinct':
      return isSoMany(condition, new Set(values.map(canonical)).size);
    case 'sum':
      return numbers.length > 0 && fraction(total(numbers), 1, condition);
    case 'avg':
      return numbers.length > 0 && fraction(total(numbers), numbers.length, condition);
    case 'min':
      return numbers.length > 0 && fraction(exact(Math.min(...numbers)), 1, condition);
    case 'max':
      return numbers.length > 0 && fraction(exact(Math.max(...numbers)), 1, condition);
    case 'first':
      return timeHolds(condition, events[0], now);
    case 'last':
      return timeHolds(condition, events.at(-1), now);
    case 'latest': {
      const newest = events.at(-1);
      const operator = operatorOf(condition);
      return holdsOf(newest ? at(newest.properties, condition.of) : [], operator, condition[operator], now);
    }
    default:
      throw new Error(`Unknown measure ${condition.measure}`);
  }
}

function isInWindow(condition: Sent, event: { readonly at: number }, now: number): boolean {
  const { from, to, withinLast } = condition;
  // For the first and the last event, `withinLast` is the operator.
  const isOperator = condition.measure === 'first' || condition.measure === 'last';
  return (
    (from === undefined || event.at >= (timeOf(from) as number)) &&
    (to === undefined || event.at <= (timeOf(to) as number)) &&
    (withinLast === undefined || isOperator || event.at >= now - durationOf(withinLast))
  );
}

/** `{"marketing": …}` for a contact with this activity. */
export function marketingHolds(condition: Sent, all: readonly Activity[], now: number): boolean {
  const { marketing, emailId, journeyId, linkUrl, machine } = condition;
  let count = 0;
  for (const each of all) {
    if (each.what !== marketing || each.at > now || !isInWindow(condition, each, now)) continue;
    if (emailId !== undefined && each.emailId !== emailId) continue;
    if (journeyId !== undefined && each.journeyId !== journeyId) continue;
    if (linkUrl !== undefined && each.linkUrl !== linkUrl) continue;
    if (['opened', 'clicked'].includes(each.what) && each.isMachine && machine !== true) continue;
    count++;
  }
  return isSoMany(condition, count);
}

function timeHolds(condition: Sent, event: Event | undefined, now: number): boolean {
  const operator = operatorOf(condition);
  return holdsOf(event ? [iso(event.at)] : [], operator, condition[operator], now);
}

export function isSoMany(test: Sent, count: number): boolean {
  const { atLeast, atMost, exactly } = test;
  if (exactly !== undefined) return count === exactly;
  if (atLeast === undefined && atMost === undefined) return count >= 1;
  return (atLeast === undefined || count >= atLeast) && (atMost === undefined || count <= atMost);
}

/** `{"sequence": …}`: tries every choice of events. */
export function sequenceHolds(condition: Sent, all: readonly Event[], now: number): boolean {
  const events = all.filter((event) => event.at <= now);
  const steps = condition.sequence as readonly Sent[];
  const earliest = condition.withinLast === undefined ? -Infinity : now - durationOf(condition.withinLast);
  const fits = (step: Sent, event: Event) =>
    event.name === step.event && (step.where === undefined || whereHolds(step.where, event, now));
  const goesOn = (place: number, before: Event): boolean => {
    const step = steps[place];
    if (!step) return true;
    const within = step.within === undefined ? Infinity : durationOf(step.within);
    const next = events.filter(
      (event) => byOrder(event, before) > 0 && event.at - before.at <= within && fits(step, event),
    );
    if (step.not === true) return next.length === 0 && now > before.at + within;
    return next.some((event) => goesOn(place + 1, event));
  };
  return events.some((event) => event.at >= earliest && fits(steps[0] as Sent, event) && goesOn(1, event));
}

function whereHolds(filter: Sent, event: Event, now: number): boolean {
  const holds = (each: Sent) => whereHolds(each, event, now);
  if ('all' in filter) return filter.all.every(holds);
  if ('any' in filter) return filter.any.some(holds);
  if ('none' in filter) return !filter.none.some(holds);
  const operator = operatorOf(filter);
  return holdsOf(eventValues(filter, event), operator, filter[operator], now);
}

function eventValues(condition: Sent, event: Event): Json[] {
  if ('eventProperty' in condition) return at(event.properties, condition.eventProperty);
  const fields: Record<string, string | null> = { userId: event.userId, orgId: event.orgId, eventDate: iso(event.at) };
  const value = fields[condition.eventField] ?? null;
  return value === null ? [] : [value];
}

/** The value at a path, if there is one. Objects are entered, arrays are not; null is missing. */
function at(properties: Json, path: string | readonly string[]): Json[] {
  let value: Json = properties;
  for (const key of typeof path === 'string' ? [path] : path) {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (!isObject || !Object.hasOwn(value as object, key)) return [];
    value = (value as Record<string, Json>)[key] as Json;
  }
  return value === null ? [] : [value];
}

function byOrder(one: Event, other: Event): number {
  return one.at - other.at || one.no - other.no;
}

export function iso(time: number): string {
  return new Date(time).toISOString();
}

/** Equal for equal values, whatever the order of keys. */
function canonical(value: Json): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const entries = Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`);
  return `{${entries.sort().join()}}`;
}

// Decimals are added exactly, as written: 0.1 and 0.2 are 0.3. In units of 10^-40.
function exact(number: number): bigint {
  const [, sign, whole, part = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(
    String(number),
  ) as string[] & {
    length: 5;
  };
  const units = BigInt(`${whole}${part}`) * 10n ** BigInt(40 + Number(exponent) - part.length);
  return sign === '-' ? -units : units;
}

function total(numbers: readonly number[]): bigint {
  return numbers.reduce((sum, number) => sum + exact(number), 0n);
}

/** Compares `sum / count` exactly. */
function fraction(sum: bigint, count: number, condition: Sent): boolean {
  const operator = operatorOf(condition);
  const than = (number: number) => sum - exact(number) * BigInt(count);
  const operand = condition[operator];
  switch (operator) {
    case 'is':
      return than(operand) === 0n;
    case 'lt':
      return than(operand) < 0n;
    case 'lte':
      return than(operand) <= 0n;
    case 'gt':
      return than(operand) > 0n;
    case 'gte':
      return than(operand) >= 0n;
    case 'between':
      return than(operand[0]) >= 0n && than(operand[1]) <= 0n;
    default:
      throw new Error(`Not an operator on a sum: ${operator}`);
  }
}
