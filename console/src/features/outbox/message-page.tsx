import { SegmentedControl } from '@mantine/core';
import { type DataValue, getOutboxMessage } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../session/session.tsx';
import { BackLink } from '../../shared/back-link.tsx';
import { ErrorState } from '../../shared/error-state.tsx';
import { LoadingState } from '../../shared/loading-state.tsx';
import { Moment } from '../../shared/moment.tsx';
import { Page } from '../../shared/page.tsx';
import type { PageParams } from '../../shared/page-params.ts';
import { SafePreview } from '../../shared/safe-preview.tsx';
import classes from './message-page.module.css';

type Message = DataValue<typeof getOutboxMessage>;

export default function MessagePage({ params: { messageId = '' } }: PageParams) {
  const api = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ['outbox', messageId],
    queryFn: () => api.call(getOutboxMessage, { params: { messageId } }),
  });
  if (error)
    return (
      <Page title="Message" above={<BackLink href="/outbox" label="Outbox" />}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  if (!data) return <LoadingState label="Loading the message" />;
  return <MessageView message={data.data} />;
}

function MessageView({ message }: { message: Message }) {
  const [part, setPart] = useState<'html' | 'text'>('html');
  return (
    <Page
      title={message.subject || '(no subject)'}
      above={<BackLink href="/outbox" label="Outbox" />}
      actions={
        <SegmentedControl
          aria-label="Part"
          value={part}
          onChange={(value) => setPart(value as typeof part)}
          data={[
            { value: 'html', label: 'HTML' },
            { value: 'text', label: 'Plain text' },
          ]}
        />
      }
    >
      <dl className={classes.head}>
        <Line name="From" value={message.from} />
        <Line name="To" value={message.to} />
        <Line name="Reply-to" value={message.replyTo} />
        <div>
          <dt>Kept</dt>
          <dd>
            <Moment at={message.createdAt} />
          </dd>
        </div>
      </dl>
      <div className={classes.body}>
        {part === 'html' ? (
          <SafePreview html={message.html} title="The message as it looks" />
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
