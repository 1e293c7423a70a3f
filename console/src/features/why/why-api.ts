import { ApiFailure, type Client } from '@rapport/client';
import { type DataValue, getMessage, listContacts, listEmails, listJourneys, listLists, why } from '@rapport/contract';
import { composedOf } from '../../api/ask.ts';
import { nameOf } from '../../shared/contact-name.ts';
import { t } from '../../texts/why.ts';
import { choiceOf, type Thing, whyQuery } from './question.ts';

export type WhyAnswer = DataValue<typeof why>;
export interface Choice {
  value: string;
  label: string;
}
export interface ChoiceGroup {
  group: string;
  items: Choice[];
}

interface Question {
  contact: string | undefined;
  thing: Thing;
}

const few = 8;

/** For a message no contact need be named: it went to one person. */
async function fetchWhy(api: Client, { contact, thing }: Question, signal: AbortSignal): Promise<WhyAnswer> {
  const whom = contact ?? (await addresseeOf(api, thing.id, signal));
  const ask = async (kind: Exclude<Thing['kind'], 'list'>) =>
    (await api.call(why, { query: whyQuery(whom, { kind, id: thing.id }), signal })).data;
  if (thing.kind !== 'list') return ask(thing.kind);
  try {
    return await ask('dynamicList');
  } catch (error) {
    if (!(error instanceof ApiFailure && error.status === 404)) throw error;
    return ask('staticList');
  }
}

async function addresseeOf(api: Client, messageId: string, signal: AbortSignal): Promise<string> {
  const { contactId } = (await api.call(getMessage, { params: { messageId }, signal })).data;
  if (contactId === null) throw new Error(t.erased);
  return contactId;
}

async function findPeople(api: Client, search: string, signal: AbortSignal): Promise<(Choice | ChoiceGroup)[]> {
  const { rows } = await api.page(listContacts, { query: { search, pageSize: few }, signal });
  return rows.map(({ id, email, properties }) => ({ value: id, label: personLabel(nameOf(properties), email) }));
}

export const personLabel = (name: string | undefined, email: string): string =>
  name === undefined || name === email ? email : `${name} · ${email}`;

/** Journeys, emails and lists with this in their name, in parallel. */
async function findThings(api: Client, search: string, signal: AbortSignal): Promise<(Choice | ChoiceGroup)[]> {
  const input = { query: { search, pageSize: few }, signal };
  const [journeys, emails, lists] = await Promise.all([
    api.page(listJourneys, input),
    api.page(listEmails, input),
    api.page(listLists, input),
  ]);
  const choice = (kind: Thing['kind'], id: string, label: string) => ({ value: choiceOf({ kind, id }), label });
  const groups = [
    { group: t.group.journeys, items: journeys.rows.map((row) => choice('journey', row.journeyId, row.name)) },
    { group: t.group.emails, items: emails.rows.map((row) => choice('email', row.id, row.name)) },
    {
      group: t.group.lists,
      items: lists.rows.map((row) =>
        row.type === 'static'
          ? choice('staticList', row.staticListId, row.name)
          : choice('dynamicList', row.dynamicListId ?? '', row.name ?? ''),
      ),
    },
  ];
  return groups.filter(({ items }) => items.length > 0);
}

export const whyAsked = composedOf('why', fetchWhy);
export const peopleFound = composedOf('people to ask about', findPeople);
export const thingsFound = composedOf('things to ask about', findThings);
