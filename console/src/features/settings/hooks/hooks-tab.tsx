import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type DataValue, listWorkspaceHooks, mailProviders, removeWorkspaceHook } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pageOf } from '../../../api/ask.ts';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { ConfirmDialog } from '../../../shared/form/confirm-dialog.tsx';
import { HookIcon, PlusIcon } from '../../../shared/icons.tsx';
import { Moment } from '../../../shared/moment.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../../shared/table/data-table.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { t as settings } from '../../../texts/settings.ts';
import { hooks as t } from '../../../texts/settings-sending.ts';
import { AdminOnly } from '../admin-only.tsx';
import classes from '../settings.module.css';
import { TabHead } from '../tab-head.tsx';
import { AddHookDialog } from './add-hook-dialog.tsx';

type Hook = DataValue<typeof listWorkspaceHooks>;

const columns: Column<Hook>[] = [
  { id: 'provider', title: t.provider, cell: ({ provider }) => mailProviders[provider].label },
  { id: 'created', title: t.created, cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

export default function HooksTab() {
  return (
    <AdminOnly>
      <Hooks />
    </AdminOnly>
  );
}

function Hooks() {
  const api = useApi();
  const { canWrite } = useRights();
  const { pageNumber, setPage } = usePageParams();
  const [adding, dialog] = useDisclosure(false);
  const [leaving, setLeaving] = useState<Hook>();
  const query = useQuery({
    ...pageOf(api, listWorkspaceHooks, { query: { pageNumber } }),
    ...pagedQuery,
  });
  const add = (
    <Button leftSection={<PlusIcon />} onClick={dialog.open} data-shortcut="create">
      {t.add}
    </Button>
  );
  const remove: Column<Hook> = {
    id: 'actions',
    title: settings.more,
    isUntitled: true,
    cell: (hook) => (
      <Button
        variant="subtle"
        c="var(--bad)"
        color="red"
        size="compact-sm"
        className={classes.bare ?? ''}
        onClick={() => setLeaving(hook)}
      >
        {t.remove}
      </Button>
    ),
  };
  return (
    <>
      <TabHead text={t.about}>{canWrite && add}</TabHead>
      <DataTable
        label={t.list}
        query={query}
        onPage={setPage}
        columns={canWrite ? [...columns, remove] : columns}
        rowKey={({ hookId }) => hookId}
        empty={
          <EmptyState icon={<HookIcon size={20} />} title={t.none} text={t.noneText}>
            {canWrite && add}
          </EmptyState>
        }
      />
      {adding && <AddHookDialog onClose={dialog.close} />}
      {leaving && (
        <ConfirmDialog
          title={t.removeTitle}
          text={t.removeText(mailProviders[leaving.provider].label)}
          confirm={t.remove}
          act={() => api.call(removeWorkspaceHook, { params: { hookId: leaving.hookId } })}
          refresh={['workspace']}
          said={t.removed}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </>
  );
}
