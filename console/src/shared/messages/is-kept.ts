import type { DataValue, listMessages } from '@rapport/contract';

export type MessageRow = DataValue<typeof listMessages>;

/** What lies in the outbox is not sent, whatever state it is in for the API. */
export const isKept = ({ state, reason }: Pick<MessageRow, 'state' | 'reason'>): boolean =>
  state === 'sent' && reason === 'outbox';
