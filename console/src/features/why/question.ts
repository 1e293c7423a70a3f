// The question in an address: which contact, and which thing. Pure.
import type { WhyThing } from '@rapport/contract';

/** `list`: of either kind, for a user who does not know which. */
export interface Thing {
  kind: WhyThing | 'list';
  id: string;
}

const known: Record<Thing['kind'], true> = {
  journey: true,
  email: true,
  message: true,
  dynamicList: true,
  staticList: true,
  list: true,
};
const kinds = Object.keys(known) as Thing['kind'][];

/** The first one given. */
export function thingIn(param: (name: string) => string | undefined): Thing | undefined {
  for (const kind of kinds) {
    const id = param(kind);
    if (id) return { kind, id };
  }
  return undefined;
}

/** The address to share. */
export function whyPath(contact: string | undefined, thing: Thing | undefined): string {
  const query = new URLSearchParams();
  if (contact) query.set('contact', contact);
  if (thing) query.set(thing.kind, thing.id);
  const text = query.toString();
  return text ? `/why?${text}` : '/why';
}

/** In the API's format; a contact may be named by address. */
export function whyQuery(contact: string, { kind, id }: { kind: WhyThing; id: string }): Record<string, string> {
  return { [contact.includes('@') ? 'email' : 'contactId']: contact, [`${kind}Id`]: id };
}

/** `journey:0123` as the value of a choice, and back. */
export const choiceOf = ({ kind, id }: Thing): string => `${kind}:${id}`;
export function thingOf(value: string): Thing | undefined {
  const [kind, id] = value.split(':');
  const found = kinds.find((each) => each === kind);
  return found && id ? { kind: found, id } : undefined;
}

/** The page of a thing; undefined if it has none. */
export function placeOf(ref: { kind: WhyThing | 'enrolment'; id: string }, about?: Thing): string | undefined {
  switch (ref.kind) {
    case 'journey':
      return `/journeys/${ref.id}`;
    case 'email':
      return `/emails/${ref.id}`;
    case 'message':
      return `/messages/${ref.id}`;
    case 'dynamicList':
      return `/lists/dynamic/${ref.id}`;
    case 'staticList':
      return `/lists/static/${ref.id}`;
    case 'enrolment':
      return about?.kind === 'journey' ? `/journeys/${about.id}/enrolments/${ref.id}` : undefined;
  }
}
