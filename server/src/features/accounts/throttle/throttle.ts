// How often somebody may guess: counted in the database, so that many nodes and a restart make no difference.
import { hash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Runner } from '../../../db/database.js';
import { countTry, forgetTries } from './queries.js';

/** So many tries in so many seconds, counted under what somebody is or where they come from. */
export interface Limit {
  /** Such as `password:ada@example.com`. Only its hash is stored. */
  key: string;
  most: number;
  seconds: number;
}

/** A whole network of IPv6 belongs to one subscriber. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  return new URL(`http://[${address.replace(/%.*$/, '')}]/`).hostname.slice(1, -1).split(':').slice(0, 4).join(':');
}

const keyOf = (limit: Limit) => hash('sha256', `guess ${limit.key}`);

/**
 * Counts a try under each limit, before it is made: a thousand at once are counted too. Answers the seconds to wait, 0 where it may be
 * made.
 */
export async function takeTry(db: Runner, limits: readonly Limit[]): Promise<number> {
  let wait = 0;
  for (const limit of limits) {
    const { tries, secondsLeft } = await countTry(db, keyOf(limit), limit.seconds);
    if (tries > limit.most) wait = Math.max(wait, secondsLeft, 1);
  }
  return wait;
}

/** After somebody showed who they are: what they mistyped before is forgotten. */
export function forgiveTries(db: Runner, limits: readonly Limit[]): Promise<void> {
  return forgetTries(db, limits.map(keyOf));
}
