import { SegmentedControl } from '@mantine/core';
import { type DataValue, getOutboxMessage } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf } from '../api/ask.ts';
import { useApi } from '../api/session/session.tsx';
import { BackLink } from '../shared/back-link.tsx';
import { ErrorState } from '../shared/error-state.tsx';
import { LoadingState } from '../shared/loading-state.tsx';
import { Moment } from '../shared/moment.tsx';
import { Page } from '../shared/page.tsx';
import type { PageParams } from '../shared/page-params.ts';
import { SafePreview } from '../shared/safe-preview.tsx';
import { t } from '../texts/messages.ts';
import { t as words } from '../texts/shared.ts';
import classes from './outbox-message-page.module.css';

type Message = DataValue<typeof getOutboxMessage>;

export default function MessagePage({ params: { messageId = '' } }: PageParams) {
  const api = useApi();
  const { data, error, refetch } = useQuery(answerOf(api, getOutboxMessage, { params: { messageId } }));
  if (error)
    return (
      <Page title={t.message} above={<BackLink href="/outbox" label={t.outbox} />}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  if (!data) return <LoadingState label={words.loading} />;
  return <MessageView message={data.data} />;
}

function MessageView({ message }: { message: Message }) {
  const [part, setPart] = useState<'html' | 'text'>('html');
  return (
    <Page
      title={message.subject || t.noSubject}
      above={<BackLink href="/outbox" label={t.outbox} />}
      actions={
        <SegmentedControl
          aria-label={t.part}
          value={part}
          onChange={(value) => setPart(value as typeof part)}
          data={[
            { value: 'html', label: t.html },
            { value: 'text', label: t.plainText },
          ]}
        />
      }
    >
      <dl className={classes.head}>
        <Line name={t.from} value={message.from} />
        <Line name={t.to} value={message.to} />
        <Line name={t.replyTo} value={message.replyTo} />
        <div>
          <dt>{t.kept}</dt>
          <dd>
            <Moment at={message.createdAt} />
          </dd>
        </div>
      </dl>
      <div className={classes.body}>
        {part === 'html' ? (
          <SafePreview html={message.html} title={t.looks} />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable with the keyboard
          <pre className={classes.text} tabIndex={0}>
            {message.text}
          </pre>
        )}
      </div>
    </Page>
  );
}

function Line({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}
