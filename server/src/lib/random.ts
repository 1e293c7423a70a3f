import { randomBytes } from 'node:crypto';

// The only place that draws random numbers, apart from ids.ts.
export { randomBytes };

/** From 0 up to 1. */
export const random = (): number => Math.random();

/** A secret of 256 random bits; the prefix tells people and secret scanners what it is. */
export function randomToken(prefix: string): string {
  return `${prefix}${randomBytes(32).toString('base64url')}`;
}
