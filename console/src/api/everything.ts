// Collections that are small by nature, whole: for choices, and for names beside ids. One description of each, so that the answer under its key always has
// the expected shape.
import type { Client } from '@rapport/client';
import {
  listBroadcasts,
  listEmails,
  listFolders,
  listForms,
  listJourneys,
  listLists,
  listTopics,
} from '@rapport/contract';
import { queryOptions } from '@tanstack/react-query';
import { rowsOf } from './ask.ts';

const staleTime = 60_000;
const query = { pageSize: 200 };

export const allEmails = (api: Client) =>
  queryOptions({
    ...rowsOf(api, listEmails, { query }),
    staleTime,
  });

export const allJourneys = (api: Client) =>
  queryOptions({
    ...rowsOf(api, listJourneys, { query }),
    staleTime,
  });

export const allSends = (api: Client) =>
  queryOptions({
    ...rowsOf(api, listBroadcasts, { query }),
    staleTime,
  });

export const allLists = (api: Client) =>
  queryOptions({
    ...rowsOf(api, listLists, { query }),
    staleTime,
  });

export const allFolders = (api: Client) =>
  queryOptions({
    ...rowsOf(api, listFolders, { query }),
    staleTime,
  });

export const allTopics = (api: Client) =>
  queryOptions({
    ...rowsOf(api, listTopics, { query }),
    staleTime,
  });

export const allForms = (api: Client) =>
  queryOptions({
    ...rowsOf(api, listForms, { query }),
    staleTime,
  });
