import { durationOf, timeOf } from './interpreter-values.js';
import type { World } from './world.js';

/** The moments at which something may change by the clock alone: a text that is a time, or an event, and a duration after or before it. */
export function turningPoints(filter: unknown, world: World): number[] {
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  collect(filter);
  const durations = [...new Set(texts.filter((text) => /^P(T?\d+[WDHMS])+$/.test(text)).map(durationOf))];
  const times = new Set([
    ...world.contacts.flatMap((each) => [each.createdAt, each.updatedAt]),
    ...world.events.map((each) => each.at),
  ]);
  texts.length = 0;
  collect([world.contacts, world.users, world.organizations, world.events]);
  for (const text of texts) {
    const time = timeOf(text);
    if (time !== undefined) times.add(time);
  }
  const edges = [...times].flatMap((time) => [time, ...durations.flatMap((each) => [time - each, time + each])]);
  return [...new Set(edges.flatMap((edge) => [edge - 1, edge, edge + 1]))].sort((one, other) => one - other);
}
