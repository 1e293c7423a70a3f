// The queries of the email page. Described once: the page prefetches what its tab will show while the email itself is still loading, and the tab
// finds the result in the cache.
import type { Client } from '@rapport/client';
import {
  getEmailStats,
  listBroadcasts,
  listEmailActivity,
  listEmailHistory,
  listJourneys,
  listVariables,
  listVersions,
  listWorkspaceDomains,
  previewSavedEmail,
} from '@rapport/contract';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { dataOf, pageOf, rowsOf } from '../../api/ask.ts';
import { allFolders, allTopics } from '../../api/everything.ts';
import { useApi } from '../../api/session/session.tsx';
import { windowOf } from '../../shared/period/period.ts';
import { usePageParams } from '../../shared/use-page-params.ts';
import type { Arrival } from './email-api.ts';
import { groupOf, recipientsQuery } from './recipients/recipients-query.ts';
import type { Tab } from './tabs.ts';

const minute = 60_000;

/** Of journeys, and of sends: as many as fit in a line or two. */
const usesShown = 5;

export const usedByQuery = (api: Client, emailId: string) => {
  const query = { emailId, pageSize: usesShown };
  return queryOptions({
    ...pageOf(api, listJourneys, { query }),
    staleTime: minute,
  });
};

export const usedInSendsQuery = (api: Client, emailId: string) => {
  const query = { emailId, pageSize: usesShown };
  return queryOptions({
    ...pageOf(api, listBroadcasts, { query }),
    staleTime: minute,
  });
};

export const domainsQuery = (api: Client) =>
  queryOptions({ ...rowsOf(api, listWorkspaceDomains, { query: { pageSize: 200 } }), staleTime: minute });

export const variablesQuery = (api: Client) =>
  queryOptions({ ...rowsOf(api, listVariables, { query: { pageSize: 200 } }), staleTime: minute });

/** The saved email, as a contact without properties gets it. */
export const savedPreviewQuery = (api: Client, id: string) => dataOf(api, previewSavedEmail, { params: { id } });

export const versionsQuery = (api: Client, id: string, search: string | undefined, pageNumber: number) =>
  pageOf(api, listVersions, { query: { assetId: id, search, pageNumber } });

const outcomes: readonly Arrival['outcome'][] = ['stored', 'replaced', 'rejected', 'deleted'];
export const outcomeOf = (text: string | undefined) => outcomes.find((outcome) => outcome === text);

export const activityQuery = (api: Client, id: string, asked: string | undefined, pageNumber: number) => {
  const outcome = outcomeOf(asked);
  return pageOf(api, listEmailActivity, { params: { id }, query: { outcome: outcome && [outcome], pageNumber } });
};

export const historyQuery = (api: Client, id: string, pageNumber: number) =>
  pageOf(api, listEmailHistory, { params: { id }, query: { pageNumber, pageSize: 20 } });

export const usualPeriod = '30';

export const periods = ['7', '30', '90', 'all'] as const;
type StatsPeriod = (typeof periods)[number];

/** The value in an address; the default if it is invalid. */
export const periodOf = (asked: string | undefined): StatsPeriod =>
  periods.find((each) => each === asked) ?? usualPeriod;

/** The start of the period, as in the reports; undefined for all time. */
export function startOf(period: StatsPeriod, now: number): string | undefined {
  return windowOf({ kind: period }, now).startTime;
}

export const statsQuery = (api: Client, id: string, period: StatsPeriod, now: number) =>
  dataOf(
    ...([
      api,
      getEmailStats,
      { params: { id }, query: { startTime: startOf(period, now), interval: 'day' } },
      period,
    ] as const),
  );

/** Prefetches what the tab will show. */
export function useEmailRequests(id: string, tab: Tab): void {
  const api = useApi();
  const queries = useQueryClient();
  const { param, pageNumber } = usePageParams();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first time; from then on the tab asks by itself
  useEffect(() => {
    void queries.prefetchQuery(usedByQuery(api, id));
    void queries.prefetchQuery(usedInSendsQuery(api, id));
    if (tab === 'content') {
      void queries.prefetchQuery(domainsQuery(api));
      void queries.prefetchQuery(variablesQuery(api));
      void queries.prefetchQuery(allFolders(api));
      void queries.prefetchQuery(allTopics(api));
      void queries.prefetchQuery(savedPreviewQuery(api, id));
    }
    const group = groupOf(param('group'));
    if (tab === 'recipients')
      void queries.prefetchInfiniteQuery(recipientsQuery(api, id, { group, search: param('search') }));
    if (tab === 'versions') void queries.prefetchQuery(versionsQuery(api, id, param('search'), pageNumber));
    if (tab === 'activity') void queries.prefetchQuery(activityQuery(api, id, param('outcome'), pageNumber));
    if (tab === 'history') void queries.prefetchQuery(historyQuery(api, id, pageNumber));
    if (tab === 'statistics') void queries.prefetchQuery(statsQuery(api, id, periodOf(param('period')), Date.now()));
  }, [id]);
}
