// Resolves a host once per attempt: the checked address is the one called, whatever DNS says a moment later.
import { lookup, Resolver } from 'node:dns/promises';
import { anywhere, type Guard } from './address.js';
import { BadTarget, isLocalName, type Target, whyPrivate } from './target.js';

export interface Address {
  address: string;
  family: 4 | 6;
}

/** All addresses of a name; none if it does not exist. */
export type Resolve = (name: string) => Promise<Address[]>;

// Milliseconds for one query, which is tried twice.
const patience = 2500;
const nothingThere = new Set(['ENODATA', 'ENOTFOUND', 'EBADNAME', 'ENONAME']);

/**
 * Queries DNS directly. The system's own lookup has four threads for the whole process: names whose servers do not answer would delay everyone. It
 * is used too only if private addresses are allowed, because it knows the hosts file.
 */
export function resolver(servers: readonly string[], allows: Guard): Resolve {
  const dns = new Resolver({ timeout: patience, tries: 2 });
  if (servers.length > 0) dns.setServers(servers);
  return async (name) => {
    const asked = await Promise.all([found(dns.resolve4(name), 4), found(dns.resolve6(name), 6)]);
    const addresses = asked.flatMap((each) => (each instanceof Error ? [] : each));
    if (addresses.length > 0) return addresses;
    if (allows === anywhere) {
      const known = await lookup(name, { all: true }).catch(() => []);
      if (known.length > 0) return known.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
    }
    const silence = asked.find((each) => each instanceof Error);
    if (silence) throw silence;
    return [];
  };
}

/** The addresses found, an empty list if there are none, or why that is unknown. */
async function found(asking: Promise<string[]>, family: Address['family']): Promise<Address[] | Error> {
  try {
    return (await asking).map((address) => ({ address, family }));
  } catch (error) {
    return nothingThere.has((error as NodeJS.ErrnoException).code ?? '') ? [] : (error as Error);
  }
}

const here: Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** The addresses that this target may be called at. One forbidden address forbids all, so that DNS cannot influence the choice. */
export async function addressesOf(
  { host, family }: Pick<Target, 'host' | 'family'>,
  resolve: Resolve,
  allows: Guard,
): Promise<Address[]> {
  if (family !== 0) return [{ address: host, family }];
  const addresses = isLocalName(host) ? here : await resolve(host);
  if (addresses.length === 0) throw new Error(`The name ${host} does not exist.`);
  // Does not say which one: internal addresses of names must not be revealed.
  if (!addresses.every(({ address }) => allows(address)))
    throw new BadTarget(`must not lead to ${host}: its address ${whyPrivate}`);
  return addresses;
}
