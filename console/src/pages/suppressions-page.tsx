import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type DataValue, listSuppressions, unsuppressAddress } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pageOf } from '../api/ask.ts';
import { useRights } from '../api/session/rights.ts';
import { useApi } from '../api/session/session.tsx';
import { SuppressDialog } from '../features/messages/suppress-dialog.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { ConfirmDialog } from '../shared/form/confirm-dialog.tsx';
import { BlockIcon, PlusIcon } from '../shared/icons.tsx';
import { Moment } from '../shared/moment.tsx';
import { Page } from '../shared/page.tsx';
import { SearchBox } from '../shared/search-box.tsx';
import type { Column } from '../shared/table/column.ts';
import { DataTable, pagedQuery } from '../shared/table/data-table.tsx';
import { ToneBadge } from '../shared/tone-badge.tsx';
import toolbar from '../shared/toolbar.module.css';
import { Toolbar } from '../shared/toolbar.tsx';
import { usePageParams } from '../shared/use-page-params.ts';
import { suppressionWords, t } from '../texts/messages.ts';

type Suppression = DataValue<typeof listSuppressions>;

export default function SuppressionsPage() {
  const api = useApi();
  const { canWrite } = useRights();
  const { pageNumber, param, setParam, setPage, clearing } = usePageParams();
  const [isAdding, adding] = useDisclosure(false);
  const [asked, setAsked] = useState<Suppression>();
  const search = param('search');
  const query = useQuery({
    ...pageOf(api, listSuppressions, { query: { search, pageNumber } }),
    ...pagedQuery,
  });
  return (
    <Page
      title={t.suppressions}
      lead={t.suppressionsLead}
      actions={
        canWrite && (
          <Button leftSection={<PlusIcon />} data-shortcut="create" onClick={adding.open}>
            {t.add}
          </Button>
        )
      }
    >
      <Toolbar onClear={clearing('search')}>
        <SearchBox
          label={t.searchSuppressions}
          placeholder={t.searchSuppressions}
          value={search ?? ''}
          onSearch={(value) => setParam('search', value)}
          className={toolbar.grow}
        />
      </Toolbar>
      <DataTable
        label={t.suppressionTable}
        query={query}
        onPage={setPage}
        columns={canWrite ? [...columns, removal(setAsked)] : columns}
        rowKey={({ email }) => email}
        empty={
          search ? (
            <EmptyState title={t.noSuppression} text={t.noSuppressionText} />
          ) : (
            <EmptyState icon={<BlockIcon size={20} />} title={t.emptySuppressions} text={t.emptySuppressionsText} />
          )
        }
      />
      {isAdding && <SuppressDialog onClose={adding.close} />}
      {asked && (
        <ConfirmDialog
          title={t.removeTitle(asked.email)}
          // Shows what the person behind the address wanted, before mail is sent there again.
          text={suppressionWords[asked.reason].care}
          confirm={t.removeConfirm}
          act={() => api.call(unsuppressAddress, { params: { email: asked.email } })}
          refresh={['suppressions']}
          said={t.removed(asked.email)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Page>
  );
}

const columns: Column<Suppression>[] = [
  { id: 'address', title: t.address, cell: ({ email }) => email },
  {
    id: 'reason',
    title: t.reason,
    cell: ({ reason }) => <ToneBadge tone={suppressionWords[reason].tone}>{suppressionWords[reason].label}</ToneBadge>,
  },
  { id: 'text', title: t.meaning, cell: ({ reason }) => suppressionWords[reason].text },
  { id: 'since', title: t.since, cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

const removal = (ask: (suppression: Suppression) => void): Column<Suppression> => ({
  id: 'remove',
  title: t.remove,
  isUntitled: true,
  isNumber: true,
  cell: (suppression) => (
    <Button
      variant="default"
      size="xs"
      aria-label={`${t.remove}: ${suppression.email}`}
      onClick={() => ask(suppression)}
    >
      {t.remove}
    </Button>
  ),
});
