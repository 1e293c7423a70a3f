// One send: a draft that is made ready, or its progress.
import { getBroadcast, getEmail, reachBroadcast } from '@rapport/contract';
import { usePrefetchQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../api/ask.ts';
import { allEmails, allLists } from '../api/everything.ts';
import { useRights } from '../api/session/rights.ts';
import { useApi } from '../api/session/session.tsx';
import { draftOf } from '../features/emails/draft.ts';
import { TestSendDialog } from '../features/emails/test-send-dialog.tsx';
import { DraftSend } from '../features/sends/draft-send.tsx';
import { SendActions } from '../features/sends/send-actions.tsx';
import { patchSend, type Send } from '../features/sends/send-api.ts';
import { SendProgress } from '../features/sends/send-progress.tsx';
import { useSendAction } from '../features/sends/use-send-action.ts';
import { BackLink } from '../shared/back-link.tsx';
import { ErrorState } from '../shared/error-state.tsx';
import { LoadingState } from '../shared/loading-state.tsx';
import { Page } from '../shared/page.tsx';
import type { PageParams } from '../shared/page-params.ts';
import { ToneBadge } from '../shared/tone-badge.tsx';
import { statuses, t } from '../texts/sends.ts';

// Milliseconds. The last messages leave within seconds after the others.
const everyMs = 2000;

export default function SendPage({ params: { id = '' } }: PageParams) {
  const api = useApi();
  const { canWrite } = useRights();
  const { data, error, refetch } = useQuery({
    ...dataOf(api, getBroadcast, { params: { id } }),
    refetchInterval: ({ state }) => (state.data && isOn(state.data) ? everyMs : false),
  });
  // Beside the send, not after it. It is for those who are about to send it.
  const reach = useQuery({
    ...dataOf(api, reachBroadcast, { params: { id }, idempotencyKey: false }),
    enabled: canWrite && (data === undefined || data.status === 'draft'),
    retry: false,
  });
  // A draft offers them, and need not wait for them.
  usePrefetchQuery(allEmails(api));
  usePrefetchQuery(allLists(api));
  const above = <BackLink href="/sends" label={t.title} />;
  if (error && !data)
    return (
      <Page title={t.one} above={above}>
        <ErrorState error={error} onRetry={() => void refetch()} missing={t.noSend} />
      </Page>
    );
  if (!data) return <LoadingState label={t.loading} />;
  return <Shown key={id} send={data} reach={reach} />;
}

const isOn = ({ status }: Send) => status === 'scheduled' || status === 'sending' || status === 'paused';

function Shown({
  send,
  reach,
}: {
  send: Send;
  reach: { data: Parameters<typeof DraftSend>[0]['reach']; isError: boolean };
}) {
  const api = useApi();
  const { canWrite } = useRights();
  const [isTesting, setTesting] = useState(false);
  const { broadcastId: id, status, name, emailId } = send;
  const rename = useSendAction({ act: (next: string) => patchSend(api, id, { name: next }) });
  return (
    <Page
      title={name}
      above={<BackLink href="/sends" label={t.title} />}
      lead={<ToneBadge tone={statuses[status].tone}>{statuses[status].label}</ToneBadge>}
      actions={canWrite && <SendActions send={send} />}
      onRename={canWrite ? async (next) => void (await rename.mutateAsync(next)) : undefined}
    >
      {status === 'draft' ? (
        <DraftSend
          send={send}
          reach={reach.data}
          isReachFailed={reach.isError}
          canWrite={canWrite}
          onTest={() => setTesting(true)}
        />
      ) : (
        <SendProgress send={send} />
      )}
      {isTesting && emailId && <Test emailId={emailId} onClose={() => setTesting(false)} />}
    </Page>
  );
}

function Test({ emailId, onClose }: { emailId: string; onClose: () => void }) {
  const { data: email } = useQuery(dataOf(useApi(), getEmail, { params: { id: emailId } }));
  return email ? <TestSendDialog work={{ email, draft: draftOf(email), isDirty: false }} onClose={onClose} /> : null;
}
