import { Menu, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type DataValue, listInvitations, resendInvitation, revokeInvitation } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { pageOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { ConfirmDialog } from '../../../shared/form/confirm-dialog.tsx';
import { SecretDialog } from '../../../shared/form/secret-dialog.tsx';
import { useAction } from '../../../shared/form/use-action.ts';
import { MailIcon } from '../../../shared/icons.tsx';
import { Moment } from '../../../shared/moment.tsx';
import { MoreMenu } from '../../../shared/more-menu.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../../shared/table/data-table.tsx';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { roleNames, t as settings } from '../../../texts/settings.ts';
import { t } from '../../../texts/settings-people.ts';
import type { Tone } from '../../../theme/tone.ts';
import classes from '../settings.module.css';
import { linkOf } from './invite-dialog.tsx';

type Invitation = DataValue<typeof listInvitations>;

const tones: Readonly<Record<Invitation['status'], Tone>> = {
  open: 'info',
  accepted: 'good',
  expired: 'warn',
  revoked: 'quiet',
};
const columns: Column<Invitation>[] = [
  { id: 'email', title: t.email, cell: ({ email }) => email },
  { id: 'role', title: t.role, cell: ({ role }) => <span className={classes.word}>{roleNames[role]}</span> },
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
    width: '3.5rem',
    cell: (row) => <InvitationMenu invitation={row} />,
  },
];

/** The invited people. Its page number is not in the address: that is for the people above. */
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
        empty={<EmptyState icon={<MailIcon size={20} />} title={t.noInvitations} text={t.noInvitationsText} />}
      />
    </>
  );
}

function InvitationMenu({ invitation: { invitationId, email, status } }: { invitation: Invitation }) {
  const api = useApi();
  const [isRevoking, revoking] = useDisclosure(false);
  const params = { invitationId };
  const resend = useAction({
    act: async () => (await api.call(resendInvitation, { params })).data,
    refresh: ['invitations'],
  });
  if (status === 'accepted' || status === 'revoked') return null;
  return (
    <>
      <MoreMenu label={settings.actions(email)}>
        <Menu.Item onClick={() => resend.mutate()}>{t.resend}</Menu.Item>
        {status === 'open' && (
          <Menu.Item c="var(--bad)" onClick={revoking.open}>
            {t.revoke}
          </Menu.Item>
        )}
      </MoreMenu>
      {resend.data && <SecretDialog title={t.resent(email)} {...linkOf(resend.data)} onDone={resend.reset} />}
      {isRevoking && (
        <ConfirmDialog
          title={t.revokeTitle}
          text={t.revokeText(email)}
          confirm={t.revoke}
          act={() => api.call(revokeInvitation, { params })}
          refresh={['invitations']}
          said={t.revoked(email)}
          onClose={revoking.close}
        />
      )}
    </>
  );
}
