import { Menu, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { type DataValue, listInvitations, resendInvitation, revokeInvitation } from '@rapport/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { about, pageOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { ConfirmAction } from '../../../shared/confirm-action.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { SecretOnce, staysOpen } from '../../../shared/form/secret-once.tsx';
import { Moment } from '../../../shared/moment.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../../shared/table/data-table.tsx';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { roleNames, t as settings } from '../../../texts/settings.ts';
import { t } from '../../../texts/settings-people.ts';
import type { Tone } from '../../../theme/tone.ts';
import { RowMenu } from '../row-menu.tsx';
import classes from '../settings.module.css';
import { linkOf, type NewInvitation } from './invite-dialog.tsx';

type Invitation = DataValue<typeof listInvitations>;

const tones: Readonly<Record<Invitation['status'], Tone>> = {
  open: 'info',
  accepted: 'good',
  expired: 'warn',
  revoked: 'quiet',
};
const columns: Column<Invitation>[] = [
  { id: 'email', title: t.email, cell: ({ email }) => email },
  { id: 'role', title: t.role, cell: ({ role }) => roleNames[role] },
  {
    id: 'status',
    title: t.statusTitle,
    cell: ({ status }) => <ToneBadge tone={tones[status]}>{t.status[status]}</ToneBadge>,
  },
  { id: 'created', title: t.invitedAt, cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { id: 'expires', title: t.expires, cell: ({ expiresAt }) => <Moment at={expiresAt} isAhead /> },
  {
    id: 'actions',
    title: settings.more,
    isUntitled: true,
    isIcon: true,
    cell: (row) => <InvitationMenu invitation={row} />,
  },
];

/** Who was invited. Its page is not in the address: that is the one of the people above. */
export function Invitations() {
  const api = useApi();
  const [pageNumber, setPage] = useState(1);
  const query = useQuery({
    ...pageOf(api, listInvitations, { query: { pageNumber } }),
    ...pagedQuery,
  });
  return (
    <>
      <Title order={2} className={classes.title ?? ''}>
        {t.invitations}
      </Title>
      <DataTable
        label={t.invitations}
        query={query}
        onPage={setPage}
        columns={columns}
        rowKey={({ invitationId }) => String(invitationId)}
        empty={<EmptyState title={t.noInvitations} text={t.noInvitationsText} />}
      />
    </>
  );
}

function InvitationMenu({ invitation }: { invitation: Invitation }) {
  const api = useApi();
  const queries = useQueryClient();
  const [revoking, setRevoking] = useState<Invitation>();
  const params = { invitationId: invitation.invitationId };
  const refresh = () => void queries.invalidateQueries(about('invitations'));
  const resend = useMutation({
    mutationFn: async (): Promise<NewInvitation> => (await api.call(resendInvitation, { params })).data,
    onSuccess: refresh,
    onError: ({ message }) => notifications.show({ message, color: 'red' }),
  });
  if (invitation.status === 'accepted' || invitation.status === 'revoked') return null;
  return (
    <>
      <RowMenu label={settings.actions(invitation.email)}>
        <Menu.Item onClick={() => resend.mutate()}>{t.resend}</Menu.Item>
        {invitation.status === 'open' && (
          <Menu.Item c="var(--bad)" onClick={() => setRevoking(invitation)}>
            {t.revoke}
          </Menu.Item>
        )}
      </RowMenu>
      <Modal
        opened={resend.data !== undefined}
        onClose={resend.reset}
        title={t.resent(invitation.email)}
        {...staysOpen}
      >
        {resend.data && <SecretOnce {...linkOf(resend.data)} onDone={resend.reset} />}
      </Modal>
      <ConfirmAction
        subject={revoking}
        title={() => t.revokeTitle}
        text={({ email }) => t.revokeText(email)}
        confirm={t.revoke}
        act={() => api.call(revokeInvitation, { params })}
        onDone={({ email }) => {
          refresh();
          notifications.show({ message: t.revoked(email) });
        }}
        onClose={() => setRevoking(undefined)}
      />
    </>
  );
}
