import { Select } from '@mantine/core';
import { listMessages } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { pageOf } from '../api/ask.ts';
import { useApi } from '../api/session/session.tsx';
import { PausedNotice } from '../features/messages/paused-notice.tsx';
import { periods, startOf } from '../features/messages/periods.ts';
import { stateChoices, stateFilter } from '../features/messages/state-filter.ts';
import { EmptyState } from '../shared/empty-state.tsx';
import { SendIcon } from '../shared/icons.tsx';
import { messageColumns, messageHref } from '../shared/messages/message-columns.tsx';
import { type Names, useEmailNames, useJourneyNames, useSendNames } from '../shared/names/use-names.ts';
import { Page } from '../shared/page.tsx';
import { SearchBox } from '../shared/search-box.tsx';
import { DataTable, pagedQuery } from '../shared/table/data-table.tsx';
import toolbar from '../shared/toolbar.module.css';
import { Toolbar } from '../shared/toolbar.tsx';
import { usePageParams } from '../shared/use-page-params.ts';
import { t } from '../texts/messages.ts';

const filters = ['state', 'email', 'journey', 'address', 'within'] as const;

export default function MessagesPage() {
  const api = useApi();
  const [emails, journeys, sends] = [useEmailNames(), useJourneyNames(), useSendNames()];
  const { pageNumber, param, setPage, clearing } = usePageParams();
  const within = param('within');
  const wanted = {
    ...stateFilter(param('state')),
    emailId: param('email'),
    journeyId: param('journey'),
    email: param('address')?.trim().toLowerCase(),
    pageNumber,
  };
  const query = useQuery({
    ...pageOf(
      api,
      listMessages,
      { query: { ...wanted, startTime: startOf(within, Date.now()) } },
      { ...wanted, within },
    ),
    // States change while the user watches.
    refetchInterval: 5_000,
    ...pagedQuery,
  });
  const clear = clearing(...filters);
  return (
    <Page title={t.messages} lead={t.messagesLead}>
      <PausedNotice />
      <Filters emails={emails} journeys={journeys} />
      <DataTable
        label={t.messages}
        query={query}
        onPage={setPage}
        columns={messageColumns({ emails, journeys, sends })}
        rowKey={({ messageId }) => messageId}
        href={messageHref}
        empty={
          clear ? (
            <EmptyState title={t.noMatch} text={t.noMatchText} />
          ) : (
            <EmptyState icon={<SendIcon size={20} />} title={t.emptyMessages} text={t.emptyMessagesText} />
          )
        }
      />
    </Page>
  );
}

function Filters({ emails, journeys }: { emails: Names; journeys: Names }) {
  const { param, setParam, clearing } = usePageParams();
  const choose = (name: (typeof filters)[number]) => ({
    value: param(name) ?? null,
    onChange: (value: string | null) => setParam(name, value ?? undefined),
    clearable: true,
    w: 170,
  });
  return (
    <Toolbar onClear={clearing(...filters)}>
      <SearchBox
        label={t.searchAddress}
        placeholder={t.searchAddress}
        value={param('address') ?? ''}
        onSearch={(value) => setParam('address', value)}
        className={toolbar.fill}
      />
      <Select {...choose('state')} aria-label={t.state} placeholder={t.allStates} data={stateChoices} />
      <Select
        {...choose('email')}
        aria-label={t.email}
        placeholder={t.allEmails}
        data={emails.choices}
        searchable
        limit={100}
      />
      <Select
        {...choose('journey')}
        aria-label={t.byJourney}
        placeholder={t.allJourneys}
        data={journeys.choices}
        searchable
        limit={100}
      />
      <Select {...choose('within')} aria-label={t.withinTime} placeholder={t.anyTime} data={periods} />
    </Toolbar>
  );
}
