import { Button, Menu } from '@mantine/core';
import { deleteWebhook, resumeWebhook, rotateWebhookSecret, updateWebhook } from '@rapport/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { about } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { ConfirmDialog } from '../../shared/form/confirm-dialog.tsx';
import { useAction } from '../../shared/form/use-action.ts';
import { EditIcon, KeyIcon, PauseIcon, PlayIcon, TrashIcon } from '../../shared/icons.tsx';
import { MoreMenu } from '../../shared/more-menu.tsx';
import { t } from '../../texts/webhooks.ts';
import { EditWebhookDialog } from './webhook-dialog.tsx';
import type { Webhook } from './webhook-state.tsx';

/** What can be done with a webhook, on its page. */
export function WebhookActions({ webhook }: { webhook: Webhook }) {
  const [asked, setAsked] = useState<'edit' | 'rotate' | 'disable' | 'delete'>();
  const close = () => setAsked(undefined);
  return (
    <>
      <Resuming webhook={webhook} />
      <Button variant="default" leftSection={<EditIcon />} onClick={() => setAsked('edit')}>
        {t.edit}
      </Button>
      <MoreMenu label={t.more} isOfPage>
        <Menu.Item leftSection={<KeyIcon />} onClick={() => setAsked('rotate')}>
          {t.rotate}
        </Menu.Item>
        {webhook.state !== 'disabled' && (
          <Menu.Item leftSection={<PauseIcon />} onClick={() => setAsked('disable')}>
            {t.disable}
          </Menu.Item>
        )}
        <Menu.Item color="var(--bad)" leftSection={<TrashIcon />} onClick={() => setAsked('delete')}>
          {t.remove}
        </Menu.Item>
      </MoreMenu>
      {asked === 'edit' && <EditWebhookDialog webhook={webhook} onClose={close} />}
      {asked === 'rotate' && <Rotation webhook={webhook} onClose={close} />}
      {asked === 'disable' && <Disabling webhook={webhook} onClose={close} />}
      {asked === 'delete' && <Removal webhook={webhook} onClose={close} />}
    </>
  );
}

/** Makes it send again, whatever stopped it. */
function Resuming({ webhook: { webhookId: id, state } }: { webhook: Webhook }) {
  const api = useApi();
  const params = { id };
  const resume = useAction({
    act: () =>
      state === 'disabled'
        ? api.call(updateWebhook, { params, body: { isEnabled: true } })
        : api.call(resumeWebhook, { params }),
    refresh: ['webhooks', 'workspace'],
    said: state === 'disabled' ? t.enabled : t.resumed,
  });
  if (state === 'active') return null;
  return (
    <Button leftSection={<PlayIcon />} loading={resume.isPending} onClick={() => resume.mutate()}>
      {state === 'disabled' ? t.enable : t.resume}
    </Button>
  );
}

interface AskProps {
  webhook: Webhook;
  onClose: () => void;
}

function Rotation({ webhook: { webhookId: id }, onClose }: AskProps) {
  const api = useApi();
  return (
    <ConfirmDialog
      title={t.rotateTitle}
      text={t.rotateText}
      confirm={t.rotate}
      act={async () => (await api.call(rotateWebhookSecret, { params: { id } })).data}
      secret={({ secret }) => ({ title: t.rotated, label: t.secret, secret, note: t.rotatedNote })}
      onClose={onClose}
    />
  );
}

function Disabling({ webhook: { webhookId: id, url }, onClose }: AskProps) {
  const api = useApi();
  return (
    <ConfirmDialog
      title={t.disableTitle}
      text={t.disableText(url)}
      confirm={t.disable}
      act={() => api.call(updateWebhook, { params: { id }, body: { isEnabled: false } })}
      refresh={['webhooks', 'workspace']}
      said={t.disabled}
      onClose={onClose}
    />
  );
}

function Removal({ webhook: { webhookId: id, url }, onClose }: AskProps) {
  const api = useApi();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  return (
    <ConfirmDialog
      title={t.removeTitle}
      text={t.removeText(url)}
      confirm={t.remove}
      act={() => api.call(deleteWebhook, { params: { id } })}
      onDone={() => {
        navigate('/webhooks');
        queries.removeQueries(about('webhooks', id));
      }}
      refresh={['webhooks']}
      said={t.removed}
      onClose={onClose}
    />
  );
}
