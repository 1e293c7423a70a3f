// The API calls of sends.
import type { Client } from '@rapport/client';
import type { BodyValue, DataValue } from '@rapport/contract';
import * as contract from '@rapport/contract';

export type Send = DataValue<typeof contract.getBroadcast>;
export type SendRow = DataValue<typeof contract.listBroadcasts>;
export type Reach = DataValue<typeof contract.reachBroadcast>;
type Patch = BodyValue<typeof contract.updateBroadcast>;
type Audience = NonNullable<Patch['audience']>;
export type When = NonNullable<Patch['when']>;
export type AbTest = NonNullable<Send['abTest']>;

export const createSend = async (api: Client, body: BodyValue<typeof contract.createBroadcast>) =>
  (await api.call(contract.createBroadcast, { body })).data;

export const patchSend = (api: Client, id: string, body: Patch, ifMatch?: string) =>
  api.call(contract.updateBroadcast, { params: { id }, body, ifMatch });

/** Email, list and time of a send that has begun stay as they are. */
export const hasBegun = ({ status, total }: Send): boolean => status === 'sending' || total !== null;

const moves = {
  send: contract.sendBroadcast,
  pause: contract.pauseBroadcast,
  resume: contract.resumeBroadcast,
  cancel: contract.cancelBroadcast,
} as const;

export const moveSend = (api: Client, id: string, move: keyof typeof moves) =>
  api.call(moves[move], { params: { id } });

export const deleteSend = (api: Client, id: string) => api.call(contract.deleteBroadcast, { params: { id } });

/** `static:…` or `dynamic:…`: one text for a picker. */
export function listKey(audience: Audience | null): string | null {
  if (audience?.staticListId !== undefined) return `static:${audience.staticListId}`;
  return audience?.dynamicListId === undefined ? null : `dynamic:${audience.dynamicListId}`;
}

export function audienceOf(key: string): Audience {
  const [kind, id = ''] = key.split(':');
  return kind === 'static' ? { staticListId: id } : { dynamicListId: id };
}
