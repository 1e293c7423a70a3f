import { randomBytes, randomUUID } from 'node:crypto';

// 48 bits of milliseconds, then randomness: ids made later sort later, and 12 bytes stay unguessable enough to never collide.
function timeOrdered(bytes: number): Buffer {
  const id = randomBytes(bytes);
  id.writeUIntBE(Date.now(), 0, 6);
  return id;
}

/** List, journey, email and folder ids: 24 hex digits. */
export function newAssetId(): string {
  return timeOrdered(12).toString('hex');
}

/** Request ids for callers that sent none. */
export function newRequestId(): string {
  return randomUUID();
}

const assetId = /^[0-9a-f]{24}$/;
/** Any other string is simply not found, so callers ask before they query. */
export function isAssetId(text: string): boolean {
  return assetId.test(text);
}
