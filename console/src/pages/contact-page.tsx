import { getContact, listSuppressions } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { dataOf, pageOf } from '../api/ask.ts';
import { useApi } from '../api/session/session.tsx';
import { ActivityTab } from '../features/contact/activity-tab.tsx';
import { ChangesTab } from '../features/contact/changes-tab.tsx';
import { ContactActions } from '../features/contact/contact-actions.tsx';
import type { Contact } from '../features/contact/contact-api.ts';
import { ContactLead } from '../features/contact/contact-lead.tsx';
import { JourneysTab } from '../features/contact/journeys-tab.tsx';
import { ListsTab } from '../features/contact/lists-tab.tsx';
import { MessagesTab } from '../features/contact/messages-tab.tsx';
import { TopicsTab } from '../features/contact/topics-tab.tsx';
import { VersionsTab } from '../features/contact/versions-tab.tsx';
import { BackLink } from '../shared/back-link.tsx';
import { nameOf } from '../shared/contact-name.ts';
import { EmptyState } from '../shared/empty-state.tsx';
import { ErrorState } from '../shared/error-state.tsx';
import { Page } from '../shared/page.tsx';
import type { PageParams } from '../shared/page-params.ts';
import { PageTabs, tabOf } from '../shared/page-tabs.tsx';
import { t, tabs as titles } from '../texts/contact.ts';
import { t as words } from '../texts/shared.ts';

const ids = ['activity', 'lists', 'topics', 'journeys', 'messages', 'versions', 'changes'] as const;
type Tab = (typeof ids)[number];
const tabs = ids.map((id) => ({ id, title: titles[id] }));

/** Every part is fetched by the id in the address, so that none waits for another. */
export default function ContactPage({ params: { id = '', tab } }: PageParams) {
  const api = useApi();
  const { data: contact, error, refetch } = useQuery(dataOf(api, getContact, { params: { id } }));
  const { data: suppression } = useQuery({
    ...pageOf(api, listSuppressions, { query: { contactId: id } }),
    select: ({ rows }) => rows[0] ?? null,
  });
  const current = tabOf(tabs, tab);
  const above = <BackLink href="/contacts" label={t.all} />;
  if (error)
    return (
      <Page title={t.contact} above={above}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  return (
    <Page
      title={contact ? (nameOf(contact.properties) ?? contact.email) : t.contact}
      above={above}
      lead={<ContactLead contact={contact} suppression={suppression} />}
      actions={<ContactActions id={id} contact={contact} suppression={suppression} />}
    >
      <PageTabs label={t.parts} base={`/contacts/${id}`} tabs={tabs} current={current ?? 'activity'} />
      {current ? parts[current]({ id, contact }) : <EmptyState title={words.noPage} text={words.noPageText} />}
    </Page>
  );
}

const parts: Record<Tab, (of: { id: string; contact: Contact | undefined }) => ReactNode> = {
  activity: ({ id, contact }) => <ActivityTab id={id} contact={contact} />,
  lists: ({ id }) => <ListsTab id={id} />,
  topics: ({ id }) => <TopicsTab id={id} />,
  journeys: ({ id }) => <JourneysTab id={id} />,
  messages: ({ id }) => <MessagesTab id={id} />,
  versions: ({ id }) => <VersionsTab id={id} />,
  changes: ({ id }) => <ChangesTab id={id} />,
};
