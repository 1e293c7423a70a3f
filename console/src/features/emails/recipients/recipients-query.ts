import type { Client } from '@rapport/client';
import { type DataValue, listRecipients, type RecipientGroup } from '@rapport/contract';
import { partsOf } from '../../../api/ask.ts';
import { groups } from '../../../texts/recipients.ts';

export type Recipient = DataValue<typeof listRecipients>['recipients'][number];

interface Wanted {
  group: RecipientGroup | undefined;
  search: string | undefined;
}

/** The value in an address; everyone if it is invalid. */
export const groupOf = (asked: string | undefined): RecipientGroup | undefined =>
  asked !== undefined && Object.hasOwn(groups, asked) ? (asked as RecipientGroup) : undefined;

export const recipientsQuery = (api: Client, id: string, wanted: Wanted) =>
  partsOf(api, listRecipients, { params: { id }, query: { ...wanted } });

/** The same people as a file. */
export function exportPath(id: string, wanted: Wanted): string {
  const query = new URLSearchParams(Object.entries(wanted).filter((entry): entry is [string, string] => !!entry[1]));
  return `/exports/emails/${id}/recipients${query.size > 0 ? `?${query}` : ''}`;
}
