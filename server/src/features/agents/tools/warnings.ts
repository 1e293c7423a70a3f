// What a filter or a definition names that no contact has: allowed, but hardly meant.
import * as contract from '@rapport/contract';
import { isObject } from '@rapport/contract';
import { nearestOf } from '../nearest.js';
import type { Session } from '../tool.js';

const mostKnown = 200;

export async function warningsFor({ api }: Session, filter: unknown, count: number): Promise<string[]> {
  const named = { property: new Set<string>(), event: new Set<string>() };
  collect(filter, named);
  const [properties, events] = await Promise.all([
    named.property.size > 0
      ? api(contract.listProperties, { query: { of: 'contact', pageSize: mostKnown } })
      : undefined,
    named.event.size > 0 ? api(contract.listEventNames, { query: { pageSize: mostKnown } }) : undefined,
  ]);
  const known = {
    property: properties && properties.total <= mostKnown ? properties.rows.map(({ key }) => key) : undefined,
    event: events && events.total <= mostKnown ? events.rows.map(({ eventName }) => eventName) : undefined,
  };
  return [
    ...unknown('No contact has the property', named.property, known.property),
    ...unknown('No event was ever named', named.event, known.event),
    ...(count === 0 ? ['It finds no one now.'] : []),
  ];
}

function unknown(words: string, named: ReadonlySet<string>, known: readonly string[] | undefined): string[] {
  if (!known) return [];
  return [...named]
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = nearestOf(name, known, (each) => [each]).slice(0, 3);
      return `${words} “${name}”.${near.length > 0 ? ` Nearest: ${near.join(', ')}.` : ''}`;
    });
}

function collect(value: unknown, named: { property: Set<string>; event: Set<string> }): void {
  if (Array.isArray(value)) for (const each of value) collect(each, named);
  if (!isObject(value)) return;
  for (const key of ['property', 'event'] as const) if (typeof value[key] === 'string') named[key].add(value[key]);
  for (const each of Object.values(value)) collect(each, named);
}
