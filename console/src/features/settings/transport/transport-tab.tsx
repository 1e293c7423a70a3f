import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ApiFailure } from '@rapport/client';
import { getWorkspaceTransport, removeWorkspaceTransport } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { foundOf } from '../../../api/ask.ts';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Card } from '../../../shared/card.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { FactList } from '../../../shared/facts/fact-list.tsx';
import { ConfirmDialog } from '../../../shared/form/confirm-dialog.tsx';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { Moment } from '../../../shared/moment.tsx';
import { whole } from '../../../texts/numbers.ts';
import { transport as t } from '../../../texts/settings-sending.ts';
import { t as words } from '../../../texts/shared.ts';
import { AdminOnly } from '../admin-only.tsx';
import { useSendingSetup } from '../sending-setup.tsx';
import { TabHead } from '../tab-head.tsx';
import type { MailServer } from './server-fields.ts';
import { ServerTest } from './server-test.tsx';
import { TransportDialog } from './transport-dialog.tsx';

export default function TransportTab() {
  return (
    <AdminOnly>
      <TabHead text={t.about} />
      <OwnTransport />
    </AdminOnly>
  );
}

function OwnTransport() {
  const api = useApi();
  const { canWrite } = useRights();
  const [editing, dialog] = useDisclosure(false);
  const setup = useSendingSetup();
  const query = useQuery(foundOf(api, getWorkspaceTransport));
  const { data } = query;
  if (query.isPending) return <LoadingState label={words.loading} rows={3} />;
  // A server that can no longer be read, because its key is lost, can still be replaced.
  const isUnreadable = query.error instanceof ApiFailure && query.error.errorCode === 'INVALID_STATE';
  if (data === undefined && !isUnreadable && query.error)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const hasOwn = isUnreadable || data !== null;
  const edit = (
    <Button variant={hasOwn ? 'default' : 'filled'} size="xs" onClick={dialog.open}>
      {hasOwn ? t.change : t.set}
    </Button>
  );
  return (
    <Card
      title={t.own}
      actions={
        canWrite && (
          <>
            {hasOwn && <Remove />}
            {edit}
          </>
        )
      }
    >
      {data && <Facts server={data} />}
      {data && canWrite && <ServerTest key={data.updatedAt} server={() => ({})} />}
      {data === null && setup && (
        <Text c="dimmed">{setup.mailServer === 'outbox' ? t.ofNobody : t.ofInstallation}</Text>
      )}
      {isUnreadable && <Text c="var(--bad)">{query.error?.message}</Text>}
      {editing && <TransportDialog server={data ?? undefined} onClose={dialog.close} />}
    </Card>
  );
}

function Facts({ server }: { server: MailServer }) {
  const limit = (value: number | null) => (value === null ? t.unlimited : whole(value));
  return (
    <FactList
      facts={[
        { name: t.host, value: server.host, isCode: true },
        { name: t.port, value: String(server.port), isCode: true },
        { name: t.security, value: t.securities[server.security] },
        { name: t.user, value: server.user ?? t.noUser, isCode: server.user !== null },
        { name: t.rate, value: limit(server.rate) },
        { name: t.connections, value: limit(server.maxConnections) },
        { name: t.changed, value: <Moment at={server.updatedAt} /> },
      ]}
    />
  );
}

function Remove() {
  const api = useApi();
  const [isAsking, asking] = useDisclosure(false);
  return (
    <>
      <Button variant="default" size="xs" onClick={asking.open}>
        {t.remove}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t.removeTitle}
          text={t.removeText}
          confirm={t.remove}
          act={() => api.call(removeWorkspaceTransport)}
          refresh={['workspace', 'sending']}
          said={t.removed}
          onClose={asking.close}
        />
      )}
    </>
  );
}
