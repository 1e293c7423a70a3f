import { ActionIcon, Button, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { useApi } from '../../session/session.tsx';
import { ConfirmDialog } from '../../shared/confirm-dialog.tsx';
import { CopyIcon, MoreIcon, SendIcon, TrashIcon } from '../../shared/icons.tsx';
import { removeEmail } from './email-api.ts';
import { SaveStatus } from './save-status.tsx';
import { TestSendDialog } from './test-send-dialog.tsx';
import type { DraftWork } from './use-draft.ts';

export function EmailActions({ work, onLeave }: { work: DraftWork; onLeave: () => void }) {
  const [sending, test] = useDisclosure(false);
  const [deleting, removal] = useDisclosure(false);
  const { id, name } = work.email;
  const remove = useDelete(id, onLeave);
  return (
    <>
      <SaveStatus work={work} />
      <Button variant="default" leftSection={<SendIcon />} onClick={test.open}>
        Send test
      </Button>
      <Button onClick={() => void work.save()} disabled={!work.isDirty} loading={work.saveState === 'saving'}>
        Save
      </Button>
      <Menu position="bottom-end" width={190} transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label="More actions">
            <MoreIcon />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<CopyIcon />} onClick={() => void navigator.clipboard?.writeText(id)}>
            Copy email id
          </Menu.Item>
          <Menu.Item color="var(--bad)" leftSection={<TrashIcon />} onClick={removal.open}>
            Delete email
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <TestSendDialog opened={sending} onClose={test.close} id={id} isDirty={work.isDirty} />
      <ConfirmDialog
        opened={deleting}
        title="Delete this email?"
        text={`“${name}” and its versions will no longer be sent. This cannot be undone here.`}
        confirm="Delete email"
        busy={remove.isPending}
        error={remove.error}
        onCancel={removal.close}
        onConfirm={() => remove.mutate()}
      />
    </>
  );
}

function useDelete(id: string, onLeave: () => void) {
  const api = useApi();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const remove = useMutation({
    mutationFn: () => removeEmail(api, id),
    onSuccess: async () => {
      onLeave();
      await queries.invalidateQueries({ queryKey: ['emails'] });
    },
  });
  // After the guard has been let go of, which takes a render.
  useEffect(() => {
    if (remove.isSuccess) navigate('/emails', { replace: true });
  }, [remove.isSuccess, navigate]);
  return remove;
}
