// Whom new emails of the workspace are from, as fields of a form.
import type { Client } from '@rapport/client';
import { type DataValue, getDefaultSender } from '@rapport/contract';
import { queryOptions } from '@tanstack/react-query';
import { dataOf } from '../../../api/ask.ts';

export const defaultSenderQuery = (api: Client) =>
  queryOptions({ ...dataOf(api, getDefaultSender), staleTime: 60_000 });

export interface SenderFields {
  fromEmail: string;
  fromName: string;
  replyTo: string;
}

export function fieldsOfSender(sender: DataValue<typeof getDefaultSender> | undefined): SenderFields {
  const { fromEmail = null, replyTo = null } = sender ?? {};
  return { fromEmail: fromEmail?.email ?? '', fromName: fromEmail?.name ?? '', replyTo: replyTo ?? '' };
}
