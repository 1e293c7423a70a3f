import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { listForms } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { pageOf } from '../api/ask.ts';
import { useRights } from '../api/session/rights.ts';
import { useApi } from '../api/session/session.tsx';
import { CreateFormDialog } from '../features/forms/create-form-dialog.tsx';
import type { Form } from '../features/forms/form-api.ts';
import { EmptyState } from '../shared/empty-state.tsx';
import { FormIcon, PlusIcon } from '../shared/icons.tsx';
import { Moment } from '../shared/moment.tsx';
import { Page } from '../shared/page.tsx';
import { SearchBox } from '../shared/search-box.tsx';
import type { Column } from '../shared/table/column.ts';
import { DataTable, pagedQuery } from '../shared/table/data-table.tsx';
import { ToneBadge } from '../shared/tone-badge.tsx';
import toolbar from '../shared/toolbar.module.css';
import { Toolbar } from '../shared/toolbar.tsx';
import { usePageParams } from '../shared/use-page-params.ts';
import { t } from '../texts/forms.ts';
import { whole } from '../texts/numbers.ts';
import { t as words } from '../texts/shared.ts';

export default function FormsPage() {
  const api = useApi();
  const { canWrite } = useRights();
  const { pageNumber, param, setParam, setPage, clearing } = usePageParams();
  const [isCreating, creating] = useDisclosure(false);
  const search = param('search');
  const query = useQuery({ ...pageOf(api, listForms, { query: { search, pageNumber } }), ...pagedQuery });
  return (
    <Page
      title={t.forms}
      lead={t.lead}
      actions={
        canWrite && (
          <Button leftSection={<PlusIcon />} data-shortcut="create" onClick={creating.open}>
            {t.newForm}
          </Button>
        )
      }
    >
      <Toolbar onClear={clearing('search')}>
        <SearchBox
          label={t.search}
          placeholder={t.searchHint}
          value={search ?? ''}
          onSearch={(value) => setParam('search', value)}
          className={toolbar.grow}
        />
      </Toolbar>
      <DataTable
        label={t.forms}
        query={query}
        onPage={setPage}
        columns={columns}
        rowKey={({ formId }) => formId}
        href={({ formId }) => `/forms/${formId}`}
        empty={
          search ? (
            <EmptyState title={t.noMatch} text={t.noMatchText} />
          ) : (
            <EmptyState
              icon={<FormIcon size={20} />}
              title={t.emptyForms}
              text={canWrite ? t.emptyFormsText : words.addedByOthers}
            />
          )
        }
      />
      {isCreating && <CreateFormDialog onClose={creating.close} />}
    </Page>
  );
}

const columns: Column<Form>[] = [
  { id: 'name', title: t.name, cell: ({ name }) => name },
  {
    id: 'state',
    title: t.state,
    cell: ({ state }) => (
      <ToneBadge tone={state === 'open' ? 'good' : 'quiet'}>{state === 'open' ? t.opened : t.closed}</ToneBadge>
    ),
  },
  { id: 'viewed', title: t.viewed, isNumber: true, cell: ({ counts }) => whole(counts.viewed) },
  { id: 'submitted', title: t.submitted, isNumber: true, cell: ({ counts }) => whole(counts.submitted) },
  { id: 'confirmed', title: t.confirmed, isNumber: true, cell: ({ counts }) => whole(counts.confirmed) },
  { id: 'refused', title: t.refused, isNumber: true, cell: ({ counts }) => whole(counts.refused) },
  { id: 'updated', title: t.updated, cell: ({ updatedAt }) => <Moment at={updatedAt} /> },
];
