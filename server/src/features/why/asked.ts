// A parsed question: which contact and thing it is about. And what every answer consists of.
import { type DataValue, type QueryValues, type why as route, type WhyThing, whyThings } from '@rapport/contract';
import type { Database, Runner } from '../../db/database.js';
import { ApiError, invalid } from '../../http/api-error.js';
import type { Clock } from '../../lib/clock.js';
import { isContactId } from '../../lib/ids.js';
import { type ContactRow, findContact, findContactByEmail, parseEmail } from '../contacts/index.js';
import type { Explanation } from '../journeys/index.js';
import type { Words } from './words.js';

type Explain<Told> = (tenantId: number, id: string, contactId: string) => Promise<Told>;

export interface WhyNeeds {
  db: Database;
  clock: Clock;
  explainJourney: Explain<Explanation>;
  explainList: Explain<ListExplanation>;
}

/** For a dynamic list: what is stored, what is true now, and every part of its filter in order. */
export interface ListExplanation {
  isMember: boolean;
  holds: boolean;
  nodes: { path: string; text: string; holds: boolean }[];
}

export type WhyAnswer = DataValue<typeof route>;
export type Evidence = WhyAnswer['evidence'][number];
/** What is known about a thing: its name, and the answer. */
export type Finding = Pick<WhyAnswer, 'holds' | 'sentence' | 'evidence'>;

interface Person {
  contactId: string;
  email: string;
  name: string;
}

/** Everything needed to answer one question. */
export interface Case {
  db: Runner;
  tenantId: number;
  person: Person;
  words: Words;
}

type Query = QueryValues<typeof route>;

export interface Thing {
  kind: WhyThing;
  id: string;
}

/** Exactly one thing, or a 400 that names the choices. */
export function readThing(query: Query): Thing {
  const given = whyThings.flatMap((kind): Thing[] => {
    const id = query[`${kind}Id`];
    return id === undefined ? [] : [{ kind, id }];
  });
  const [thing, second] = given;
  if (!thing) throw invalid('journeyId', `is required, or one of ${namesOf(whyThings.slice(1))}`);
  if (second) throw invalid(`${second.kind}Id`, `cannot be asked together with ${thing.kind}Id: name one thing`);
  return thing;
}

const namesOf = (kinds: readonly WhyThing[]) => kinds.map((kind) => `${kind}Id`).join(', ');

/** One way of naming the contact, or a 400. */
export function refuseUnclear({ contactId, email }: Query): void {
  if (contactId === undefined && email === undefined) throw invalid('contactId', 'is required, or email');
  if (contactId !== undefined && email !== undefined)
    throw invalid('email', 'cannot be given together with contactId: name the contact in one way');
}

export async function getPerson(db: Runner, tenantId: number, { contactId, email }: Query): Promise<Person> {
  const contact = await findPerson(db, tenantId, contactId, email);
  if (!contact) throw new ApiError('BAS-E-002');
  return { contactId: contact.id, email: contact.email, name: nameOf(contact) };
}

async function findPerson(
  db: Runner,
  tenantId: number,
  contactId: string | undefined,
  email: string | undefined,
): Promise<ContactRow | undefined> {
  if (contactId !== undefined) return isContactId(contactId) ? findContact(db, tenantId, contactId) : undefined;
  const address = email === undefined ? undefined : parseEmail(email);
  return address === undefined ? undefined : findContactByEmail(db, tenantId, address);
}

/** First and last name, as far as they are known; else the address. */
function nameOf({ email, properties }: Pick<ContactRow, 'email' | 'properties'>): string {
  const parts = [properties.first_name, properties.last_name].map((part) =>
    typeof part === 'string' ? part.trim() : '',
  );
  return parts.filter((part) => part !== '').join(' ') || email;
}
