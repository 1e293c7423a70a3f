import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../../session/session.tsx';
import { ConfirmDialog } from '../../../shared/confirm-dialog.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { EyeIcon, MailIcon, TrashIcon } from '../../../shared/icons.tsx';
import { Moment } from '../../../shared/moment.tsx';
import rowStyles from '../../../shared/rows.module.css';
import { pagedQuery, Rows } from '../../../shared/rows.tsx';
import { SearchBox } from '../../../shared/search-box.tsx';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { fetchVersions, removeVersion, type Version } from '../email-api.ts';
import { VersionDialog } from './version-dialog.tsx';

export default function VersionsTab({ id }: { id: string }) {
  const api = useApi();
  const { pageNumber, setPage, param, setParam } = usePageParams();
  const [viewed, setViewed] = useState<Version>();
  const [doomed, setDoomed] = useState<Version>();
  const email = param('email');
  const query = useQuery({
    queryKey: ['versions', id, { email, pageNumber }],
    queryFn: () => fetchVersions(api, { assetId: id, email, pageNumber }),
    ...pagedQuery,
  });
  return (
    <>
      <search className={rowStyles.toolbar}>
        <SearchBox
          label="Find the version of one contact"
          placeholder="Whole email of a contact"
          value={email ?? ''}
          onSearch={(value) => setParam('email', value.trim())}
          className={rowStyles.grow}
        />
      </search>
      <Rows
        query={query}
        label="Versions"
        columns={[
          { title: 'Contact' },
          { title: 'State' },
          { title: 'Expires' },
          { title: 'Updated' },
          { title: 'Actions', hidden: true },
        ]}
        row={(version) => <Row key={version.contactId} version={version} onView={setViewed} onDelete={setDoomed} />}
        onPage={setPage}
        empty={email ? <NoneOf email={email} /> : <None />}
      />
      <VersionDialog version={viewed} onClose={() => setViewed(undefined)} />
      <DeleteVersion version={doomed} onClose={() => setDoomed(undefined)} />
    </>
  );
}

function None() {
  return (
    <EmptyState
      icon={<MailIcon size={20} />}
      title="Everybody gets the default"
      text="No contact has a version of this email. Versions arrive through POST /v1/email-versions, one for each contact."
    />
  );
}

function NoneOf({ email }: { email: string }) {
  return <EmptyState title="No such version" text={`${email} has no version of this email and gets the default.`} />;
}

interface RowProps {
  version: Version;
  onView: (version: Version) => void;
  onDelete: (version: Version) => void;
}

function Row({ version, onView, onDelete }: RowProps) {
  const { email, subject, status, expiresAt, updatedAt } = version;
  return (
    <tr>
      <td>
        <div className={rowStyles.main}>{email}</div>
        <div className={rowStyles.quiet}>{subject ?? 'Same subject as the email'}</div>
      </td>
      <td data-label="State">
        <ToneBadge tone={status === 'ready' ? 'good' : 'warn'}>{status === 'ready' ? 'Ready' : 'Expired'}</ToneBadge>
      </td>
      <td data-label="Expires" className={`${rowStyles.quiet} ${rowStyles.nowrap}`}>
        {expiresAt ? <Moment at={expiresAt} /> : 'Never'}
      </td>
      <td data-label="Updated" className={`${rowStyles.quiet} ${rowStyles.nowrap}`}>
        <Moment at={updatedAt} />
      </td>
      <td className={rowStyles.end}>
        <Group gap={6} justify="flex-end" wrap="nowrap">
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<EyeIcon />}
            aria-label={`View the version of ${email}`}
            onClick={() => onView(version)}
          >
            View
          </Button>
          <Tooltip label="Delete">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Delete the version of ${email}`}
              onClick={() => onDelete(version)}
            >
              <TrashIcon />
            </ActionIcon>
          </Tooltip>
        </Group>
      </td>
    </tr>
  );
}

function DeleteVersion({ version, onClose }: { version: Version | undefined; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: ({ assetId, email }: Version) => removeVersion(api, { assetId, email }),
    onSuccess: async (_answer, { assetId }) => {
      await queries.invalidateQueries({ queryKey: ['versions', assetId] });
      void queries.invalidateQueries({ queryKey: ['activity', assetId] });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened={version !== undefined}
      title="Delete this version?"
      text={`${version?.email ?? 'The contact'} will get the default email again.`}
      confirm="Delete version"
      busy={remove.isPending}
      error={remove.error}
      onCancel={onClose}
      onConfirm={() => version && remove.mutate(version)}
    />
  );
}
