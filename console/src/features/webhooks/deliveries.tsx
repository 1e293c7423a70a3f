import { Text, Title } from '@mantine/core';
import { type DataValue, listWebhookDeliveries } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { pageOf } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { EmptyState } from '../../shared/empty-state.tsx';
import { HookIcon } from '../../shared/icons.tsx';
import { Moment } from '../../shared/moment.tsx';
import type { Column } from '../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../shared/table/data-table.tsx';
import { ToneBadge } from '../../shared/tone-badge.tsx';
import { usePageParams } from '../../shared/use-page-params.ts';
import { whole } from '../../texts/numbers.ts';
import { t as words } from '../../texts/shared.ts';
import { eventNames, t } from '../../texts/webhooks.ts';
import type { Tone } from '../../theme/tone.ts';

type Delivery = DataValue<typeof listWebhookDeliveries>;

const tones: Readonly<Record<Delivery['state'], Tone>> = {
  waiting: 'info',
  delivered: 'good',
  failed: 'bad',
  dropped: 'quiet',
};
const nameOf = (type: string) => eventNames[type as keyof typeof eventNames] ?? type;

const columns: Column<Delivery>[] = [
  { id: 'what', title: t.what, cell: ({ type }) => nameOf(type) },
  {
    id: 'state',
    title: t.state,
    cell: ({ state }) => <ToneBadge tone={tones[state]}>{t.deliveryStates[state]}</ToneBadge>,
  },
  { id: 'attempts', title: t.attempts, cell: ({ attempts }) => whole(attempts), isNumber: true },
  {
    id: 'answer',
    title: t.answer,
    cell: ({ status, error }) => error ?? status ?? words.empty,
    isEmpty: ({ status, error }) => status === null && error === null,
  },
  {
    id: 'next',
    title: t.nextAttempt,
    cell: ({ nextAttemptAt }) => (nextAttemptAt ? <Moment at={nextAttemptAt} isAhead /> : words.empty),
    isEmpty: ({ nextAttemptAt }) => nextAttemptAt === null,
  },
  { id: 'when', title: t.when, cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

/** What was sent, and the responses. Polled while the page is open, because calls are retried by themselves. */
export function Deliveries({ id }: { id: string }) {
  const api = useApi();
  const { pageNumber, setPage } = usePageParams();
  const query = useQuery({
    ...pageOf(api, listWebhookDeliveries, { params: { id }, query: { pageNumber } }),
    refetchInterval: 10_000,
    ...pagedQuery,
  });
  return (
    <section aria-label={t.deliveries}>
      <Title order={2}>{t.deliveries}</Title>
      <Text c="dimmed" mb="xs">
        {t.deliveriesLead}
      </Text>
      <DataTable
        label={t.deliveries}
        query={query}
        onPage={setPage}
        columns={columns}
        rowKey={({ deliveryId }) => deliveryId}
        empty={<EmptyState icon={<HookIcon size={20} />} title={t.noDeliveries} text={t.noDeliveriesText} />}
      />
    </section>
  );
}
