import { listJourneys } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { rowsOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { JourneyIcon } from '../../../shared/icons.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { DataTable } from '../../../shared/table/data-table.tsx';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { t } from '../../../texts/audience.ts';

interface Use {
  id: string;
  name: string;
  status: 'active' | 'draft' | 'inactive';
}

const columns: readonly Column<Use>[] = [
  { id: 'name', title: t.journey, cell: ({ name }) => name, sortBy: ({ name }) => name },
  {
    id: 'status',
    title: t.state,
    cell: ({ status }) => <ToneBadge tone={status === 'active' ? 'good' : 'quiet'}>{t.statuses[status]}</ToneBadge>,
  },
];

/** The journeys that start with this list. */
export function UsageTab({ id }: { id: string }) {
  const api = useApi();
  const rows = useQuery({
    ...rowsOf(api, listJourneys, { query: { pageSize: 200 } }),
    select: (journeys) =>
      journeys
        .filter(({ dynamicListId }) => dynamicListId === id)
        .map(({ journeyId, name, status }): Use => ({ id: journeyId, name, status })),
  });
  return (
    <DataTable
      rows={rows}
      isCounted
      label={t.usedBy}
      columns={columns}
      rowKey={(use) => use.id}
      href={(use) => `/journeys/${use.id}`}
      empty={<EmptyState icon={<JourneyIcon size={20} />} title={t.usedByNobody} text={t.usedByNobodyText} />}
    />
  );
}
