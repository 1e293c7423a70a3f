// Pause, resume, cancel, delete.
import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useApi } from '../../api/session/session.tsx';
import { ConfirmDialog } from '../../shared/form/confirm-dialog.tsx';
import { BlockIcon, EditIcon, PauseIcon, PlayIcon, TrashIcon } from '../../shared/icons.tsx';
import { CopyIdItem, MoreMenu } from '../../shared/more-menu.tsx';
import { t } from '../../texts/sends.ts';
import { ChangeSendDialog } from './change-send-dialog.tsx';
import { deleteSend, hasBegun, moveSend, type Send } from './send-api.ts';
import { useSendAction } from './use-send-action.ts';

export function SendActions({ send }: { send: Send }) {
  const { broadcastId: id, status, name } = send;
  const api = useApi();
  const [, navigate] = useLocation();
  const [open, setOpen] = useState<'change' | 'cancel' | 'delete'>();
  const isOn = status === 'scheduled' || status === 'sending' || status === 'paused';
  const isPaused = status === 'paused';
  const toggle = useSendAction({
    act: () => moveSend(api, id, isPaused ? 'resume' : 'pause'),
    said: isPaused ? t.resumed : t.paused,
  });
  const close = () => setOpen(undefined);
  return (
    <>
      {isOn && (
        <Button
          variant={isPaused ? 'filled' : 'default'}
          leftSection={isPaused ? <PlayIcon size={14} /> : <PauseIcon size={14} />}
          loading={toggle.isPending}
          onClick={() => toggle.mutate()}
        >
          {isPaused ? t.resume : t.pause}
        </Button>
      )}
      {isOn && !hasBegun(send) && (
        <Button variant="default" leftSection={<EditIcon size={14} />} onClick={() => setOpen('change')}>
          {t.change}
        </Button>
      )}
      <MoreMenu label={t.more} isOfPage>
        <CopyIdItem id={id} />
        {isOn ? (
          <Menu.Item color="var(--bad)" leftSection={<BlockIcon />} onClick={() => setOpen('cancel')}>
            {t.cancel}
          </Menu.Item>
        ) : (
          <Menu.Item color="var(--bad)" leftSection={<TrashIcon />} onClick={() => setOpen('delete')}>
            {t.delete}
          </Menu.Item>
        )}
      </MoreMenu>
      {open === 'change' && <ChangeSendDialog send={send} onClose={close} />}
      {open === 'cancel' && (
        <ConfirmDialog
          title={t.cancelTitle}
          text={hasBegun(send) ? t.cancelText : t.cancelTextBefore}
          confirm={t.cancel}
          cancel={t.keep}
          act={() => moveSend(api, id, 'cancel')}
          refresh={['broadcasts']}
          said={t.cancelled}
          onClose={close}
        />
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={t.deleteTitle}
          text={t.deleteText(name)}
          confirm={t.delete}
          act={() => deleteSend(api, id)}
          onDone={() => navigate('/sends')}
          refresh={['broadcasts']}
          onClose={close}
        />
      )}
    </>
  );
}
