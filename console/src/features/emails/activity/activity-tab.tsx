import { SegmentedControl } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../../api/session/session.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { ClockIcon } from '../../../shared/icons.tsx';
import { Moment } from '../../../shared/moment.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../../shared/table/data-table.tsx';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { Toolbar } from '../../../shared/toolbar.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { t } from '../../../texts/emails.ts';
import { t as words } from '../../../texts/shared.ts';
import type { Tone } from '../../../theme/tone.ts';
import type { Arrival } from '../email-api.ts';
import { activityQuery, outcomeOf } from '../email-queries.ts';

const tones: Record<Arrival['outcome'], Tone> = {
  stored: 'good',
  replaced: 'info',
  rejected: 'bad',
  deleted: 'quiet',
};

const columns: Column<Arrival>[] = [
  { id: 'contact', title: t.contact, cell: ({ email }) => email ?? t.erasedContact },
  {
    id: 'outcome',
    title: t.outcome,
    cell: ({ outcome }) => <ToneBadge tone={tones[outcome]}>{t.arrivals[outcome]}</ToneBadge>,
  },
  {
    id: 'reason',
    title: t.reason,
    cell: ({ reason }) => reason ?? words.empty,
    isEmpty: ({ reason }) => reason === null,
  },
  { id: 'when', title: t.when, cell: ({ occurredAt }) => <Moment at={occurredAt} />, width: '9rem' },
];

export default function ActivityTab({ id }: { id: string }) {
  const api = useApi();
  const { pageNumber, param, setParam, setPage } = usePageParams();
  const asked = param('outcome');
  const outcome = outcomeOf(asked);
  const query = useQuery({
    ...activityQuery(api, id, outcome, pageNumber),
    // Versions keep arriving while the user watches.
    refetchInterval: 10_000,
    ...pagedQuery,
  });
  return (
    <>
      <Toolbar>
        <SegmentedControl
          aria-label={t.outcome}
          value={outcome ?? 'all'}
          onChange={(value) => setParam('outcome', value === 'all' ? undefined : value)}
          data={[
            { value: 'all', label: t.all },
            ...Object.entries(t.arrivals).map(([value, label]) => ({ value, label })),
          ]}
        />
      </Toolbar>
      <DataTable
        query={query}
        label={t.activity}
        columns={columns}
        rowKey={({ occurredAt, email, outcome: each }) => `${occurredAt} ${email} ${each}`}
        onPage={setPage}
        empty={
          outcome ? (
            <EmptyState title={t.nothingOutcome(t.arrivals[outcome].toLowerCase())} text={t.nothingOutcomeText} />
          ) : (
            <EmptyState icon={<ClockIcon size={20} />} title={t.nothingArrived} text={t.nothingArrivedText} />
          )
        }
      />
    </>
  );
}
