// Links that work once: to sign in without a password, and to set a new one. Only their hashes are stored.
import { hash } from 'node:crypto';
import type { Runner } from '../../../db/database.js';
import { randomToken } from '../../../lib/random.js';
import { deleteLinks, findLinkRow, insertLink, type LinkKind, takeLinkRow } from './queries.js';

const tokenShape = /^[\w-]{43}$/;
const signInSeconds = 86_400;

/** The secret in a link. Only this answer has it. */
export async function makeLink(
  db: Runner,
  personId: number,
  kind: LinkKind = 'sign-in',
  seconds = signInSeconds,
): Promise<string> {
  const token = randomToken('');
  await insertLink(db, { linkHash: hash('sha256', token), kind, personId, seconds });
  return token;
}

export function signInUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/oauth/link?token=${token}`;
}

/** Whose link it is, while it can be used. */
export async function findLink(db: Runner, kind: LinkKind, token: unknown): Promise<number | undefined> {
  if (typeof token !== 'string' || !tokenShape.test(token)) return undefined;
  return findLinkRow(db, hash('sha256', token), kind);
}

/** Uses it up. Of many concurrent calls, one returns true. */
export function takeLink(db: Runner, kind: LinkKind, token: string): Promise<boolean> {
  return takeLinkRow(db, hash('sha256', token), kind);
}

/** Ends a person's unused links. */
export function dropLinks(db: Runner, personId: number, kind: LinkKind): Promise<void> {
  return deleteLinks(db, personId, kind);
}
