import { Button } from '@mantine/core';
import { listContactLists } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pageOf } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { EmptyState } from '../../shared/empty-state.tsx';
import { ListIcon } from '../../shared/icons.tsx';
import { Moment } from '../../shared/moment.tsx';
import type { Column } from '../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../shared/table/data-table.tsx';
import { usePageParams } from '../../shared/use-page-params.ts';
import { t } from '../../texts/contact.ts';
import type { Membership } from './contact-api.ts';
import { ReasonDialog } from './reason-dialog.tsx';

export function ListsTab({ id }: { id: string }) {
  const api = useApi();
  const { pageNumber, setPage } = usePageParams();
  const [asked, setAsked] = useState<Membership>();
  const query = useQuery({
    ...pageOf(api, listContactLists, { params: { id }, query: { pageNumber } }),
    ...pagedQuery,
  });
  return (
    <>
      <DataTable
        label={t.list}
        query={query}
        onPage={setPage}
        columns={columns(setAsked)}
        rowKey={(list) => list.id}
        href={(list) => `/lists/${list.type}/${list.id}`}
        empty={<EmptyState icon={<ListIcon size={20} />} title={t.emptyLists} text={t.emptyListsText} />}
      />
      {asked && <ReasonDialog contactId={id} list={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

const columns = (ask: (list: Membership) => void): Column<Membership>[] => [
  { id: 'name', title: t.list, cell: ({ name }) => name },
  { id: 'type', title: t.listKind, cell: ({ type }) => t.listKinds[type] },
  { id: 'joined', title: t.joined, cell: ({ joinedAt }) => <Moment at={joinedAt} /> },
  {
    id: 'reason',
    title: t.explain,
    isUntitled: true,
    isNumber: true,
    cell: (list) => (
      <Button variant="default" size="xs" aria-label={t.explainOf(list.name)} onClick={() => ask(list)}>
        {t.why}
      </Button>
    ),
  },
];
