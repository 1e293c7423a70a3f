// The page that `editorUrl` opens.
import { getEmail } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { answerOf } from '../../queries/ask.ts';
import { useApi } from '../../session/session.tsx';
import { BackLink } from '../../shared/back-link.tsx';
import { ErrorState } from '../../shared/error-state.tsx';
import { NoPage } from '../../shared/no-page.tsx';
import { Page } from '../../shared/page.tsx';
import type { PageParams } from '../../shared/page-params.ts';
import { tabOf } from '../../shared/page-tabs.tsx';
import { t } from '../../texts/emails.ts';
import { EmailEditor } from './email-editor.tsx';
import { useEmailRequests } from './email-queries.ts';
import { EmailSkeleton } from './email-skeleton.tsx';
import { type Tab, tabs } from './tabs.ts';

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
    // What a person edits must not change under their hands; somebody else's change is found when they save.
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
