// The webhook of the workspace that alerts go to: for admins.
import { Button, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import {
  type DataValue,
  getAlertWebhook,
  removeAlertWebhook,
  setAlertWebhook,
  testAlertWebhook,
} from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { foundOf } from '../../../api/ask.ts';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { Card } from '../../../shared/card.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { FactList } from '../../../shared/facts/fact-list.tsx';
import { ConfirmDialog } from '../../../shared/form/confirm-dialog.tsx';
import { Fault } from '../../../shared/form/dialog-buttons.tsx';
import { FormDialog } from '../../../shared/form/form-dialog.tsx';
import { useAction } from '../../../shared/form/use-action.ts';
import { useForm } from '../../../shared/form/use-form.ts';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { Moment } from '../../../shared/moment.tsx';
import { t } from '../../../texts/alerts.ts';
import { t as words } from '../../../texts/shared.ts';
import { TestAnswer } from '../../webhooks/test-answer.tsx';
import classes from '../settings.module.css';

type Webhook = DataValue<typeof getAlertWebhook>;

export function AlertWebhook() {
  const api = useApi();
  const { canWrite } = useRights();
  const [editing, dialog] = useDisclosure(false);
  const query = useQuery({ ...foundOf(api, getAlertWebhook), refetchInterval: 60_000 });
  const { data } = query;
  if (query.isPending) return <LoadingState label={words.loading} rows={3} />;
  if (data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  const edit = (
    <Button variant={data ? 'default' : 'filled'} size="xs" onClick={dialog.open}>
      {data ? t.change : t.set}
    </Button>
  );
  return (
    <Card
      title={t.webhook}
      actions={
        canWrite && (
          <>
            {data && <Remove />}
            {edit}
          </>
        )
      }
    >
      {data ? <Facts webhook={data} /> : <Text c="dimmed">{t.webhookNone}</Text>}
      {data && canWrite && <Test key={data.changedAt} />}
      {editing && <WebhookDialog onClose={dialog.close} />}
    </Card>
  );
}

function Facts({ webhook }: { webhook: Webhook }) {
  const { host, ending, changedAt, lastDeliveredAt, lastFailedAt, lastError, isGivenUp } = webhook;
  const failure = lastFailedAt && {
    name: t.failed,
    value: (
      <>
        <Moment at={lastFailedAt} />: {t.failure(lastError ?? '', isGivenUp)}
      </>
    ),
  };
  return (
    <FactList
      facts={[
        { name: t.host, value: host, isCode: true },
        { name: t.ending, value: `…${ending}`, isCode: true },
        { name: t.changed, value: <Moment at={changedAt} /> },
        { name: t.delivered, value: lastDeliveredAt ? <Moment at={lastDeliveredAt} /> : t.notYet },
        ...(failure ? [failure] : []),
      ]}
    />
  );
}

function Test() {
  const api = useApi();
  const test = useAction({
    act: async () => (await api.call(testAlertWebhook)).data,
    isToldInPlace: true,
  });
  return (
    <div className={classes.test}>
      <Button variant="default" size="xs" loading={test.isPending} onClick={() => test.mutate()}>
        {t.test}
      </Button>
      <div aria-live="polite">
        <Fault text={test.error?.message} />
        {test.data && !test.isPending && <TestAnswer told={test.data} />}
      </div>
    </div>
  );
}

function WebhookDialog({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const form = useForm({
    draft: 'alert-webhook',
    initial: { url: '' },
    withoutSecrets: () => ({}),
    notKept: t.urlNotKept,
    labels: { url: t.url },
    check: ({ url }) => ({ url: /^https?:\/\/./i.test(url.trim()) ? undefined : t.enterUrl }),
    send: ({ url }) => api.call(setAlertWebhook, { body: { url: url.trim() } }),
    refresh: ['workspace'],
    said: t.saved,
    onClose,
  });
  return (
    <FormDialog form={form} title={t.webhook} submit={t.save}>
      <TextInput
        {...form.text('url')}
        description={t.urlNote}
        placeholder={t.urlHint}
        type="url"
        required
        data-autofocus
        autoComplete="off"
        spellCheck={false}
      />
    </FormDialog>
  );
}

function Remove() {
  const api = useApi();
  const [isAsking, asking] = useDisclosure(false);
  return (
    <>
      <Button variant="default" size="xs" onClick={asking.open}>
        {t.remove}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t.removeTitle}
          text={t.removeText}
          confirm={t.remove}
          act={() => api.call(removeAlertWebhook)}
          refresh={['workspace']}
          said={t.removed}
          onClose={asking.close}
        />
      )}
    </>
  );
}
