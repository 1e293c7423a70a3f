// A scheduled send is changed all at once, not field by field as a draft: it may leave at any moment.
import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useApi } from '../../api/session/session.tsx';
import { Modal } from '../../shared/dialog.tsx';
import { DialogButtons } from '../../shared/form/dialog-buttons.tsx';
import { t } from '../../texts/sends.ts';
import { AbField } from './ab-field.tsx';
import { EmailPicker, ListPicker } from './pickers.tsx';
import { audienceOf, listKey, patchSend, type Send, type When } from './send-api.ts';
import { useSendAction } from './use-send-action.ts';
import { WhenField } from './when-field.tsx';

export function ChangeSendDialog({ send, onClose }: { send: Send; onClose: () => void }) {
  const api = useApi();
  const [emailId, setEmail] = useState(send.emailId);
  const [list, setList] = useState(listKey(send.audience));
  const [when, setWhen] = useState<When>(send.when);
  const [abTest, setTest] = useState(send.abTest);
  // The revision that is changed here: the page behind goes on asking.
  const [revision] = useState(send.revision);
  const isTimed = when.kind === 'now' || Boolean(when.at);
  const save = useSendAction({
    act: () => {
      const audience = list === null || list === listKey(send.audience) ? {} : { audience: audienceOf(list) };
      return patchSend(api, send.broadcastId, { emailId, when, abTest, ...audience }, `"${revision}"`);
    },
    said: t.changed,
    onDone: onClose,
    isToldInPlace: true,
  });
  const isNow = when.kind === 'now';
  return (
    <Modal opened onClose={onClose} title={t.changeTitle}>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (isTimed && !save.isPending) save.mutate();
        }}
      >
        <Stack gap="md">
          <EmailPicker value={emailId} onChange={setEmail} />
          {send.audience?.filter ? (
            <Text>
              {t.list}: {t.ownFilter}
            </Text>
          ) : (
            <ListPicker value={list} onChange={setList} />
          )}
          <WhenField when={when} isReadOnly={false} onChange={setWhen} />
          <AbField send={{ emailId, abTest }} when={when} isReadOnly={false} onChange={setTest} />
          {isNow && send.status !== 'paused' && <Text c="dimmed">{t.changeNow}</Text>}
          <DialogButtons
            fault={save.error?.message}
            onCancel={onClose}
            confirm={isNow && send.status !== 'paused' ? t.sendNow(null) : t.saveChange}
            isBusy={save.isPending}
            isDisabled={!isTimed || emailId === null}
          />
        </Stack>
      </form>
    </Modal>
  );
}
