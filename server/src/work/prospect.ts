import { passesByWaiting } from '../db/connect.js';

/**
 * What waiting can do about an error: `passes` (connection, lock, disk, shutdown) goes away by itself; `stays` (the data, or code
 * that cannot handle it) fails the same way every time; anything else may be either, and gets a few more attempts.
 */
type Prospect = 'passes' | 'stays' | 'unknown';

/** Errors about our credentials and permissions, not about the data. Once an operator fixes them, the work continues. By code, or by its class. */
const ofThePlace = new Set(['28', '3D', '3F', '42501']);

/** Data exceptions, violated constraints, values beyond PostgreSQL's limits. */
const staying = new Set(['22', '23', '54']);

export function prospectOf(error: unknown): Prospect {
  if (passesByWaiting(error)) return 'passes';
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === 'string' && code.length === 5 && (ofThePlace.has(code) || ofThePlace.has(code.slice(0, 2))))
    return 'passes';
  if (typeof code === 'string') return staying.has(code.slice(0, 2)) && code.length === 5 ? 'stays' : 'unknown';
  const isOfTheData = error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError;
  return isOfTheData ? 'stays' : 'unknown';
}

/** The part of an error that a caller may see: never its text, which may contain data. */
export function errorCode(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  if (typeof code === 'string') return `code ${code}`;
  return typeof name === 'string' ? name : 'an error';
}
