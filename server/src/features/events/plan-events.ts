// Decides whose event it is, or why it cannot be stored. Changes only the people passed in.
import { monthOf } from '../../lib/month.js';
import type { EventItem } from './read-event.js';

/** Who and what events may name. */
export interface People {
  contactOfUser(userId: string): string | undefined;
  contactOfEmail(email: string): string | undefined;
  /** Creates a product user under a contact. */
  addUser(userId: string, contactId: string): void;
  isOrganization(orgId: string): boolean;
}

/** An event with its place in the table. */
export interface PlacedEvent extends EventItem {
  contactId: string;
  eventNo: number;
  /** When its write was acknowledged. */
  acknowledgedAt: string;
}

/** An event cannot be stored; the message says why. */
export class EventRefusal extends Error {}

export const roomForItems = 4096;

/** The number of an event: the write's position in the queue, then the event's position in the write. */
export function eventNumber(seq: number, item: number): number {
  return seq * roomForItems + item;
}

/** Finds whose event it is, or throws an EventRefusal. `floor`: earlier months are no longer kept. */
export function placeEvent(people: People, event: EventItem, floor: number): string {
  if (monthOf(event.eventDate) < floor)
    throw new EventRefusal('eventDate is before the time that events are kept for.');
  if (event.orgId !== null && !people.isOrganization(event.orgId))
    throw new EventRefusal('No such organization: orgId.');
  return contactOf(people, event);
}

function contactOf(people: People, { userId, email }: EventItem): string {
  const owner = userId === null ? undefined : people.contactOfUser(userId);
  const named = email === null ? undefined : people.contactOfEmail(email);
  if (owner !== undefined) {
    if (email !== null && named !== owner) throw new EventRefusal('The userId belongs to another email.');
    return owner;
  }
  if (named === undefined) throw new EventRefusal(userId === null ? noContact : email === null ? noUser : noContact);
  if (userId !== null) people.addUser(userId, named);
  return named;
}

const noUser = 'No such user. Create it first, or send the email of its contact along.';
const noContact = 'No contact has this email. Create the contact first.';
