// What the hash of an entry covers, and so what cannot be changed unnoticed. Pure.
import { hash } from 'node:crypto';
import type { NewEntry } from './queries.js';

/** The hash before a tenant's first entry, hex. */
export function firstHash(tenantId: number): string {
  return hash('sha256', `rapport audit log of tenant ${tenantId}`);
}

export function textOf({ tenantId, at, accountId, action, subject, detail, address }: NewEntry): string {
  return JSON.stringify([tenantId, at, accountId, action, subject, detail, address]);
}

/** The hash of an entry, hex, from the one before. */
export function hashOf(before: string, entryNo: number, entry: NewEntry): string {
  return hash('sha256', Buffer.concat([Buffer.from(before, 'hex'), Buffer.from(`${entryNo}\n${textOf(entry)}`)]));
}
