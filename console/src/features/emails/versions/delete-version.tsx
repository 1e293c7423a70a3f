import { ActionIcon, Tooltip } from '@mantine/core';
import { listEmailActivity } from '@rapport/contract';
import { useQueryClient } from '@tanstack/react-query';
import { answersOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { ConfirmDialog } from '../../../shared/form/confirm-dialog.tsx';
import { TrashIcon } from '../../../shared/icons.tsx';
import type { Column } from '../../../shared/table/column.ts';
import { t } from '../../../texts/emails.ts';
import { removeVersion, type Version } from '../email-api.ts';

export function DeleteVersionDialog({ version, onClose }: { version: Version; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const { assetId, email } = version;
  return (
    <ConfirmDialog
      title={t.deleteVersionTitle}
      text={t.deleteVersionText(email)}
      confirm={t.deleteVersion}
      act={() => removeVersion(api, { assetId, email })}
      onDone={() => void queries.invalidateQueries(answersOf(listEmailActivity))}
      refresh={['email-versions']}
      onClose={onClose}
    />
  );
}

export const versionDeletion = (onDelete: (version: Version) => void): Column<Version> => ({
  id: 'actions',
  title: t.actions,
  isUntitled: true,
  isIcon: true,
  cell: (version) => (
    <Tooltip label={t.deleteVersion}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t.deleteVersionOf(version.email)}
        onClick={() => onDelete(version)}
      >
        <TrashIcon />
      </ActionIcon>
    </Tooltip>
  ),
  width: '3.5rem',
});
