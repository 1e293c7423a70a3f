// What a contact agreed to hear about, changed here, and how each of it came about.
import { Button, Title } from '@mantine/core';
import { listConsentLog, listContactTopics, setContactTopic } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { dataOf, pageOf } from '../../api/ask.ts';
import { useRights } from '../../api/session/rights.ts';
import { useApi } from '../../api/session/session.tsx';
import { EmptyState } from '../../shared/empty-state.tsx';
import { ErrorState } from '../../shared/error-state.tsx';
import { useAction } from '../../shared/form/use-action.ts';
import { LogIcon, TopicIcon } from '../../shared/icons.tsx';
import { LoadingState } from '../../shared/loading-state.tsx';
import { Moment } from '../../shared/moment.tsx';
import type { Column } from '../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../shared/table/data-table.tsx';
import { LocalTable } from '../../shared/table/local-table.tsx';
import { ToneBadge } from '../../shared/tone-badge.tsx';
import { usePageParams } from '../../shared/use-page-params.ts';
import { t as words } from '../../texts/shared.ts';
import { sources, states, t } from '../../texts/topics.ts';
import classes from './contact.module.css';
import type { ConsentEntry, ContactTopic } from './contact-api.ts';

export function TopicsTab({ id }: { id: string }) {
  const api = useApi();
  const { canWrite } = useRights();
  const { data: topics, error, refetch } = useQuery(dataOf(api, listContactTopics, { params: { id } }));
  const { pageNumber, setPage } = usePageParams();
  const log = useQuery({ ...pageOf(api, listConsentLog, { params: { id }, query: { pageNumber } }), ...pagedQuery });
  const change = useAction({
    act: ({ topicId, state }: ContactTopic) =>
      api.call(setContactTopic, {
        params: { id, topicId },
        body: { state: state === 'subscribed' ? 'unsubscribed' : 'subscribed' },
      }),
    refresh: ['contacts', 'topics'],
  });
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!topics) return <LoadingState label={words.loading} />;
  if (topics.length === 0)
    return <EmptyState icon={<TopicIcon size={20} />} title={t.emptyTopics} text={t.emptyTopicsText} />;
  return (
    <>
      <LocalTable
        label={t.topics}
        all={topics}
        columns={canWrite ? [...columns, changing((topic) => change.mutate(topic), change.isPending)] : columns}
        rowKey={({ topicId }) => topicId}
      />
      <Title order={2} size="h4" className={classes.under ?? ''}>
        {t.log}
      </Title>
      <DataTable
        label={t.log}
        query={log}
        onPage={setPage}
        columns={logColumns((topicId) => topics.find((topic) => topic.topicId === topicId)?.name)}
        rowKey={({ at, topicId, state }) => `${at} ${topicId} ${state}`}
        empty={<EmptyState icon={<LogIcon size={20} />} title={t.emptyLog} text={t.emptyLogText} />}
      />
    </>
  );
}

const columns: Column<ContactTopic>[] = [
  { id: 'name', title: t.topic, cell: ({ name }) => name },
  {
    id: 'state',
    title: t.state,
    cell: ({ state }) => <ToneBadge tone={states[state].tone}>{states[state].label}</ToneBadge>,
  },
  {
    id: 'since',
    title: t.since,
    cell: ({ since }) => (since ? <Moment at={since} /> : words.empty),
    isEmpty: ({ since }) => !since,
  },
  {
    id: 'source',
    title: t.source,
    cell: ({ source }) => (source ? sources[source] : t.defaultState),
  },
];

const changing = (change: (topic: ContactTopic) => void, isBusy: boolean): Column<ContactTopic> => ({
  id: 'change',
  title: t.state,
  isUntitled: true,
  isNumber: true,
  cell: (topic) => {
    const ends = topic.state === 'subscribed';
    return (
      <Button
        variant="default"
        size="xs"
        disabled={isBusy}
        aria-label={ends ? t.unsubscribeOf(topic.name) : t.subscribeOf(topic.name)}
        onClick={() => change(topic)}
      >
        {ends ? t.unsubscribe : t.subscribe}
      </Button>
    );
  },
});

const logColumns = (nameOf: (topicId: string) => string | undefined): Column<ConsentEntry>[] => [
  { id: 'when', title: t.when, cell: ({ at }) => <Moment at={at} /> },
  { id: 'topic', title: t.topic, cell: ({ topicId }) => nameOf(topicId) ?? t.removedTopic },
  {
    id: 'state',
    title: t.state,
    cell: ({ state }) => <ToneBadge tone={states[state].tone}>{states[state].label}</ToneBadge>,
  },
  { id: 'source', title: t.source, cell: ({ source }) => sources[source] },
  { id: 'text', title: t.text, cell: ({ text }) => text ?? words.empty },
];
