// Hosts chosen by strangers for other protocols, such as a workspace's mail server: the same guards as for webhooks.
import { isIP } from 'node:net';
import { anywhere, type Guard } from './address.js';
import { addressesOf, type Resolve } from './resolve.js';
import { BadTarget, isLocalName, type Target } from './target.js';

const whyInside =
  'is not on the public internet. Use a public server, or ask the operator to allow private ones with WEBHOOK_ALLOW_PRIVATE=on';

/** Why the host must not be reached, as the end of a sentence that begins with the field. Undefined if it may be. */
export function faultOfHost(host: string, allows: Guard): string | undefined {
  if (allows === anywhere) return undefined;
  const address = isLocalName(host) ? '127.0.0.1' : host;
  if (isIP(address) !== 0) return allows(address) ? undefined : `must not lead to ${host}: that address ${whyInside}`;
  // Some resolvers read `2130706433` and `0x7f.1` as an address, and %-codes may hide one.
  const isPlain = /^[a-z0-9_.-]+$/i.test(host) && URL.canParse(`http://${host}/`);
  if (!isPlain || isIP(new URL(`http://${host}/`).hostname) !== 0)
    return 'must have a host name, or an address of IPv4 as four decimal numbers or of IPv6 in brackets';
  return undefined;
}

/** The address to connect to. Throws EINSIDE if it must not be reached: one internal address forbids all. */
export async function addressOfHost(host: string, resolve: Resolve, allows: Guard): Promise<string> {
  const fault = faultOfHost(host, allows);
  if (fault) throw inside(fault);
  try {
    const [first] = await addressesOf({ host, family: isIP(host) as Target['family'] }, resolve, allows);
    return first?.address ?? host;
  } catch (error) {
    throw error instanceof BadTarget ? inside(error.message) : error;
  }
}

function inside(words: string): Error {
  return Object.assign(new Error(words), { code: 'EINSIDE' });
}
