// The envelope sender of each message. It names the message, so that a bounce does too (VERP), and cannot be forged.
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface ReturnPath {
  tenantId: number;
  /** 32 hex digits. */
  messageId: string;
  mac: string;
}

/** `b-{tenant}-{message}-{MAC}@domain`: at most 59 characters before the @, where 64 are allowed. */
export function returnPathOf(key: Buffer, tenantId: number, messageId: string, domain: string): string {
  return `b-${tenantId.toString(36)}-${messageId}-${macOf(key, tenantId, messageId)}@${domain}`;
}

const shape = /^b-([0-9a-z]{1,11})-([0-9a-f]{32})-([0-9a-f]{12})@[^@\s]+$/;

/** What an address says, genuine or not. Some servers change the case of what they return. */
export function parseReturnPath(address: string): ReturnPath | undefined {
  const [, tenant = '', messageId = '', mac = ''] = shape.exec(address.toLowerCase()) ?? [];
  const tenantId = Number.parseInt(tenant, 36);
  if (!Number.isSafeInteger(tenantId) || tenantId.toString(36) !== tenant) return undefined;
  return { tenantId, messageId, mac };
}

/** Those anywhere in the header of a mail: servers put the recipient in different fields. */
export function returnPathsIn(header: string): ReturnPath[] {
  const found = header.matchAll(/(?<![\w.+-])b-[0-9a-z]{1,11}-[0-9a-f]{32}-[0-9a-f]{12}@[\w.-]+/gi);
  const paths = new Map([...found].map(([address]) => [address.slice(0, address.indexOf('@')).toLowerCase(), address]));
  return [...paths.values()].flatMap((address) => parseReturnPath(address) ?? []);
}

export function isGenuine(key: Buffer, { tenantId, messageId, mac }: ReturnPath): boolean {
  const own = Buffer.from(macOf(key, tenantId, messageId), 'hex');
  const given = Buffer.from(mac, 'hex');
  return own.length === given.length && timingSafeEqual(own, given);
}

/** Half of what would be usual: it must fit, and a guesser has one try per connection. */
function macOf(key: Buffer, tenantId: number, messageId: string): string {
  return createHmac('sha256', key).update(`return-path:${tenantId}:${messageId}`).digest('hex').slice(0, 12);
}
