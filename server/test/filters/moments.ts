import { durationOf, timeOf } from './interpreter-values.js';
import type { Contact, World } from './world.js';

/**
 * The moments at which a filter's result for a contact may change by the clock alone, and a millisecond on either side: every
 * time that it may read, and each of its durations before and after. In order.
 */
export function turningPoints(filter: unknown, contact: Contact, world: World): number[] {
  const json = JSON.stringify(filter);
  const asks = (...subjects: string[]) => subjects.some((subject) => json.includes(`"${subject}"`));
  const contacts = asks('orgMembers') ? world.contacts : [contact];
  const events = world.events.filter((event) => contacts.some((each) => each.id === event.contactId));
  const activity = world.activity.filter((each) => contacts.some(({ id }) => id === each.contactId));
  const looked = [
    asks('property') ? contacts.map((each) => each.properties) : [],
    asks('userProperty') ? world.users : [],
    asks('orgProperty', 'organization') ? world.organizations : [],
    asks('eventProperty', 'latest') ? events.map((each) => each.properties) : [],
  ];
  const times = [
    ...(asks('contact') ? contacts.flatMap((each) => [each.createdAt, each.updatedAt]) : []),
    ...(asks('event') ? events.map((each) => each.at) : []),
    ...(asks('marketing') ? activity.map((each) => each.at) : []),
    ...textsIn(looked)
      .map(timeOf)
      .filter((time) => time !== undefined),
  ];
  const durations = textsIn(filter)
    .filter((text) => /^P(T?\d+[WDHMS])+$/.test(text))
    .map(durationOf);
  const edges = times.flatMap((time) => [time, ...durations.flatMap((each) => [time - each, time + each])]);
  return [...new Set(edges.flatMap((edge) => [edge - 1, edge, edge + 1]))].sort((one, other) => one - other);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
