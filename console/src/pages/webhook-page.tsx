import { Alert, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { deleteWebhook, getWebhook, resumeWebhook } from '@rapport/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { about, dataOf } from '../api/ask.ts';
import { useRights } from '../api/session/rights.ts';
import { useApi } from '../api/session/session.tsx';
import { Deliveries } from '../features/webhooks/deliveries.tsx';
import { type Webhook, WebhookState } from '../features/webhooks/webhook-state.tsx';
import { BackLink } from '../shared/back-link.tsx';
import { Card } from '../shared/card.tsx';
import { ErrorState } from '../shared/error-state.tsx';
import { FactList } from '../shared/facts/fact-list.tsx';
import { ConfirmDialog } from '../shared/form/confirm-dialog.tsx';
import { useAction } from '../shared/form/use-action.ts';
import { PlayIcon, TrashIcon } from '../shared/icons.tsx';
import { LoadingState } from '../shared/loading-state.tsx';
import { ClockMoment, Moment } from '../shared/moment.tsx';
import { Page } from '../shared/page.tsx';
import type { PageParams } from '../shared/page-params.ts';
import { t as words } from '../texts/shared.ts';
import { eventNames, t } from '../texts/webhooks.ts';

export default function WebhookPage({ params: { id = '' } }: PageParams) {
  const api = useApi();
  const { canWrite } = useRights();
  const query = useQuery({
    ...dataOf(api, getWebhook, { params: { id } }),
  });
  const { data: webhook } = query;
  return (
    <Page
      title={webhook?.url ?? t.title}
      above={<BackLink href="/webhooks" label={t.back} />}
      actions={webhook && canWrite && <Actions webhook={webhook} />}
    >
      {query.error && !webhook && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <LoadingState label={words.loading} rows={3} />}
      {webhook && <About webhook={webhook} />}
      {(!query.error || webhook) && <Deliveries id={id} />}
    </Page>
  );
}

function About({ webhook }: { webhook: Webhook }) {
  return (
    <>
      {webhook.state === 'failing' && (
        <Alert color="red" title={t.failing}>
          {t.failingText(webhook.reason ?? '')}
          {webhook.dropped > 0 && ` ${t.dropped(webhook.dropped)}`}
        </Alert>
      )}
      <Card>
        <FactList
          facts={[
            { name: t.state, value: <WebhookState state={webhook.state} /> },
            { name: t.since, value: webhook.failingSince && <ClockMoment at={webhook.failingSince} /> },
            { name: t.tells, value: webhook.events.map((event) => eventNames[event]).join(', ') },
            { name: t.created, value: <Moment at={webhook.createdAt} /> },
          ]}
        />
      </Card>
    </>
  );
}

function Actions({ webhook }: { webhook: Webhook }) {
  const api = useApi();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [isRemoving, removal] = useDisclosure(false);
  const params = { id: webhook.webhookId };
  const resume = useAction({
    act: () => api.call(resumeWebhook, { params }),
    refresh: ['webhooks', 'workspace'],
    said: t.resumed,
  });
  return (
    <>
      <Button variant="default" leftSection={<TrashIcon />} onClick={removal.open}>
        {t.remove}
      </Button>
      {webhook.state === 'failing' && (
        <Button leftSection={<PlayIcon />} loading={resume.isPending} onClick={() => resume.mutate()}>
          {t.resume}
        </Button>
      )}
      {isRemoving && (
        <ConfirmDialog
          title={t.removeTitle}
          text={t.removeText(webhook.url)}
          confirm={t.remove}
          act={() => api.call(deleteWebhook, { params })}
          onDone={() => {
            navigate('/webhooks');
            queries.removeQueries(about('webhooks', webhook.webhookId));
          }}
          refresh={['webhooks']}
          said={t.removed}
          onClose={removal.close}
        />
      )}
    </>
  );
}
