import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { shareWorkspaceDomain, unshareWorkspaceDomain } from '@rapport/contract';
import { useState } from 'react';
import { useApi } from '../../../api/session/session.tsx';
import { CopyButton } from '../../../shared/copy-button.tsx';
import { Modal } from '../../../shared/dialog.tsx';
import { DialogButtons } from '../../../shared/form/dialog-buttons.tsx';
import { useAction } from '../../../shared/form/use-action.ts';
import { clockMoment } from '../../../shared/relative-time.ts';
import { domains as t } from '../../../texts/settings-sending.ts';
import type { SendingDomain } from './domain-words.ts';

/** A link to the domain's records for the person who runs DNS, who has no account here. */
export function ShareLink({ domain: { domain, sharedUntil } }: { domain: SendingDomain }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" size="xs" onClick={() => setOpen(true)}>
        {t.share}
      </Button>
      {isOpen && <ShareDialog domain={domain} sharedUntil={sharedUntil} onClose={() => setOpen(false)} />}
    </>
  );
}

function ShareDialog({
  domain,
  sharedUntil,
  onClose,
}: Pick<SendingDomain, 'domain' | 'sharedUntil'> & { onClose(): void }) {
  const api = useApi();
  const refresh = ['workspace', 'sending'] as const;
  const params = { domain };
  const share = useAction({
    act: async () => (await api.call(shareWorkspaceDomain, { params })).data,
    refresh,
    isToldInPlace: true,
  });
  const end = useAction({
    act: () => api.call(unshareWorkspaceDomain, { params }),
    refresh,
    said: t.linkEnded,
    onDone: onClose,
    isToldInPlace: true,
  });
  const link = share.data;
  const fault = (share.error ?? end.error)?.message;
  return (
    <Modal opened onClose={onClose} title={t.shareTitle(domain)}>
      <Stack gap="sm">
        <Text>{t.shareText}</Text>
        {link && (
          <>
            <TextInput label={t.link} value={link.url} readOnly onFocus={(event) => event.currentTarget.select()} />
            <Group gap="xs">
              <CopyButton text={link.url} label={t.copyLink} size="sm" data-autofocus />
              <Button component="a" variant="default" href={mailTo(domain, link.url)}>
                {t.mailLink}
              </Button>
            </Group>
            <Text c="dimmed">{t.linkOnce(clockMoment(link.expiresAt))}</Text>
          </>
        )}
        {!link && sharedUntil !== null && <Text c="dimmed">{t.hasLink(clockMoment(sharedUntil))}</Text>}
        {!link && sharedUntil !== null && (
          <Group>
            <Button variant="default" color="red" loading={end.isPending} onClick={() => end.mutate()}>
              {t.endLink}
            </Button>
          </Group>
        )}
        <DialogButtons
          fault={fault}
          onCancel={onClose}
          cancel={t.closeShare}
          {...(link ? {} : { confirm: t.makeLink, onConfirm: () => share.mutate(), isBusy: share.isPending })}
        />
      </Stack>
    </Modal>
  );
}

function mailTo(domain: string, url: string): string {
  const { subject, body } = t.letter(domain, url);
  return `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`;
}
