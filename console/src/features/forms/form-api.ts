// What the pages of forms ask of the API.
import type { Client } from '@rapport/client';
import { type DataValue, getFormDays, listFormSubmissions, type listForms } from '@rapport/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { dataOf, pageOf } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { usePageParams } from '../../shared/use-page-params.ts';

export type Form = DataValue<typeof listForms>;
export type FormField = Form['fields'][number];
export type Submission = DataValue<typeof listFormSubmissions>;

export const daysQuery = (api: Client, formId: string) =>
  dataOf(api, getFormDays, { params: { formId }, query: { days: 30 } });

export const submissionsQuery = (api: Client, formId: string, pageNumber: number) =>
  pageOf(api, listFormSubmissions, { params: { formId }, query: { pageNumber } });

/** Asks for what the tab of submissions will show while the form itself is loading. */
export function useSubmissionRequests(formId: string, isShown: boolean): void {
  const api = useApi();
  const queries = useQueryClient();
  const { pageNumber } = usePageParams();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first time; from then on the tab asks by itself
  useEffect(() => {
    if (!isShown) return;
    void queries.prefetchQuery(daysQuery(api, formId));
    void queries.prefetchQuery(submissionsQuery(api, formId, pageNumber));
  }, [formId]);
}
