import { BlockList, isIPv4, isIPv6 } from 'node:net';
import type { Runner } from '../../db/database.js';
import type { KnownToken } from '../../http/token-cache.js';
import { findLiveToken } from './queries.js';

/** Who holds the token with this hash, if it is a live one: whatever kind it is, the one way to know. */
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
    // A socket that takes both writes IPv4 so.
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
    if (isIPv4(plain)) return list.check(plain, 'ipv4');
    return isIPv6(plain) && list.check(plain, 'ipv6');
  };
}
