// The page that `editorUrl` opens.
import { useQuery } from '@tanstack/react-query';
import { useApi } from '../../session/session.tsx';
import { BackLink } from '../../shared/back-link.tsx';
import { EmptyState } from '../../shared/empty-state.tsx';
import { ErrorState } from '../../shared/error-state.tsx';
import { LoadingState } from '../../shared/loading-state.tsx';
import { Page } from '../../shared/page.tsx';
import type { PageParams } from '../../shared/page-params.ts';
import { fetchEmail } from './email-api.ts';
import { EmailEditor } from './email-editor.tsx';
import { isTab } from './email-tabs.tsx';

export default function EmailPage({ params: { id = '', tab = 'content' } }: PageParams) {
  return <EmailOf key={id} id={id} tab={tab} />;
}

function EmailOf({ id, tab }: { id: string; tab: string }) {
  const api = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: ['email', id],
    queryFn: () => fetchEmail(api, id),
    // What a person edits must not change under their hands; somebody else's change is found when they save.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (!isTab(tab)) return <EmptyState title="There is no such page" text="The address may be old or mistyped." />;
  if (error)
    return (
      <Page title="Email" above={<BackLink href="/emails" label="Emails" />}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  if (!data) return <LoadingState label="Loading the email" />;
  return <EmailEditor loaded={data} tab={tab} />;
}
