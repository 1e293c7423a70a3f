// How often somebody may guess: counted in the database, so that many nodes and a restart make no difference.
import { hash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Runner } from '../../../db/database.js';
import { countTry, findTries, forgetTries, uncountTry } from './queries.js';

/** So many tries in so many seconds, counted under what somebody is or where they come from. */
export interface Limit {
  /** Such as `password:ada@example.com`. Only its hash is stored. */
  key: string;
  most: number;
  seconds: number;
}

/** Where an address belongs to: itself, or of IPv6 the network of 64 bits, because all of that belongs to one subscriber. */
export function networkOf(address: string): string {
  // A socket that takes both writes IPv4 so.
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = new URL(`http://[${plain.replace(/%.*$/, '')}]/`).hostname.slice(1, -1).split('::');
  const [first, last] = [head.split(':'), tail === undefined ? [] : tail.split(':')].map((groups) =>
    groups.filter(Boolean),
  );
  const zeros = Array.from({ length: 8 - (first?.length ?? 0) - (last?.length ?? 0) }, () => '0');
  return [...(first ?? []), ...zeros, ...(last ?? [])].slice(0, 4).join(':');
}

const keyOf = (limit: Limit) => hash('sha256', `guess ${limit.key}`);

/**
 * Counts a try under each limit, before it is made: a thousand at once are counted too. Returns the seconds to wait, 0 where it may be
 * made. The narrowest limit comes first: what it refuses does not count under the wider ones, or one stranger could shut somebody out
 * everywhere.
 */
export async function takeTry(db: Runner, limits: readonly Limit[]): Promise<number> {
  return (await countTries(db, limits)).wait;
}

/** The same; `isNews`: with this try it became too many, so that it can be told once. */
export async function countTries(db: Runner, limits: readonly Limit[]): Promise<{ wait: number; isNews: boolean }> {
  for (const limit of limits) {
    const { tries, secondsLeft } = await countTry(db, keyOf(limit), limit.seconds);
    if (tries > limit.most) return { wait: Math.max(secondsLeft, 1), isNews: tries === limit.most + 1 };
  }
  return { wait: 0, isNews: false };
}

/**
 * The seconds to wait if a limit has refused this caller, else 0. Counts nothing: once refused, a caller cannot fill the table with
 * counts under narrower limits by naming new ones with each try.
 */
export async function waitOf(db: Runner, limit: Limit): Promise<number> {
  const { tries, secondsLeft } = await findTries(db, keyOf(limit), limit.seconds);
  return tries > limit.most ? Math.max(secondsLeft, 1) : 0;
}

/** After somebody showed who they are: what they mistyped before is forgotten. */
export function forgiveTries(db: Runner, limits: readonly Limit[]): Promise<void> {
  return forgetTries(db, limits.map(keyOf));
}

/** After a try that was none: it does not count, and those before it do. */
export async function giveTryBack(db: Runner, limits: readonly Limit[]): Promise<void> {
  for (const limit of limits) await uncountTry(db, keyOf(limit));
}
