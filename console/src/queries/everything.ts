// Collections that are small by nature, whole: for choices, and for names beside ids. One description of each, so that whoever remembers an answer under
// its key finds what it expects there.
import type { Client } from '@rapport/client';
import { listEmails, listFolders, listJourneys, listLists } from '@rapport/contract';
import { queryOptions } from '@tanstack/react-query';
import { allOf } from '../api.ts';
import { keys } from './keys.ts';

const staleTime = 60_000;
const query = { pageSize: 200 };

export const allEmails = (api: Client) =>
  queryOptions({
    queryKey: keys.emails.any('everything'),
    queryFn: () => allOf(api.rows(listEmails, { query })),
    staleTime,
  });

export const allJourneys = (api: Client) =>
  queryOptions({
    queryKey: keys.journeys.any('everything'),
    queryFn: () => allOf(api.rows(listJourneys, { query })),
    staleTime,
  });

export const allLists = (api: Client) =>
  queryOptions({
    queryKey: keys.lists.any('everything'),
    queryFn: () => allOf(api.rows(listLists, { query })),
    staleTime,
  });

export const allFolders = (api: Client) =>
  queryOptions({
    queryKey: keys.folders.any('everything'),
    queryFn: () => allOf(api.rows(listFolders, { query })),
    staleTime,
  });
