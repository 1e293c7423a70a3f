import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { listWorkspaceDomains } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pageOf } from '../../../api/ask.ts';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Card } from '../../../shared/card.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { GlobeIcon, PlusIcon } from '../../../shared/icons.tsx';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { pagedQuery } from '../../../shared/table/data-table.tsx';
import { Paging } from '../../../shared/table/paging.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { t as settings } from '../../../texts/settings.ts';
import { domains as t } from '../../../texts/settings-sending.ts';
import { t as words } from '../../../texts/shared.ts';
import { DefaultSender } from '../sender/default-sender.tsx';
import { SetupWarning } from '../sending-setup.tsx';
import classes from '../settings.module.css';
import { TabHead } from '../tab-head.tsx';
import { AddDomainDialog } from './add-domain-dialog.tsx';
import { DomainCard } from './domain-card.tsx';
import { newestFirst, type SendingDomain } from './domain-words.ts';

export default function DomainsTab() {
  const api = useApi();
  const { isAdmin, canWrite } = useRights();
  const { pageNumber, setPage } = usePageParams();
  const [adding, dialog] = useDisclosure(false);
  const [added, setAdded] = useState<SendingDomain>();
  const mayChange = isAdmin && canWrite;
  const query = useQuery({
    ...pageOf(api, listWorkspaceDomains, { query: { pageNumber } }),
    ...pagedQuery,
  });
  const add = (
    <Button leftSection={<PlusIcon />} onClick={dialog.open} data-shortcut="create">
      {t.add}
    </Button>
  );
  const { data } = query;
  return (
    <>
      <TabHead text={mayChange ? t.about : `${t.about} ${settings.askAdmin}`}>{mayChange && add}</TabHead>
      <SetupWarning code="localBaseUrl" />
      {query.isPending && <LoadingState label={words.loading} />}
      {query.error && !data && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {data?.totalElements === 0 && (
        <Card isFlush>
          <EmptyState icon={<GlobeIcon size={20} />} title={t.none} text={mayChange ? t.noneText : words.addedByAdmins}>
            {mayChange && add}
          </EmptyState>
        </Card>
      )}
      <div className={classes.cards}>
        {data &&
          newestFirst(data.rows, added).map((domain) => (
            <DomainCard
              key={domain.domain}
              domain={domain}
              mayChange={mayChange}
              isOpen={data.totalElements === 1 || domain.status === 'unverified'}
              isNew={domain.domain === added?.domain}
              onRemoved={() => setAdded(undefined)}
            />
          ))}
      </div>
      {data && data.totalPages > 1 && <Paging page={data} onPage={setPage} />}
      <DefaultSender />
      {adding && <AddDomainDialog onClose={dialog.close} onAdded={setAdded} />}
    </>
  );
}
