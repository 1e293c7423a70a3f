// How often a password or a code may be guessed.
import { type Limit, networkOf } from '../throttle/throttle.js';

/** From one network for one address; for one address from anywhere; from one network for anybody. */
export function passwordLimits(email: string, address: string): { mine: Limit; others: Limit[] } {
  const network = networkOf(address);
  return {
    mine: { key: `password:${email}@${network}`, most: 10, seconds: 900 },
    others: [
      { key: `password:${email}`, most: 100, seconds: 3600 },
      { key: `password-from:${network}`, most: 300, seconds: 3600 },
    ],
  };
}

export function codeLimit(personId: number): Limit {
  return { key: `code:${personId}`, most: 10, seconds: 900 };
}
