// Where the search looks. All sources in parallel; failed ones are left out as long as one responds.
import type { Client } from '@rapport/client';
import { listContacts, listEmails, listJourneys, listLists } from '@rapport/contract';
import type { ReactNode } from 'react';
import { JourneyIcon, ListIcon, MailIcon, PersonIcon, QuestionIcon } from '../../../shared/icons.tsx';
import { kinds } from '../../../texts/search.ts';
import { t } from '../../../texts/shell.ts';
import { askedWhy } from './asked-why.ts';

export interface Found {
  id: string;
  /** In a word. */
  kind: string;
  title: string;
  text?: string;
  icon: ReactNode;
  to: string;
  /** How "Why?" refers to it, if it can be asked about: `journey=…`. */
  ask?: string;
}

type Source = (api: Client, search: string, signal: AbortSignal) => Promise<Found[]>;
const pageSize = 5;

const contacts: Source = async (api, search, signal) =>
  (await api.page(listContacts, { query: { search, pageSize }, signal })).rows.map(({ id, email, properties }) => ({
    id: `contact-${id}`,
    kind: kinds.contact,
    title: email,
    text: [properties.first_name, properties.last_name].filter((name) => typeof name === 'string').join(' '),
    icon: <PersonIcon size={18} />,
    to: `/contacts/${id}`,
    ask: `contact=${id}`,
  }));

const emails: Source = async (api, search, signal) =>
  (await api.page(listEmails, { query: { search, pageSize }, signal })).rows.map(({ id, name, subject }) => ({
    id: `email-${id}`,
    kind: kinds.email,
    title: name,
    text: subject,
    icon: <MailIcon size={18} />,
    to: `/emails/${id}`,
    ask: `email=${id}`,
  }));

const journeys: Source = async (api, search, signal) =>
  (await api.page(listJourneys, { query: { search, pageSize }, signal })).rows.map(({ journeyId, name, status }) => ({
    id: `journey-${journeyId}`,
    kind: kinds.journey,
    title: name,
    text: status,
    icon: <JourneyIcon size={18} />,
    to: `/journeys/${journeyId}`,
    ask: `journey=${journeyId}`,
  }));

const lists: Source = async (api, search, signal) =>
  (await api.page(listLists, { query: { search, pageSize }, signal })).rows.map((list) => ({
    kind: kinds.list,
    id: `list-${'staticListId' in list ? list.staticListId : list.dynamicListId}`,
    title: list.name ?? '',
    icon: <ListIcon size={18} />,
    to: 'staticListId' in list ? `/lists/static/${list.staticListId}` : `/lists/dynamic/${list.dynamicListId}`,
    ask: 'staticListId' in list ? `staticList=${list.staticListId}` : `dynamicList=${list.dynamicListId}`,
  }));

/** "why ada welcome" leads to the answer; "why ada" to what can be asked about her. */
const why: Source = async (api, search, signal) => {
  const asked = askedWhy(search);
  if (!asked?.who) return [];
  const { who, what } = asked;
  const [people, ...things] = await Promise.all([
    contacts(api, who, signal),
    ...(what ? [journeys, emails, lists].map((source) => source(api, what, signal)) : []),
  ]);
  const named = things.flat().slice(0, pageSize);
  const [person] = people;
  // If the thing is not found, another can still be picked.
  if (!person || named.length === 0) return people.map((each) => whyOf(each));
  return named.map((thing) => whyOf(person, thing));
};

/** A contact, and a thing if one is named, as a question about the two. */
function whyOf(person: Found, thing?: Found): Found {
  return {
    id: `why-${person.id}-${thing?.id ?? ''}`,
    kind: kinds.why,
    title: t.whyGot(person.title, thing?.title),
    icon: <QuestionIcon size={18} />,
    to: `/why?${[person.ask, thing?.ask].filter((part) => part !== undefined).join('&')}`,
  };
}

const sources = [contacts, emails, journeys, lists, why];

export async function findEverywhere(api: Client, search: string, signal: AbortSignal): Promise<Found[]> {
  const answers = await Promise.allSettled(sources.map((source) => source(api, search, signal)));
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const [first] = answers;
  if (first?.status === 'rejected' && answers.every(({ status }) => status === 'rejected')) throw first.reason;
  // A user who looks for a contact may want to ask about them.
  const person = found.find(({ kind }) => kind === kinds.contact);
  return person && !askedWhy(search) ? [...found, whyOf(person)] : found;
}
