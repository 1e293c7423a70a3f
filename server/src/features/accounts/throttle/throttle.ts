// How often one may guess: counted in the database, so that several nodes or a restart make no difference.
import { hash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Runner } from '../../../db/database.js';
import { countTry, findTries, forgetTries, uncountTry } from './queries.js';

/** A number of tries in a number of seconds, counted under an address or a network. */
export interface Limit {
  /** Such as `password:ada@example.com`. Only its hash is stored. */
  key: string;
  most: number;
  seconds: number;
}

/** The network of an address: itself, or for IPv6 its /64, because all of that belongs to one subscriber. */
export function networkOf(address: string): string {
  // A dual-stack socket writes IPv4 like this.
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
 * Counts a try under each limit, before it is made: a thousand at once are counted too. Returns the seconds to wait, 0 if it may be
 * made. The narrowest limit comes first: what it refuses does not count under the wider ones, or one stranger could lock a person out
 * everywhere.
 */
export async function takeTry(db: Runner, limits: readonly Limit[]): Promise<number> {
  return (await countTries(db, limits)).wait;
}

/** The same; `isNews`: this try was the first too many, so that it can be logged once. */
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

/** After a person proved who they are: what they mistyped before is forgotten. */
export function forgiveTries(db: Runner, limits: readonly Limit[]): Promise<void> {
  return forgetTries(db, limits.map(keyOf));
}

/** Takes back one try: it does not count, those before it do. */
export async function giveTryBack(db: Runner, limits: readonly Limit[]): Promise<void> {
  for (const limit of limits) await uncountTry(db, keyOf(limit));
}
