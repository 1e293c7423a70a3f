import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { listWebhooks, renewWebhookSecret } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { pageOf } from '../api/ask.ts';
import { useRights } from '../api/session/rights.ts';
import { useApi } from '../api/session/session.tsx';
import { CreateWebhookDialog } from '../features/webhooks/webhook-dialog.tsx';
import { type Webhook, WebhookState } from '../features/webhooks/webhook-state.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { ConfirmDialog } from '../shared/form/confirm-dialog.tsx';
import { HookIcon, KeyIcon, PlusIcon } from '../shared/icons.tsx';
import { Moment } from '../shared/moment.tsx';
import { Page } from '../shared/page.tsx';
import type { Column } from '../shared/table/column.ts';
import { DataTable, pagedQuery } from '../shared/table/data-table.tsx';
import { usePageParams } from '../shared/use-page-params.ts';
import { whole } from '../texts/numbers.ts';
import { t as words } from '../texts/shared.ts';
import { t } from '../texts/webhooks.ts';

const columns: Column<Webhook>[] = [
  { id: 'url', title: t.address, cell: ({ url }) => url, width: '45%' },
  { id: 'state', title: t.state, cell: ({ state }) => <WebhookState state={state} /> },
  { id: 'events', title: t.happenings, cell: ({ events }) => whole(events.length), isNumber: true },
  { id: 'created', title: t.created, cell: ({ createdAt }) => <Moment at={createdAt} /> },
];

export default function WebhooksPage() {
  const api = useApi();
  const { canWrite } = useRights();
  const { pageNumber, setPage } = usePageParams();
  const [creating, dialog] = useDisclosure(false);
  const [renewing, renewal] = useDisclosure(false);
  const query = useQuery({
    ...pageOf(api, listWebhooks, { query: { pageNumber } }),
    ...pagedQuery,
  });
  const create = (
    <Button leftSection={<PlusIcon />} onClick={dialog.open} data-shortcut="create">
      {t.create}
    </Button>
  );
  const actions = (
    <>
      <Button variant="default" leftSection={<KeyIcon />} onClick={renewal.open}>
        {t.renew}
      </Button>
      {create}
    </>
  );
  return (
    <Page title={t.title} lead={t.lead} actions={canWrite && actions}>
      <DataTable
        label={t.list}
        query={query}
        onPage={setPage}
        columns={columns}
        rowKey={({ webhookId }) => webhookId}
        href={({ webhookId }) => `/webhooks/${webhookId}`}
        empty={
          <EmptyState icon={<HookIcon size={20} />} title={t.none} text={canWrite ? t.noneText : words.addedByOthers}>
            {canWrite && create}
          </EmptyState>
        }
      />
      {creating && <CreateWebhookDialog onClose={dialog.close} />}
      {renewing && (
        // Asks first: servers that check signatures have a day to switch over.
        <ConfirmDialog
          title={t.renewTitle}
          text={t.renewText}
          confirm={t.renewConfirm}
          act={async () => (await api.call(renewWebhookSecret)).data}
          secret={({ secret }) => ({ title: t.renewed, label: t.secret, secret, note: t.secretNote })}
          onClose={renewal.close}
        />
      )}
    </Page>
  );
}
