import { durationOf, timeOf } from './interpreter-values.js';
import type { Contact, World } from './world.js';

/**
 * The moments at which a filter may change its mind about a contact by the clock alone, and a millisecond beside them: whatever is a
 * time in what it may look at, and each of its durations before and after. In order.
 */
export function turningPoints(filter: unknown, contact: Contact, world: World): number[] {
  const durations = textsIn(filter)
    .filter((text) => /^P(T?\d+[WDHMS])+$/.test(text))
    .map(durationOf);
  const isOfOthers = JSON.stringify(filter).includes('"orgMembers"');
  const contacts = world.contacts.filter((each) => isOfOthers || each === contact);
  const events = world.events.filter((each) => isOfOthers || each.contactId === contact.id);
  const texts = textsIn([contacts, events, world.users, world.organizations]);
  const times = [
    ...contacts.flatMap((each) => [each.createdAt, each.updatedAt]),
    ...events.map((each) => each.at),
    ...texts.map(timeOf).filter((time) => time !== undefined),
  ];
  const edges = times.flatMap((time) => [time, ...durations.flatMap((each) => [time - each, time + each])]);
  return [...new Set(edges.flatMap((edge) => [edge - 1, edge, edge + 1]))].sort((one, other) => one - other);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
