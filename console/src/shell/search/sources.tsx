// Where the search looks. All at once; what fails is left out as long as something answers.
import type { Client } from '@rapport/client';
import { listContacts, listEmails, listJourneys, listLists } from '@rapport/contract';
import type { ReactNode } from 'react';
import { JourneyIcon, ListIcon, MailIcon, PersonIcon } from '../../shared/icons.tsx';
import { t } from '../../texts/shell.ts';

export interface Found {
  id: string;
  title: string;
  text?: string;
  icon: ReactNode;
  to: string;
}
export interface FoundGroup {
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
  })),
});

const sources = [contacts, emails, journeys, lists];

export async function findEverywhere(api: Client, search: string, signal: AbortSignal): Promise<FoundGroup[]> {
  const answers = await Promise.allSettled(sources.map((source) => source(api, search, signal)));
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  const [first] = answers;
  if (found.length === 0 && first?.status === 'rejected') throw first.reason;
  return found;
}
