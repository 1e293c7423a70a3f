// Decides what to do with messages, one after the other, from what is known about the people that they name.
import { EventRefusal, type PlacedEvent, placeEvent } from '../events/index.js';
import { Refused } from './fields.js';
import type { IngestBook, Names } from './ingest-book.js';
import type { Refusal } from './queries.js';
import { type Message, type Operation, shown } from './read-message.js';

/** A message with its place. */
export interface Ticket {
  message: Message;
  eventNo: number;
  arrivedAt: string;
}

type Of<Kind extends Operation['kind']> = Extract<Operation, { kind: Kind }>;

export function namesOf(tickets: readonly Ticket[]): Names {
  const names = { userIds: [], emails: [], groups: [], orgIds: [], links: [] } as {
    -readonly [K in keyof Names]: Names[K][number][];
  };
  for (const { message } of tickets) {
    const { operation } = message;
    if (operation instanceof Refused) continue;
    const { userId, email } = operation.kind === 'event' ? operation.event : operation;
    if (userId !== null) names.userIds.push(userId);
    if (email !== null) names.emails.push(email);
    if (operation.kind === 'group') {
      names.groups.push(operation.orgId);
      if (userId !== null) names.links.push({ orgId: operation.orgId, userId });
    } else if (operation.kind === 'event' && operation.event.orgId !== null) names.orgIds.push(operation.event.orgId);
  }
  return names;
}

export class MessagePlanner {
  readonly events: PlacedEvent[] = [];

  /** `floor`: events of earlier months are no longer kept. */
  constructor(
    private readonly book: IngestBook,
    private readonly floor: number,
  ) {}

  plan(ticket: Ticket): void {
    const { operation } = ticket.message;
    this.book.contacts.asOf(ticket.arrivedAt);
    try {
      if (operation instanceof Refused) throw operation;
      this.apply(operation, ticket);
    } catch (error) {
      if (!(error instanceof Refused || error instanceof EventRefusal)) throw error;
      this.book.refusals.push(refusalOf(ticket, error.message.replace('eventDate', 'timestamp')));
    }
  }

  private apply(operation: Operation, { eventNo, arrivedAt }: Ticket): void {
    switch (operation.kind) {
      case 'event':
        this.place(operation, eventNo, arrivedAt);
        break;
      case 'identify':
        this.identify(operation, arrivedAt);
        break;
      case 'group':
        this.group(operation, arrivedAt);
        break;
      default:
        operation satisfies never;
    }
  }

  /** These calls do not make organizations: an unknown one is left out. */
  private place({ event }: Of<'event'>, eventNo: number, acknowledgedAt: string): void {
    const orgId = event.orgId !== null && this.book.isOrganization(event.orgId) ? event.orgId : null;
    const known = { ...event, orgId };
    this.events.push({ ...known, contactId: placeEvent(this.book, known, this.floor), eventNo, acknowledgedAt });
  }

  private identify({ userId, email, traits }: Of<'identify'>, at: string): void {
    const user = this.findUser(userId, email);
    if (user) this.book.describe(user, traits);
    else if (email !== null) this.book.introduce(email, userId, traits);
    else if (userId !== null) {
      const fault = this.book.waiting.addTraits(userId, traits, at);
      if (fault !== undefined) throw new Refused(fault);
    }
  }

  private group({ orgId, name, properties, userId, email }: Of<'group'>, at: string): void {
    const user = this.findUser(userId, email);
    const contactId = email === null ? undefined : this.book.contactOfEmail(email);
    const waits = userId !== null && !user && contactId === undefined;
    if (waits && !this.book.waiting.hasRoomFor(userId, orgId))
      throw new Refused('Too many organizations wait for this user already.');
    const fault = this.book.organizations.upsert(orgId, name, properties);
    if (fault !== undefined) throw new Refused(fault);
    if (waits) this.book.waiting.addOrganization(userId, orgId, at);
    else if (userId !== null) this.book.users.join(user ?? this.book.addUser(userId, contactId as string), orgId);
  }

  private findUser(userId: string | null, email: string | null) {
    const user = userId === null ? undefined : this.book.users.find(userId);
    if (user && email !== null && this.book.contactOfEmail(email) !== user.contactId)
      throw new Refused('The userId belongs to another email.');
    return user;
  }
}

export function refusalOf({ message, arrivedAt }: Ticket, reason: string): Refusal {
  const { call, messageId, userId } = message;
  return { receivedAt: arrivedAt, call, messageId: shown(messageId, 255) ?? null, userId, reason };
}
