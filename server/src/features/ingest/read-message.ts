// What a Segment call asks for, as far as it can be read without the database. Pure.
import { correctedInstant, parseInstant } from '../../lib/instant.js';
import { isSoundText } from '../../lib/text.js';
import { type EventItem, readEvent } from '../events/index.js';
import { asText, type Fields, isFields, Refused, readEmail, readFields, readText, readTraits } from './fields.js';

export type Operation =
  /** `orgId` is dropped later if there is no such organization. */
  | { kind: 'event'; event: EventItem }
  | { kind: 'identify'; userId: string | null; email: string | null; traits: Fields }
  | {
      kind: 'group';
      orgId: string;
      name: string | null;
      properties: Fields;
      userId: string | null;
      email: string | null;
    };

export interface Message {
  /** What it says it is. */
  call: string;
  messageId: string | null;
  userId: string | null;
  /** Or why it is refused. */
  operation: Operation | Refused;
}

/** What a request says once, for all its messages. */
export interface Surroundings {
  /** The type of a single message, by its route. Messages of a batch have their own. */
  type: string | null;
  context: unknown;
  sentAt: unknown;
  arrivedAt: string;
}

export const calls = ['track', 'identify', 'group', 'page', 'screen'] as const;

export function readMessage(raw: unknown, around: Surroundings): Message {
  const fields = isFields(raw) ? raw : {};
  const call = around.type ?? shown(fields.type, 32) ?? 'unknown';
  const message = { call, messageId: messageIdOf(fields), userId: null as string | null };
  try {
    if (!isFields(raw)) throw new Refused('The message must be an object.');
    message.userId = readText(raw, 'userId');
    return { ...message, operation: readOperation(call, message.userId, raw, around) };
  } catch (error) {
    if (error instanceof Refused) return { ...message, operation: error };
    throw error;
  }
}

function messageIdOf({ messageId }: Fields): string | null {
  const id = asText(messageId);
  return typeof id === 'string' && id !== '' ? id : null;
}

/** Text of a message as the log can show it. */
export function shown(text: unknown, most: number): string | undefined {
  if (typeof text !== 'string' || text === '' || !isSoundText(text)) return undefined;
  return [...text.slice(0, most * 2)].slice(0, most).join('');
}

function readOperation(call: string, userId: string | null, raw: Fields, around: Surroundings): Operation {
  const context = contextOf(raw, around);
  switch (call) {
    case 'identify': {
      const { email: _, ...traits } = readTraits(raw);
      const email = readEmail(raw.traits) ?? readEmail(context.traits);
      if (userId === null && email === null) throw new Refused(nobody);
      return { kind: 'identify', userId, email, traits };
    }
    case 'group':
      return readGroup(raw, userId, readEmail(context.traits));
    case 'track':
      return readTrack(raw.event, readFields(raw, 'properties'), userId, raw, around);
    case 'page':
    case 'screen':
      return readTrack(call === 'page' ? 'Page Viewed' : 'Screen Viewed', viewOf(raw), userId, raw, around);
    case 'alias':
      throw new Refused('alias is not supported: users are not merged here.');
    default:
      throw new Refused('The type must be track, identify, group, page or screen.');
  }
}

const nobody = 'The message needs a userId or an email.';

function contextOf(raw: Fields, around: Surroundings): Fields {
  const own = raw.context ?? around.context;
  return isFields(own) ? own : {};
}

function readGroup(raw: Fields, userId: string | null, email: string | null): Operation {
  const orgId = readText(raw, 'groupId');
  if (orgId === null) throw new Refused('groupId is required.');
  const { name: given, ...properties } = readTraits(raw);
  return { kind: 'group', orgId, name: readText({ name: given }, 'name'), properties, userId, email };
}

function viewOf(raw: Fields): Fields {
  const properties = readFields(raw, 'properties');
  const [name, category] = [raw.name ?? undefined, raw.category ?? undefined];
  return { ...properties, ...(name === undefined ? {} : { name }), ...(category === undefined ? {} : { category }) };
}

function readTrack(name: unknown, properties: Fields, userId: string | null, raw: Fields, around: Surroundings) {
  const context = contextOf(raw, around);
  const email = readEmail(context.traits);
  if (userId === null && email === null) throw new Refused(nobody);
  const eventName = readText({ event: name }, 'event');
  if (eventName === null) throw new Refused('event is required.');
  const [orgId, eventDate] = [groupOf(context), dateOf(raw, around)];
  const read = readEvent({ userId, email, orgId, eventName, eventDate, eventProperties: properties }, eventDate);
  // The rest was read above: anything wrong now is wrong with the properties.
  if (!read.ok) throw new Refused(read.error.replace('eventProperties', 'properties'));
  return { kind: 'event' as const, event: read.event };
}

/** Only a hint that libraries send along: an invalid id names no organization. */
function groupOf({ groupId }: Fields): string | null {
  try {
    return readText({ groupId }, 'groupId');
  } catch (error) {
    if (error instanceof Refused) return null;
    throw error;
  }
}

/** When it happened, by our clock: senders' clocks may be wrong, and the time of sending shows by how much. */
function dateOf(raw: Fields, { sentAt, arrivedAt }: Surroundings): string {
  const at = instantOf(raw.timestamp ?? raw.originalTimestamp);
  if (at === undefined) return arrivedAt;
  const sent = instantOf(raw.sentAt ?? sentAt);
  return sent === undefined ? at : correctedInstant(at, sent, arrivedAt);
}

function instantOf(value: unknown): string | undefined {
  return typeof value === 'string' ? parseInstant(value) : undefined;
}
