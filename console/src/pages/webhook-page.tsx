import { Alert } from '@mantine/core';
import { getWebhook } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../api/ask.ts';
import { useRights } from '../api/session/rights.ts';
import { useApi } from '../api/session/session.tsx';
import { Deliveries } from '../features/webhooks/deliveries.tsx';
import { WebhookActions } from '../features/webhooks/webhook-actions.tsx';
import { type Webhook, WebhookState } from '../features/webhooks/webhook-state.tsx';
import { WebhookTest } from '../features/webhooks/webhook-test.tsx';
import { BackLink } from '../shared/back-link.tsx';
import { Card } from '../shared/card.tsx';
import { ErrorState } from '../shared/error-state.tsx';
import { FactList } from '../shared/facts/fact-list.tsx';
import { LoadingState } from '../shared/loading-state.tsx';
import { ClockMoment, Moment } from '../shared/moment.tsx';
import { Page } from '../shared/page.tsx';
import type { PageParams } from '../shared/page-params.ts';
import { t as words } from '../texts/shared.ts';
import { eventsInWords, t } from '../texts/webhooks.ts';

export default function WebhookPage({ params: { id = '' } }: PageParams) {
  const api = useApi();
  const { canWrite } = useRights();
  const query = useQuery({
    ...dataOf(api, getWebhook, { params: { id } }),
  });
  const { data: webhook } = query;
  return (
    <Page
      title={webhook?.url ?? t.one}
      above={<BackLink href="/webhooks" label={t.back} />}
      actions={webhook && canWrite && <WebhookActions webhook={webhook} />}
    >
      {query.error && !webhook && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <LoadingState label={words.loading} rows={3} />}
      {webhook && <About webhook={webhook} />}
      {webhook && canWrite && <WebhookTest key={webhook.url} id={id} />}
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
      {webhook.state === 'disabled' && (
        <Alert color="gray" title={t.states.disabled}>
          {t.disabledNote}
        </Alert>
      )}
      <Card>
        <FactList
          facts={[
            { name: t.state, value: <WebhookState state={webhook.state} /> },
            { name: t.since, value: webhook.failingSince && <ClockMoment at={webhook.failingSince} /> },
            { name: t.tells, value: eventsInWords(webhook.events) },
            { name: t.created, value: <Moment at={webhook.createdAt} /> },
          ]}
        />
      </Card>
    </>
  );
}
