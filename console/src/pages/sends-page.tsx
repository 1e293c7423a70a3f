import { Button, Select } from '@mantine/core';
import { type BroadcastStatus, listBroadcasts } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { pageOf } from '../api/ask.ts';
import { useRights } from '../api/session/rights.ts';
import { useApi } from '../api/session/session.tsx';
import { columns } from '../features/sends/send-columns.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { PlusIcon, SendIcon } from '../shared/icons.tsx';
import { Page } from '../shared/page.tsx';
import { SearchBox } from '../shared/search-box.tsx';
import { DataTable, pagedQuery } from '../shared/table/data-table.tsx';
import toolbarStyles from '../shared/toolbar.module.css';
import { Toolbar } from '../shared/toolbar.tsx';
import { usePageParams } from '../shared/use-page-params.ts';
import { statuses, t } from '../texts/sends.ts';
import { t as words } from '../texts/shared.ts';

const names = Object.keys(statuses) as BroadcastStatus[];

export default function SendsPage() {
  const api = useApi();
  const { canWrite } = useRights();
  const params = usePageParams();
  const { pageNumber } = params;
  const search = params.param('search');
  const status = names.find((name) => name === params.param('status'));
  const query = useQuery({
    ...pageOf(api, listBroadcasts, { query: { search, status: status && [status], pageNumber } }),
    ...pagedQuery,
  });
  const create = canWrite && (
    <Button component={Link} href="/sends/new" leftSection={<PlusIcon />} data-shortcut="create">
      {t.create}
    </Button>
  );
  const isFiltered = search !== undefined || status !== undefined;
  return (
    <Page title={t.title} lead={t.lead} actions={create}>
      <Toolbar onClear={params.clearing('search', 'status')}>
        <SearchBox
          label={t.search}
          placeholder={t.searchHint}
          value={search ?? ''}
          onSearch={(next) => params.setParam('search', next)}
          className={toolbarStyles.grow}
        />
        <Select
          aria-label={t.status}
          placeholder={t.anyStatus}
          data={names.map((value) => ({ value, label: statuses[value].label }))}
          value={status ?? null}
          w={150}
          clearable
          clearButtonProps={{ 'aria-label': t.anyStatus }}
          onChange={(next) => params.setParam('status', next ?? undefined)}
        />
      </Toolbar>
      <DataTable
        query={query}
        onPage={params.setPage}
        label={t.title}
        columns={columns}
        rowKey={({ broadcastId }) => broadcastId}
        href={({ broadcastId }) => `/sends/${broadcastId}`}
        empty={
          isFiltered ? (
            <EmptyState title={t.noMatch} text={t.noMatchText} />
          ) : (
            <EmptyState icon={<SendIcon size={20} />} title={t.none} text={canWrite ? t.noneText : words.addedByOthers}>
              {create}
            </EmptyState>
          )
        }
      />
    </Page>
  );
}
