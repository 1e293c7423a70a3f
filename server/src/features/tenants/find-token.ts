import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { Runner } from '../../db/database.js';
import type { KnownToken } from '../../http/token-cache.js';
import { findLiveToken } from './queries.js';

/** Who holds the token with this hash, if it is live. All kinds of tokens are looked up here. */
export async function findToken(db: Runner, tokenHash: string): Promise<KnownToken | undefined> {
  const row = await findLiveToken(db, tokenHash);
  if (!row) return undefined;
  const { allowedAddresses, ...token } = row;
  return allowedAddresses === null ? token : { ...token, isAllowedFrom: among(allowedAddresses) };
}

/** Whether an address is one of these or in one of these networks, such as `203.0.113.0/24`. */
export function among(allowed: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const each of allowed) {
    const [net = '', bits] = each.split('/');
    const family = isIPv6(net) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(net, family);
    else list.addSubnet(net, Number(bits), family);
  }
  return (address) => {
    // A dual-stack socket writes IPv4 like this.
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
    if (isIPv4(plain)) return list.check(plain, 'ipv4');
    return isIPv6(plain) && list.check(plain, 'ipv6');
  };
}

/** What is wrong with an entry of such a list, as the end of a sentence; undefined if nothing is. */
export function faultOfAllowed(entry: string): string | undefined {
  const [, net = '', bits] = /^([0-9a-f:.]+)(?:\/(0|[1-9]\d{0,2}))?$/.exec(entry) ?? [];
  const most = isIPv4(net) ? 32 : isIPv6(net) ? 128 : undefined;
  if (most === undefined || Number(bits ?? 0) > most)
    return `must be IPv4 or IPv6 addresses or networks such as 203.0.113.0/24 or 2001:db8::/32: "${entry}" is none`;
  if (/^::ffff:\d+\./.test(net)) return `must have IPv4 addresses as four numbers alone, not as "${entry}"`;
  return undefined;
}
