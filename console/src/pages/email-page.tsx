// The page that `editorUrl` opens.
import { getEmail } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../api/ask.ts';
import { useApi } from '../api/session/session.tsx';
import { EmailEditor } from '../features/emails/email-editor.tsx';
import { useEmailRequests } from '../features/emails/email-queries.ts';
import { EmailSkeleton } from '../features/emails/email-skeleton.tsx';
import { type Tab, tabs } from '../features/emails/tabs.ts';
import { BackLink } from '../shared/back-link.tsx';
import { ErrorState } from '../shared/error-state.tsx';
import { NoPage } from '../shared/no-page.tsx';
import { Page } from '../shared/page.tsx';
import type { PageParams } from '../shared/page-params.ts';
import { tabOf } from '../shared/page-tabs.tsx';
import { t } from '../texts/emails.ts';

export default function EmailPage({ params: { id = '', tab } }: PageParams) {
  const current = tabOf(tabs, tab);
  if (!current) return <NoPage />;
  return <EmailOf key={id} id={id} tab={current} />;
}

function EmailOf({ id, tab }: { id: string; tab: Tab }) {
  const api = useApi();
  useEmailRequests(id, tab);
  const { data, error, refetch } = useQuery({
    ...answerOf(api, getEmail, { params: { id } }),
    // What a user edits must not change under their hands; another user's change is detected on save.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (data) return <EmailEditor loaded={data} tab={tab} />;
  if (!error) return <EmailSkeleton />;
  return (
    <Page title={t.email} above={<BackLink href="/emails" label={t.emails} />}>
      <ErrorState error={error} onRetry={() => void refetch()} />
    </Page>
  );
}
