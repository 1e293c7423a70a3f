// The queries of the tabs beside the canvas. In one place, so that the page can prefetch them while the journey itself is loading: no
// request waits for another.
import type { Client } from '@rapport/client';
import {
  getJourneyFunnel,
  getJourneyStats,
  listEnrolments,
  listJourneyRuns,
  listJourneyVersions,
  listWebhooks,
} from '@rapport/contract';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { dataOf, pageOf } from '../../api/ask.ts';
import { allFolders } from '../../api/everything.ts';
import { useApi } from '../../api/session/session.tsx';
import type { Period, StatsWindow } from '../../shared/period/period.ts';
import { usePeriod } from '../../shared/period/use-period.ts';
import { usePageParams } from '../../shared/use-page-params.ts';
import type { Tab } from './journey-tabs.ts';

type Param = ReturnType<typeof usePageParams>['param'];

export const enrolmentStates = ['active', 'completed', 'exited'] as const;

/** The enrolment filter in the address. */
export function enrolmentsAsked(param: Param, pageNumber: number) {
  const state = enrolmentStates.find((word) => word === param('state'));
  return { state, stepId: param('step'), contactId: param('contact'), pageNumber };
}

export const enrolmentsQuery = (api: Client, id: string, asked: ReturnType<typeof enrolmentsAsked>) => {
  const { state, stepId, contactId, pageNumber } = asked;
  const query = {
    ...{ contactId, pageNumber, include: 'email' as const },
    state: state && [state],
    stepId: stepId === undefined ? undefined : [stepId],
  };
  return queryOptions({
    ...pageOf(api, listEnrolments, { params: { id }, query }),
  });
};

export const runsQuery = (api: Client, id: string, pageNumber: number) =>
  queryOptions({
    ...pageOf(api, listJourneyRuns, { params: { id }, query: { pageNumber } }),
  });

// More than anyone compares; each contains its whole definition.
const mostVersions = 100;

export const versionsQuery = (api: Client, id: string) =>
  queryOptions({
    ...pageOf(api, listJourneyVersions, { params: { id }, query: { pageSize: mostVersions } }),
    select: ({ rows }) => rows,
  });

export const reportQuery = (api: Client, id: string, period: Period, window: StatsWindow) =>
  queryOptions({
    ...dataOf(api, getJourneyStats, { params: { id }, query: { ...window } }, period),
  });

export const funnelQuery = (api: Client, id: string, period: Period, window: StatsWindow) =>
  queryOptions({
    ...dataOf(api, getJourneyFunnel, { params: { id }, query: { ...window } }, period),
    select: ({ steps }) => steps,
  });

export const webhooksQuery = (api: Client) =>
  queryOptions({
    ...pageOf(api, listWebhooks, { query: { pageSize: 100 } }),
  });

/** Prefetches what the tab will show. */
export function useTabRequests(id: string, tab: Tab): void {
  const api = useApi();
  const queries = useQueryClient();
  const { param, pageNumber } = usePageParams();
  const { period, window } = usePeriod('all');
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first time; from then on the tab asks by itself
  useEffect(() => {
    if (tab === 'enrolments') void queries.prefetchQuery(enrolmentsQuery(api, id, enrolmentsAsked(param, pageNumber)));
    if (tab === 'runs') void queries.prefetchQuery(runsQuery(api, id, pageNumber));
    if (tab === 'versions') void queries.prefetchQuery(versionsQuery(api, id));
    if (tab === 'report') {
      void queries.prefetchQuery(reportQuery(api, id, period, window));
      void queries.prefetchQuery(funnelQuery(api, id, period, window));
    }
    if (tab === 'settings') {
      void queries.prefetchQuery(webhooksQuery(api));
      void queries.prefetchQuery(allFolders(api));
    }
  }, [id]);
}
