import { type DataValue, listDynamicListMovements, listListMovements } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { pageOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { PeopleIcon } from '../../../shared/icons.tsx';
import { Moment } from '../../../shared/moment.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../../shared/table/data-table.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { t } from '../../../texts/lists.ts';
import { t as shared } from '../../../texts/shared.ts';
import { idOf, isStatic, type ListKey } from '../list-key.ts';

type Movement = DataValue<typeof listListMovements>;

const nameOf = ({ firstName, lastName }: Movement) => [firstName, lastName].filter(Boolean).join(' ');
const columnsOf = (what: 'joined' | 'left'): readonly Column<Movement>[] => [
  { id: 'email', title: t.email, cell: ({ email }) => email },
  {
    id: 'name',
    title: t.name,
    cell: (movement) => nameOf(movement) || shared.empty,
    isEmpty: (movement) => nameOf(movement) === '',
  },
  { id: 'at', title: t[what], cell: ({ at }) => <Moment at={at} /> },
];

/** Who joined or left in the last seven days. */
export function Movements({ list, what }: { list: ListKey; what: 'joined' | 'left' }) {
  const api = useApi();
  const { pageNumber, setPage } = usePageParams();
  const asked = { params: { id: idOf(list) }, query: { what, pageNumber } };
  const query = useQuery({
    ...(isStatic(list) ? pageOf(api, listListMovements, asked) : pageOf(api, listDynamicListMovements, asked)),
    ...pagedQuery,
  });
  return (
    <DataTable
      query={query}
      onPage={setPage}
      label={t[what]}
      columns={columnsOf(what)}
      rowKey={({ contactId }) => contactId}
      href={({ contactId }) => `/contacts/${contactId}`}
      empty={<EmptyState icon={<PeopleIcon size={20} />} title={t.noMovement[what]} text={t.noMovementText} />}
    />
  );
}
