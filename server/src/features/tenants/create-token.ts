import { hash } from 'node:crypto';
import type { TokenScope } from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { invalid } from '../../http/api-error.js';
import { randomToken } from '../../lib/random.js';
import { findAccount, insertToken, type TokenRow } from './queries.js';

export interface NewToken {
  name: string;
  scopes: TokenScope[];
  expiresAt?: string;
  accountId?: number;
}

/** Makes a personal access token of 256 random bits. Only its hash is stored; the text is in this answer alone. */
export async function createToken(
  db: Database,
  tenantId: number,
  wanted: NewToken,
): Promise<TokenRow & { token: string }> {
  if (wanted.scopes.includes('INGEST') && wanted.scopes.length > 1)
    throw invalid('scopes', 'must have INGEST alone or not at all');
  const account = await findAccount(db, tenantId, wanted.accountId);
  if (!account) throw invalid('accountId', 'is not an account of this tenant');
  const token = randomToken('rpt_pat_');
  const row = await insertToken(db, {
    tenantId,
    accountId: account.accountId,
    tokenHash: hash('sha256', token),
    name: wanted.name,
    scopes: wanted.scopes,
    expiresAt: wanted.expiresAt ?? null,
  });
  return { token, ...row };
}
