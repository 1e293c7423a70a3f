import { hash } from 'node:crypto';
import type { TokenScope } from '@rapport/contract';
import type { Transaction } from '../../db/database.js';
import { ApiError, invalid, notFound } from '../../http/api-error.js';
import { randomToken } from '../../lib/random.js';
import { type Actor, recordAudit } from '../audit/index.js';
import { faultOfAllowed } from './find-token.js';
import { isNumber } from './get-tenant.js';
import {
  findAccount,
  holdMaker,
  insertToken,
  type Maker,
  revokeDescendants,
  revokeTokenRow,
  type TokenRow,
} from './queries.js';

export interface NewToken {
  name: string;
  scopes: TokenScope[];
  expiresAt?: string;
  accountId?: number;
  allowedAddresses?: string[];
  /** The token that the request came with: what it makes ends with it, for an app's token when the app is disconnected. */
  madeWith?: number;
  /** When the caller's token from another issuer ends: we know nothing else about it. */
  endsBy?: string;
}

/** Makes a personal access token of 256 random bits. Only its hash is stored; only this answer has the text. */
export async function createToken(
  tx: Transaction,
  actor: Actor,
  wanted: NewToken,
): Promise<TokenRow & { token: string }> {
  const { tenantId } = actor;
  const allowedAddresses = wanted.allowedAddresses ?? null;
  if (wanted.scopes.includes('INGEST') && wanted.scopes.length > 1)
    throw invalid('scopes', 'must have INGEST alone or not at all');
  checkAllowed(allowedAddresses ?? []);
  const account = await findAccount(tx, tenantId, wanted.accountId);
  if (!account) throw invalid('accountId', 'is not an account of this tenant, or is deactivated');
  const maker = wanted.madeWith ? await holdMaker(tx, tenantId, wanted.madeWith) : undefined;
  if (maker?.isRevoked) throw new ApiError('INVALID_STATE', { reason: 'The token that you call with was revoked.' });
  const token = randomToken('rpt_pat_');
  const row = await insertToken(tx, {
    tenantId,
    accountId: account.accountId,
    tokenHash: hash('sha256', token),
    name: wanted.name,
    scopes: wanted.scopes,
    expiresAt: endOf(wanted, maker),
    allowedAddresses,
    grantHash: maker?.grantHash ?? null,
    // Tokens of browsers and apps last for minutes, so the maker is their session or grant.
    madeWith: maker?.kind === 'personal' ? (wanted.madeWith ?? null) : null,
  });
  const { tokenId, accountId, name, scopes, expiresAt } = row;
  await recordAudit(tx, actor, 'token.created', tokenId, { accountId, name, scopes, expiresAt, allowedAddresses });
  return { token, ...row };
}

/** No token outlives the personal token that made it, or the one from another issuer. */
function endOf({ expiresAt, endsBy }: NewToken, maker: Maker | undefined): string | null {
  const end = endsBy ?? (maker?.kind === 'personal' ? maker.expiresAt : null);
  if (end !== null && expiresAt !== undefined && Date.parse(expiresAt) > Date.parse(end))
    throw invalid('expiresAt', `must not be after the end of the token that you call with: ${end}`);
  return expiresAt ?? end;
}

function checkAllowed(allowed: readonly string[]): void {
  allowed.forEach((entry, i) => {
    const fault = faultOfAllowed(entry);
    if (fault) throw invalid('allowedAddresses', fault);
    if (allowed.indexOf(entry) !== i) throw invalid('allowedAddresses', `must have each once: ${entry} is there twice`);
  });
}

/** Ends a personal token, and those that were made with it. @param ofAccount only if it belongs to this account. */
export async function revokeToken(
  tx: Transaction,
  actor: Actor,
  id: string,
  ofAccount: number | null,
): Promise<{ tokenId: number; success: boolean }> {
  const tokenId = isNumber(id) ? Number(id) : 0;
  const wasLive = await revokeTokenRow(tx, actor.tenantId, tokenId, ofAccount);
  if (wasLive === undefined) throw notFound('token');
  const alsoEnded = await revokeDescendants(tx, actor.tenantId, tokenId);
  if (wasLive || alsoEnded.length > 0)
    await recordAudit(tx, actor, 'token.revoked', tokenId, alsoEnded.length > 0 ? { alsoEnded } : {});
  return { tokenId, success: true };
}
