// Links that show the DNS records of a domain without a sign-in, for the person who runs DNS. Of a link's token only the hash is kept.
import { hash, timingSafeEqual } from 'node:crypto';
import type { DataValue, shareWorkspaceDomain } from '@rapport/contract';
import type { Runner } from '../../../db/database.js';
import { notFound } from '../../../http/api-error.js';
import { randomToken } from '../../../lib/random.js';
import { findShared, updateShare } from './queries.js';

export async function shareDomain(
  db: Runner,
  baseUrl: string,
  tenantId: number,
  domain: string,
): Promise<DataValue<typeof shareWorkspaceDomain>> {
  const token = randomToken('');
  const expiresAt = await updateShare(db, tenantId, domain, hash('sha256', token));
  if (expiresAt === undefined) throw notFound('sending domain');
  return { domain, url: `${baseUrl}/dns/${tenantId}.${token}`, expiresAt };
}

/** Of the last part of a link. Undefined if it shows nothing, or no longer. */
export async function findSharedDomain(
  db: Runner,
  link: string,
): Promise<{ tenantId: number; domain: string } | undefined> {
  const [, tenant, token] = /^([1-9]\d{0,14})\.([\w-]{20,100})$/.exec(link) ?? [];
  if (tenant === undefined || token === undefined) return undefined;
  const tenantId = Number(tenant);
  const tokenHash = hash('sha256', token);
  const found = await findShared(db, tenantId, tokenHash);
  if (!found || !timingSafeEqual(Buffer.from(found.hash, 'hex'), Buffer.from(tokenHash, 'hex'))) return undefined;
  return { tenantId, domain: found.domain };
}
