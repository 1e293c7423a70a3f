import { isObject } from '@rapport/contract';
/** JSON text that is the same for the same content: the database keeps the keys of an object in its own order. */
export function sameText(value: unknown, indent?: number): string {
  return JSON.stringify(value, (_, inner: unknown) => (isObject(inner) ? sorted(inner) : inner), indent);
}

/** Identifying keys first, then the rest from A to Z. */
const first = ['entry', 'id', 'type', 'name', 'eventName', 'filter'];

function sorted(value: Record<string, unknown>): Record<string, unknown> {
  const rank = (key: string) => (first.includes(key) ? `0${first.indexOf(key)}` : `1${key}`);
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (rank(one) < rank(other) ? -1 : 1)));
}
