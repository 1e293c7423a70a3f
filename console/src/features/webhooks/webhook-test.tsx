import { Button, Text } from '@mantine/core';
import { testWebhook } from '@rapport/contract';
import { useApi } from '../../api/session/session.tsx';
import { Card } from '../../shared/card.tsx';
import { Fault } from '../../shared/form/dialog-buttons.tsx';
import { useAction } from '../../shared/form/use-action.ts';
import { SendIcon } from '../../shared/icons.tsx';
import { t } from '../../texts/webhooks.ts';
import { TestAnswer } from './test-answer.tsx';
import classes from './webhook-test.module.css';

/** Sends a test event, and shows what the receiver answered. */
export function WebhookTest({ id }: { id: string }) {
  const api = useApi();
  const test = useAction({
    act: async () => (await api.call(testWebhook, { params: { id } })).data,
    isToldInPlace: true,
  });
  return (
    <Card
      title={t.test}
      actions={
        <Button
          variant="default"
          size="xs"
          leftSection={<SendIcon size={14} />}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          {t.runTest}
        </Button>
      }
    >
      <Text c="dimmed">{t.testNote}</Text>
      <div aria-live="polite" className={classes.told}>
        <Fault text={test.error?.message} />
        {test.data && !test.isPending && <TestAnswer told={test.data} />}
      </div>
    </Card>
  );
}
