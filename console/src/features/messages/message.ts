import type { DataValue, getMessage } from '@rapport/contract';

/** A message with everything that happened to it. */
export type Message = DataValue<typeof getMessage>;

/** What the outbox says in place of a mail server. */
export const keptReply = 'kept in the outbox';
