import { Anchor } from '@mantine/core';
import { type DataValue, getAlertMail, listAlerts, pageOfAlert } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { dataOf, pageOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { CheckIcon } from '../../../shared/icons.tsx';
import { Moment } from '../../../shared/moment.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../../shared/table/data-table.tsx';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { t } from '../../../texts/alerts.ts';
import { t as words } from '../../../texts/shared.ts';

type Alert = DataValue<typeof listAlerts>;

const columns: Column<Alert>[] = [
  { id: 'what', title: t.what, cell: (alert) => <What alert={alert} /> },
  {
    id: 'state',
    title: t.state,
    cell: ({ state }) => <ToneBadge tone={state === 'open' ? 'bad' : 'quiet'}>{t.states[state]}</ToneBadge>,
  },
  { id: 'opened', title: t.opened, cell: ({ openedAt }) => <Moment at={openedAt} />, width: '8rem' },
  {
    id: 'closed',
    title: t.closed,
    cell: ({ closedAt }) => (closedAt ? <Moment at={closedAt} /> : words.empty),
    isEmpty: ({ closedAt }) => closedAt === null,
    width: '8rem',
  },
];

/** Polled while the page is open, because alerts open and close by themselves. */
export function AlertList() {
  const api = useApi();
  const { pageNumber, setPage } = usePageParams();
  const { data: mail } = useQuery(dataOf(api, getAlertMail));
  const mayTurnOn = mail?.obstacle === null && !mail.isOn;
  const query = useQuery({
    ...pageOf(api, listAlerts, { query: { pageNumber } }),
    refetchInterval: 60_000,
    ...pagedQuery,
  });
  return (
    <DataTable
      label={t.list}
      query={query}
      onPage={setPage}
      columns={columns}
      rowKey={({ alertId }) => alertId}
      empty={
        <EmptyState
          icon={<CheckIcon size={20} />}
          title={t.none}
          text={mayTurnOn ? `${t.noneText} ${t.noneAdvice}` : t.noneText}
        />
      }
    />
  );
}

function What({ alert }: { alert: Alert }) {
  const { kind, text, subject } = alert;
  return (
    <>
      {text}{' '}
      {(subject.type === 'mail' || subject.name !== null) && (
        <Anchor component={Link} href={pageOfAlert(alert)} size="sm">
          {t.look[kind]}
        </Anchor>
      )}
    </>
  );
}
