// Which addresses may be called: those of the public internet. Pure.
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** What a webhook must not reach: this machine, internal networks, and addresses that belong to no single machine. */
const v4 = blockList('ipv4', [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // carriers' NAT, and some clouds' own services
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // looks public, but is an internal service of every machine on Azure
  ['169.254.0.0', 16], // link-local, and the metadata services of clouds
  ['172.16.0.0', 12],
  ['192.0.0.0', 24], // protocol assignments
  ['192.0.2.0', 24], // documentation
  ['192.88.99.0', 24], // relays of 6to4
  ['192.168.0.0', 16],
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, and broadcast
]);

/** The only part of IPv6 that is publicly assigned; everything else is mapped, local, multicast or reserved. */
const v6Public = blockList('ipv6', [['2000::', 3]]);
const v6 = blockList('ipv6', [
  ['2001::', 23], // protocol assignments: Teredo, ORCHID, benchmarks
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4: an IPv4 address of any kind inside
  ['3fff::', 20], // documentation
]);
/** Networks without IPv4 reach IPv4 this way, and their DNS answers with such addresses. */
const nat64 = blockList('ipv6', [['64:ff9b::', 96]]);

/** Says which addresses may be called. */
export type Guard = (address: string) => boolean;

/** For operators who want to reach their own network. */
export const anywhere: Guard = () => true;

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !v4.check(address, 'ipv4');
  // One with a zone (`fe80::1%eth0`) belongs to a link.
  if (!isIPv6(address) || address.includes('%')) return false;
  if (nat64.check(address, 'ipv6')) return !v4.check(lastFour(address), 'ipv4');
  return v6Public.check(address, 'ipv6') && !v6.check(address, 'ipv6');
}

/** The IPv4 address in the last 32 bits. */
function lastFour(address: string): string {
  // URL writes every IPv6 address the same way: in hex, without dots.
  const hex = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [left = '', right = ''] = hex.split('::');
  const groups = [...left.split(':'), ...Array.from({ length: 8 }, () => '0'), ...right.split(':')].filter(Boolean);
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group, 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

function blockList(family: 'ipv4' | 'ipv6', nets: [address: string, bits: number][]): BlockList {
  const list = new BlockList();
  for (const [address, bits] of nets) list.addSubnet(address, bits, family);
  return list;
}
