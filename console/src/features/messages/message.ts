import type { DataValue, getMessage } from '@rapport/contract';

/** A message with everything that happened to it. */
export type Message = DataValue<typeof getMessage>;
