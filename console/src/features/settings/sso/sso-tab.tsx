import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { listIdentityProviders } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { pageOf } from '../../../api/ask.ts';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Card } from '../../../shared/card.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { PlusIcon, ShieldIcon } from '../../../shared/icons.tsx';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { sso as t } from '../../../texts/settings-access.ts';
import { t as words } from '../../../texts/shared.ts';
import { AdminOnly } from '../admin-only.tsx';
import classes from '../settings.module.css';
import { TabHead } from '../tab-head.tsx';
import { ProviderCard } from './provider-card.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import { RedirectAddress } from './redirect-address.tsx';

export default function SsoTab() {
  return (
    <AdminOnly>
      <Providers />
    </AdminOnly>
  );
}

function Providers() {
  const api = useApi();
  const { canWrite } = useRights();
  const [adding, dialog] = useDisclosure(false);
  // There are at most 20.
  const query = useQuery({
    ...pageOf(api, listIdentityProviders, { query: { pageSize: 50 } }),
    select: ({ rows }) => rows,
  });
  const add = (
    <Button leftSection={<PlusIcon />} onClick={dialog.open} data-shortcut="create">
      {t.create}
    </Button>
  );
  return (
    <>
      <TabHead text={t.about}>{canWrite && add}</TabHead>
      {query.data?.length === 0 && (
        <Card>
          <RedirectAddress />
        </Card>
      )}
      {query.isPending && <LoadingState label={words.loading} rows={3} />}
      {query.error && !query.data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data?.length === 0 && (
        <Card isFlush>
          <EmptyState icon={<ShieldIcon size={20} />} title={t.none} text={t.noneText}>
            {canWrite && add}
          </EmptyState>
        </Card>
      )}
      <div className={classes.cards}>
        {query.data?.map((provider) => (
          <ProviderCard key={provider.providerId} provider={provider} mayChange={canWrite} />
        ))}
      </div>
      {adding && <ProviderDialog onClose={dialog.close} />}
    </>
  );
}
