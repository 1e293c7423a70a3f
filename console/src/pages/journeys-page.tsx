import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { getJourneyRollup, listJourneys } from '@rapport/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { dataOf, pageOf } from '../api/ask.ts';
import { useRights } from '../api/session/rights.ts';
import { useApi } from '../api/session/session.tsx';
import { CreateJourneyDialog } from '../features/journeys/list/create-journey-dialog.tsx';
import { columnsOf } from '../features/journeys/list/journey-columns.tsx';
import { filtersOf, JourneyToolbar } from '../features/journeys/list/journey-toolbar.tsx';
import { figuresById, queryOf } from '../features/journeys/list/journeys-api.ts';
import { EmptyState } from '../shared/empty-state.tsx';
import { JourneyIcon, PlusIcon } from '../shared/icons.tsx';
import { Page } from '../shared/page.tsx';
import { DataTable, pagedQuery } from '../shared/table/data-table.tsx';
import { usePageParams } from '../shared/use-page-params.ts';
import { t } from '../texts/journeys.ts';

export default function JourneysPage() {
  const api = useApi();
  const { canWrite } = useRights();
  const params = usePageParams();
  const [creating, dialog] = useDisclosure(false);
  const filters = filtersOf(params.param);
  const sort = params.param('sort') === 'name' ? ('name' as const) : undefined;
  const { pageNumber } = params;
  const query = useQuery({
    ...pageOf(api, listJourneys, { query: { ...queryOf(filters), sort, pageNumber } }),
    ...pagedQuery,
  });
  // In parallel with the list, not after it: slow or failing figures must not delay the list.
  const { data: figures, isError } = useQuery({
    ...dataOf(api, getJourneyRollup, { query: queryOf(filters) }),
    select: figuresById,
    placeholderData: keepPreviousData,
  });
  const create = canWrite && (
    <Button leftSection={<PlusIcon />} onClick={dialog.open} data-shortcut="create">
      {t.create}
    </Button>
  );
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page title={t.title} lead={t.lead} actions={create}>
      <JourneyToolbar params={params} filters={filters} sort={sort} />
      <DataTable
        query={query}
        onPage={params.setPage}
        label={t.title}
        columns={columnsOf(figures, isError)}
        rowKey={({ journeyId }) => journeyId}
        href={({ journeyId }) => `/journeys/${journeyId}`}
        empty={
          isFiltered ? (
            <EmptyState title={t.noMatch} text={t.noMatchText} />
          ) : (
            <EmptyState icon={<JourneyIcon size={20} />} title={t.none} text={t.noneText}>
              {create}
            </EmptyState>
          )
        }
      />
      {creating && <CreateJourneyDialog onClose={dialog.close} />}
    </Page>
  );
}
