// How often a password or a code may be guessed.
import { type Limit, networkOf } from '../throttle/throttle.js';

/** From one network for one address; from anywhere for one address; from one network for any address. */
export function passwordLimits(email: string, address: string): { mine: Limit; others: Limit[]; widest: Limit } {
  const network = networkOf(address);
  const widest = { key: `password-from:${network}`, most: 300, seconds: 3600 };
  return {
    mine: { key: `password:${email}@${network}`, most: 10, seconds: 900 },
    others: [{ key: `password:${email}`, most: 100, seconds: 3600 }, widest],
    widest,
  };
}

/** For one person in a browser that they signed in with before: a smaller budget, which others cannot use up. */
export function knownBrowserLimit(personId: number, browserId: string): Limit {
  return { key: `password-in:${personId}@${browserId}`, most: 10, seconds: 3600 };
}

export function codeLimit(personId: number): Limit {
  return { key: `code:${personId}`, most: 10, seconds: 900 };
}
