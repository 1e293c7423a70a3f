// Where the search looks. All sources in parallel; failed ones are left out as long as one responds.
import type { Client } from '@rapport/client';
import { listContacts, listEmails, listJourneys, listLists } from '@rapport/contract';
import type { ReactNode } from 'react';
import { JourneyIcon, ListIcon, MailIcon, PersonIcon, QuestionIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/shell.ts';
import { askedWhy } from './asked-why.ts';

export interface Found {
  id: string;
  title: string;
  text?: string;
  icon: ReactNode;
  to: string;
  /** How "Why?" refers to it, if it can be asked about: `journey=…`. */
  ask?: string;
}
interface FoundGroup {
  title: string;
  found: Found[];
}

type Source = (api: Client, search: string, signal: AbortSignal) => Promise<FoundGroup>;
const pageSize = 5;

const contacts: Source = async (api, search, signal) => ({
  title: t.contacts,
  found: (await api.page(listContacts, { query: { search, pageSize }, signal })).rows.map(
    ({ id, email, properties }) => ({
      id: `contact-${id}`,
      title: email,
      text: [properties.first_name, properties.last_name].filter((name) => typeof name === 'string').join(' '),
      icon: <PersonIcon size={18} />,
      to: `/contacts/${id}`,
      ask: `contact=${id}`,
    }),
  ),
});

const emails: Source = async (api, search, signal) => ({
  title: t.emails,
  found: (await api.page(listEmails, { query: { search, pageSize }, signal })).rows.map(({ id, name, subject }) => ({
    id: `email-${id}`,
    title: name,
    text: subject,
    icon: <MailIcon size={18} />,
    to: `/emails/${id}`,
    ask: `email=${id}`,
  })),
});

const journeys: Source = async (api, search, signal) => ({
  title: t.journeys,
  found: (await api.page(listJourneys, { query: { search, pageSize }, signal })).rows.map(
    ({ journeyId, name, status }) => ({
      id: `journey-${journeyId}`,
      title: name,
      text: status,
      icon: <JourneyIcon size={18} />,
      to: `/journeys/${journeyId}`,
      ask: `journey=${journeyId}`,
    }),
  ),
});

const lists: Source = async (api, search, signal) => ({
  title: t.lists,
  found: (await api.page(listLists, { query: { search, pageSize }, signal })).rows.map((list) => ({
    id: `list-${'staticListId' in list ? list.staticListId : list.dynamicListId}`,
    title: list.name ?? '',
    icon: <ListIcon size={18} />,
    to: 'staticListId' in list ? `/lists/static/${list.staticListId}` : `/lists/dynamic/${list.dynamicListId}`,
    ask: 'staticListId' in list ? `staticList=${list.staticListId}` : `dynamicList=${list.dynamicListId}`,
  })),
});

/** "why ada welcome" leads to the answer; "why ada" to what can be asked about her. */
const why: Source = async (api, search, signal) => {
  const asked = askedWhy(search);
  if (!asked?.who) return { title: t.why, found: [] };
  const { who, what } = asked;
  const [people, ...things] = await Promise.all([
    contacts(api, who, signal),
    ...(what ? [journeys, emails, lists].map((source) => source(api, what, signal)) : []),
  ]);
  const named = things.flatMap(({ found }) => found).slice(0, pageSize);
  const [person] = people.found;
  // If the thing is not found, another can still be picked.
  if (!person || named.length === 0) return { title: t.why, found: people.found.map((each) => whyOf(each)) };
  return { title: t.why, found: named.map((thing) => whyOf(person, thing)) };
};

/** A contact, and a thing if one is named, as a question about the two. */
function whyOf(person: Found, thing?: Found): Found {
  return {
    id: `why-${person.id}-${thing?.id ?? ''}`,
    title: t.whyGot(person.title, thing?.title),
    icon: <QuestionIcon size={18} />,
    to: `/why?${[person.ask, thing?.ask].filter((part) => part !== undefined).join('&')}`,
  };
}

const sources = [contacts, emails, journeys, lists, why];

export async function findEverywhere(api: Client, search: string, signal: AbortSignal): Promise<FoundGroup[]> {
  const answers = await Promise.allSettled(sources.map((source) => source(api, search, signal)));
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  // A user who looks for a contact may want to ask about them.
  const person = found.find(({ title }) => title === t.contacts)?.found[0];
  if (person && !askedWhy(search)) found.push({ title: t.why, found: [whyOf(person)] });
  const [first] = answers;
  if (found.length === 0 && first?.status === 'rejected') throw first.reason;
  return found;
}
