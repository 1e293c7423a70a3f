// A send before it leaves: what, to whom, when; a test; and the button with the number on it.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useApi } from '../../api/session/session.tsx';
import { Card } from '../../shared/card.tsx';
import { Modal } from '../../shared/dialog.tsx';
import { DialogButtons } from '../../shared/form/dialog-buttons.tsx';
import { MailIcon, SendIcon } from '../../shared/icons.tsx';
import { t } from '../../texts/sends.ts';
import { AbField } from './ab-field.tsx';
import { EmailPicker, ListPicker } from './pickers.tsx';
import { ReachCard } from './reach-card.tsx';
import { audienceOf, listKey, moveSend, patchSend, type Reach, type Send, type When } from './send-api.ts';
import classes from './sends.module.css';
import { useSendAction } from './use-send-action.ts';
import { sayWhen, WhenField } from './when-field.tsx';

interface DraftSendProps {
  send: Send;
  reach: Reach | undefined;
  isReachFailed: boolean;
  canWrite: boolean;
  onTest: () => void;
}

export function DraftSend({ send, reach, isReachFailed, canWrite, onTest }: DraftSendProps) {
  const api = useApi();
  const { broadcastId: id, emailId, audience } = send;
  const [when, setWhen] = useState<When>(send.when);
  const [isAsking, setAsking] = useState(false);
  const save = useSendAction({ act: (body: Parameters<typeof patchSend>[2]) => patchSend(api, id, body) });
  const choose = (next: When) => {
    setWhen(next);
    if (next.kind === 'now' || next.at) save.mutate({ when: next });
  };
  const isTimed = when.kind === 'now' || Boolean(when.at);
  const count = reach?.getsMail ?? null;
  const missing = !emailId ? t.wantsEmail : !audience ? t.wantsList : isTimed ? undefined : t.wantsTime;
  return (
    <Stack gap="lg" className={classes.narrow}>
      <Card title={t.what}>
        <Stack gap="md">
          <EmailPicker value={emailId} isReadOnly={!canWrite} onChange={(next) => save.mutate({ emailId: next })} />
          {audience?.filter ? (
            <Text>
              {t.list}: {t.ownFilter}
            </Text>
          ) : (
            <ListPicker
              value={listKey(audience)}
              isReadOnly={!canWrite}
              onChange={(next) => save.mutate({ audience: audienceOf(next) })}
            />
          )}
        </Stack>
      </Card>
      {canWrite && audience && <ReachCard reach={save.isPending ? undefined : reach} isFailed={isReachFailed} />}
      <Card title={t.when}>
        <WhenField when={when} isReadOnly={!canWrite} onChange={choose} />
      </Card>
      <Card title={t.ab}>
        <AbField {...{ send, when }} isReadOnly={!canWrite} onChange={(abTest) => save.mutate({ abTest })} />
      </Card>
      {canWrite && (
        <>
          <Card title={t.test}>
            <Group justify="space-between">
              <Text>{t.testText}</Text>
              <Button variant="default" leftSection={<MailIcon />} disabled={!emailId} onClick={onTest}>
                {t.sendTest}
              </Button>
            </Group>
          </Card>
          <Card title={t.finish}>
            <Stack gap="sm" align="flex-start">
              {missing && <Text c="dimmed">{missing}</Text>}
              <Button
                size="md"
                leftSection={<SendIcon />}
                disabled={missing !== undefined || save.isPending}
                onClick={() => setAsking(true)}
              >
                {(when.kind === 'now' ? t.sendNow : t.schedule)(count)}
              </Button>
            </Stack>
          </Card>
        </>
      )}
      {isAsking && <SendDialog send={send} when={when} count={count} onClose={() => setAsking(false)} />}
    </Stack>
  );
}

interface SendDialogProps {
  send: Send;
  when: When;
  count: number | null;
  onClose: () => void;
}

function SendDialog({ send: { broadcastId, name }, when, count, onClose }: SendDialogProps) {
  const api = useApi();
  const isNow = when.kind === 'now';
  const start = useSendAction({
    act: () => moveSend(api, broadcastId, 'send'),
    onDone: onClose,
    isToldInPlace: true,
  });
  return (
    <Modal opened onClose={onClose} title={(isNow ? t.sendTitle : t.scheduleTitle)(name)}>
      <Stack gap="md">
        <Text>{isNow ? t.confirmNow(count) : t.confirmLater(count, sayWhen(when))}</Text>
        <DialogButtons
          fault={start.error?.message}
          cancel={t.notYet}
          onCancel={onClose}
          confirm={isNow ? t.sendNow(count) : t.schedule(null)}
          onConfirm={() => start.mutate()}
          isBusy={start.isPending}
          focus="confirm"
        />
      </Stack>
    </Modal>
  );
}
