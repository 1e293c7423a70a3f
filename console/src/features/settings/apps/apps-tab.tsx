import { Anchor, Button, Stack, Title } from '@mantine/core';
import { type DataValue, disconnectApp, listConnectedApps } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { pageOf } from '../../../api/ask.ts';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { ConfirmDialog } from '../../../shared/form/confirm-dialog.tsx';
import { LinkIcon } from '../../../shared/icons.tsx';
import { Moment } from '../../../shared/moment.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../../shared/table/data-table.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { scopesInWords, t as settings } from '../../../texts/settings.ts';
import { plans, apps as t } from '../../../texts/settings-access.ts';
import classes from '../settings.module.css';
import { TabHead } from '../tab-head.tsx';
import { Plans } from './plans.tsx';

type App = DataValue<typeof listConnectedApps>;

const columns: Column<App>[] = [
  { id: 'name', title: t.name, cell: ({ name }) => name },
  { id: 'back', title: t.backTo, cell: ({ backTo }) => backTo },
  { id: 'account', title: t.account, cell: ({ accountName }) => accountName },
  { id: 'scopes', title: t.scopes, cell: ({ scopes }) => scopesInWords(scopes) },
  { id: 'created', title: t.created, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { id: 'used', title: t.used, cell: ({ usedAt }) => (usedAt ? <Moment at={usedAt} /> : t.never) },
  { id: 'expires', title: t.expires, cell: ({ expiresAt }) => <Moment at={expiresAt} isAhead /> },
];

export default function AppsTab() {
  const api = useApi();
  const { canWrite, isAdmin } = useRights();
  const { pageNumber, setPage } = usePageParams();
  const [leaving, setLeaving] = useState<App>();
  const query = useQuery({
    ...pageOf(api, listConnectedApps, { query: { pageNumber } }),
    ...pagedQuery,
  });
  const disconnect: Column<App> = {
    id: 'actions',
    title: settings.more,
    isUntitled: true,
    cell: (app) => (
      <Button
        variant="subtle"
        c="var(--bad)"
        color="red"
        size="compact-sm"
        className={classes.bare ?? ''}
        onClick={() => setLeaving(app)}
      >
        {t.disconnect}
      </Button>
    ),
  };
  return (
    <>
      <TabHead text={t.about} />
      <DataTable
        label={t.list}
        query={query}
        onPage={setPage}
        columns={canWrite ? [...columns, disconnect] : columns}
        rowKey={({ appId }) => appId}
        empty={<EmptyState icon={<LinkIcon size={20} />} title={t.none} text={t.noneText} />}
      />
      <Stack component="section" gap="sm" aria-label={plans.title}>
        <Title order={2} className={classes.title ?? ''}>
          {plans.title}
        </Title>
        <TabHead text={plans.about}>{isAdmin && <CallsLink />}</TabHead>
        <Plans />
      </Stack>
      {leaving && (
        <ConfirmDialog
          title={t.disconnectTitle(leaving.name)}
          text={t.disconnectText}
          confirm={t.disconnect}
          act={() => api.call(disconnectApp, { params: { appId: leaving.appId } })}
          refresh={['connected-apps']}
          said={t.disconnected(leaving.name)}
          onClose={() => setLeaving(undefined)}
        />
      )}
    </>
  );
}

function CallsLink() {
  return (
    <Anchor component={Link} href="/settings/audit?action=agent.called">
      {plans.calls}
    </Anchor>
  );
}
