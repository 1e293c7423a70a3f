import { Button } from '@mantine/core';
import { getMessage } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { dataOf } from '../api/ask.ts';
import { useApi } from '../api/session/session.tsx';
import { Attempts } from '../features/messages/attempts.tsx';
import { CancelButton } from '../features/messages/cancel-button.tsx';
import classes from '../features/messages/message.module.css';
import { keptReply, type Message } from '../features/messages/message.ts';
import { MessageFacts } from '../features/messages/message-facts.tsx';
import { MessagePreview } from '../features/messages/message-preview.tsx';
import { BackLink } from '../shared/back-link.tsx';
import { Card } from '../shared/card.tsx';
import { EmptyState } from '../shared/empty-state.tsx';
import { ErrorState } from '../shared/error-state.tsx';
import {
  AlertIcon,
  CheckIcon,
  ClockIcon,
  CloseIcon,
  EyeIcon,
  LinkIcon,
  OutboxIcon,
  QuestionIcon,
  SendIcon,
} from '../shared/icons.tsx';
import { LoadingState } from '../shared/loading-state.tsx';
import { MessageStateBadge, messageTitle, reasonText, TestBadge } from '../shared/messages/message-columns.tsx';
import { type Names, useEmailNames, useJourneyNames } from '../shared/names/use-names.ts';
import { Page } from '../shared/page.tsx';
import type { PageParams } from '../shared/page-params.ts';
import { Timeline } from '../shared/timeline/timeline.tsx';
import { happenings, kept, states, t } from '../texts/messages.ts';
import { t as words } from '../texts/shared.ts';

// Until it is sent, its state changes by itself.
const liveMs = 3_000;

export default function MessagePage({ params: { messageId = '' } }: PageParams) {
  const api = useApi();
  const [emails, journeys] = [useEmailNames(), useJourneyNames()];
  const { data, error, refetch } = useQuery({
    ...dataOf(api, getMessage, { params: { messageId } }),
    refetchInterval: ({ state }) => (isOnItsWay(state.data) ? liveMs : false),
  });
  const above = <BackLink href="/messages" label={t.messages} />;
  if (!data)
    return (
      <Page title={t.message} above={above}>
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <LoadingState label={words.loading} />}
      </Page>
    );
  return (
    <Page
      title={messageTitle(data, emails)}
      above={above}
      lead={<Lead message={data} />}
      actions={<Actions message={data} />}
    >
      <MessageParts message={data} emails={emails} journeys={journeys} />
    </Page>
  );
}

const signs: Readonly<Record<string, ReactNode>> = {
  queued: <ClockIcon size={14} />,
  deferred: <ClockIcon size={14} />,
  delivered: <CheckIcon size={14} />,
  opened: <EyeIcon size={14} />,
  clicked: <LinkIcon size={14} />,
  bounced: <AlertIcon size={14} />,
  complained: <AlertIcon size={14} />,
  failed: <AlertIcon size={14} />,
  skipped: <CloseIcon size={14} />,
  cancelled: <CloseIcon size={14} />,
  unsubscribed: <CloseIcon size={14} />,
};

const isOnItsWay = (message: Message | undefined) => message?.state === 'queued' || message?.state === 'sending';

function Lead({ message: { state, reason, kind } }: { message: Message }) {
  return (
    <div className={classes.lead}>
      <MessageStateBadge state={state} reason={reason} />
      <TestBadge kind={kind} />
      <span>{reason === null ? states[state].text : reasonText(reason)}</span>
    </div>
  );
}

function Actions({ message }: { message: Message }) {
  const { messageId, contactId, state } = message;
  return (
    <>
      {state === 'queued' && <CancelButton messageId={messageId} />}
      {contactId && (
        <Button
          component={Link}
          href={`/why?contact=${contactId}&message=${messageId}`}
          variant="default"
          leftSection={<QuestionIcon />}
        >
          {t.why}
        </Button>
      )}
    </>
  );
}

/** A message that was never handed to a mail server was not accepted by one. */
function happeningOf({ at, what, detail }: Message['timeline'][number]) {
  if (what === 'sent' && detail === keptReply)
    return { at, title: kept.label, icon: <OutboxIcon size={14} />, tone: kept.tone, detail: kept.text };
  return {
    at,
    title: happenings[what]?.title ?? what,
    icon: signs[what] ?? <SendIcon size={14} />,
    tone: happenings[what]?.tone ?? 'quiet',
    ...(detail && { detail: reasonText(detail) }),
  };
}

function MessageParts({ message, emails, journeys }: { message: Message; emails: Names; journeys: Names }) {
  return (
    <div className={classes.columns}>
      <div className={classes.main}>
        <Card title={t.story}>
          <Timeline
            label={t.storyLabel}
            items={message.timeline.map((entry, no) => ({ key: `${no}`, ...happeningOf(entry) })).toReversed()}
            empty={<EmptyState title={words.nothing} text={states[message.state].text} />}
          />
        </Card>
        {message.attempts.length > 0 && <Attempts attempts={message.attempts} />}
        {message.contactId && <MessagePreview message={message} />}
      </div>
      <MessageFacts message={message} emails={emails} journeys={journeys} />
    </div>
  );
}
