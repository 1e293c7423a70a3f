import type { DataValue, listMessages } from '@rapport/contract';

export type MessageRow = DataValue<typeof listMessages>;

/** A message in the outbox is not sent, whatever its state in the API. */
export const isKept = ({ state, reason }: Pick<MessageRow, 'state' | 'reason'>): boolean =>
  state === 'sent' && reason === 'outbox';
