import { Alert, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { deleteWebhook, getWebhook, resumeWebhook } from '@rapport/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { about, dataOf } from '../api/ask.ts';
import { useRights } from '../api/session/rights.ts';
import { useApi } from '../api/session/session.tsx';
import { Deliveries } from '../features/webhooks/deliveries.tsx';
import { type Webhook, WebhookState } from '../features/webhooks/webhook-state.tsx';
import { BackLink } from '../shared/back-link.tsx';
import { Card } from '../shared/card.tsx';
import { ConfirmAction } from '../shared/confirm-action.tsx';
import { ErrorState } from '../shared/error-state.tsx';
import { FactList } from '../shared/facts/fact-list.tsx';
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
  const [removing, setRemoving] = useState<Webhook>();
  const params = { id: webhook.webhookId };
  const resume = useMutation({
    mutationFn: () => api.call(resumeWebhook, { params }),
    onSuccess: () => {
      void queries.invalidateQueries(about('webhooks'));
      void queries.invalidateQueries(about('workspace'));
      notifications.show({ message: t.resumed });
    },
    onError: ({ message }) => notifications.show({ message, color: 'red' }),
  });
  return (
    <>
      <Button variant="default" leftSection={<TrashIcon />} onClick={() => setRemoving(webhook)}>
        {t.remove}
      </Button>
      {webhook.state === 'failing' && (
        <Button leftSection={<PlayIcon />} loading={resume.isPending} onClick={() => resume.mutate()}>
          {t.resume}
        </Button>
      )}
      <ConfirmAction
        subject={removing}
        title={() => t.removeTitle}
        text={({ url }) => t.removeText(url)}
        confirm={t.remove}
        act={() => api.call(deleteWebhook, { params })}
        onDone={() => {
          navigate('/webhooks');
          queries.removeQueries(about('webhooks', webhook.webhookId));
          void queries.invalidateQueries(about('webhooks'));
          notifications.show({ message: t.removed });
        }}
        onClose={() => setRemoving(undefined)}
      />
    </>
  );
}
