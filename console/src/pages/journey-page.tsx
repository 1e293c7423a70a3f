// One journey: what it is, its state, and its parts. The canvas is the first of them.

import { getJourney, getJourneyStats } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { Redirect } from 'wouter';
import { answerOf, dataOf } from '../api/ask.ts';
import { useApi } from '../api/session/session.tsx';
import { useAssets } from '../features/journeys/editing/use-assets.ts';
import { JourneyEditor } from '../features/journeys/journey-editor.tsx';
import { type Tab, tabs } from '../features/journeys/journey-tabs.ts';
import { useTabRequests } from '../features/journeys/tab-queries.ts';
import { BackLink } from '../shared/back-link.tsx';
import { ErrorState } from '../shared/error-state.tsx';
import { LoadingState } from '../shared/loading-state.tsx';
import { NoPage } from '../shared/no-page.tsx';
import { Page } from '../shared/page.tsx';
import type { PageParams } from '../shared/page-params.ts';
import { tabOf } from '../shared/page-tabs.tsx';
import { t } from '../texts/journey-canvas.ts';

export default function JourneyPage({ params: { id = '', tab: named } }: PageParams) {
  const tab = tabOf(tabs, named);
  if (tab === undefined) return <NoPage />;
  return <JourneyOf key={id} id={id} tab={tab} />;
}

/** Everything is fetched in parallel: no request waits for another. */
function JourneyOf({ id, tab }: { id: string; tab: Tab }) {
  const api = useApi();
  const assets = useAssets();
  useTabRequests(id, tab);
  const { data: stats } = useQuery({
    ...dataOf(api, getJourneyStats, { params: { id } }),
    refetchInterval: 30_000,
  });
  const { data, error, refetch } = useQuery({
    ...answerOf(api, getJourney, { params: { id } }),
    // What a user edits must not change under their hands; another user's change is detected on save.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (error && !data)
    return (
      <Page title={t.journey} above={<BackLink href="/journeys" label={t.journeys} />}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    );
  if (!data) return <LoadingState label={t.loading} />;
  if (data.data.kind === 'broadcast') return <Redirect to={`/sends/${id}`} replace />;
  return <JourneyEditor loaded={data} tab={tab} assets={assets} stats={stats} />;
}
