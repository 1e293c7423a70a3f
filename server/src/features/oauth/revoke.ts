import type { Database } from '../../db/database.js';
import { type AuditAction, recordAudit } from '../audit/index.js';
import { type RevokedGrant, revokeGrantRows } from './queries.js';

export interface Revocation {
  /** `app.disconnected`, or `app.token-reused` if a code or a refresh token was used twice. */
  action: Extract<AuditAction, 'app.disconnected' | 'app.token-reused'>;
  /** Null: the app did it, or a holder of its tokens. */
  accountId: number | null;
  address: string | null;
}

/**
 * Ends what a person allowed an app, with all its tokens, and logs it. Does nothing, and logs nothing, if it has ended before.
 */
export function revokeGrant(
  db: Pick<Database, 'transaction'>,
  grantHash: string,
  { action, accountId, address }: Revocation,
): Promise<RevokedGrant | undefined> {
  return db.transaction(async (tx) => {
    const revoked = await revokeGrantRows(tx, grantHash);
    if (revoked) {
      const { tenantId, clientId } = revoked;
      const detail = { clientId, allowedBy: revoked.accountId };
      await recordAudit(tx, { tenantId, accountId, address }, action, grantHash, detail);
    }
    return revoked;
  });
}
