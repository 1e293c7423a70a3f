import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { listPersonalTokens, revokePersonalToken } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pageOf } from '../../../api/ask.ts';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { ConfirmDialog } from '../../../shared/form/confirm-dialog.tsx';
import { KeyIcon, PlusIcon } from '../../../shared/icons.tsx';
import { DataTable, pagedQuery } from '../../../shared/table/data-table.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { tokens as t } from '../../../texts/settings-access.ts';
import { t as words } from '../../../texts/shared.ts';
import classes from '../settings.module.css';
import { TabHead } from '../tab-head.tsx';
import { CreateTokenDialog } from './create-token-dialog.tsx';
import { tokenColumns } from './token-columns.tsx';
import { type PersonalToken, tokenState } from './token-state.ts';

export default function TokensTab() {
  const api = useApi();
  const { me, canWrite, isAdmin } = useRights();
  const { pageNumber, setPage } = usePageParams();
  const [creating, dialog] = useDisclosure(false);
  const [revoking, setRevoking] = useState<PersonalToken>();
  const query = useQuery({
    ...pageOf(api, listPersonalTokens, { query: { pageNumber, pageSize: 50 } }),
    ...pagedQuery,
  });
  const create = (
    <Button leftSection={<PlusIcon />} onClick={dialog.open} data-shortcut="create">
      {t.create}
    </Button>
  );
  const revoke = (token: PersonalToken) =>
    tokenState(token, Date.now()) === 'active' && (
      <Button
        variant="subtle"
        c="var(--bad)"
        color="red"
        size="compact-sm"
        className={classes.bare ?? ''}
        onClick={() => setRevoking(token)}
      >
        {t.revoke}
      </Button>
    );
  return (
    <>
      <TabHead text={[t.about, isAdmin && t.aboutAdmin, !canWrite && words.readOnly].filter(Boolean).join(' ')}>
        {canWrite && create}
      </TabHead>
      <DataTable
        label={t.list}
        query={query}
        onPage={setPage}
        columns={tokenColumns(me?.token.tokenId ?? null, canWrite ? revoke : undefined)}
        rowKey={({ tokenId }) => String(tokenId)}
        empty={
          <EmptyState icon={<KeyIcon size={20} />} title={t.none} text={canWrite ? t.noneText : t.noneFact}>
            {canWrite && create}
          </EmptyState>
        }
      />
      {creating && <CreateTokenDialog onClose={dialog.close} />}
      {revoking && (
        <ConfirmDialog
          title={t.revokeTitle(revoking.name)}
          text={t.revokeText}
          confirm={t.revoke}
          act={() => api.call(revokePersonalToken, { params: { tokenId: revoking.tokenId } })}
          refresh={['tokens']}
          said={t.revoked(revoking.name)}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </>
  );
}
