import type { Role } from '@rapport/contract';
import type { Database } from '../../../db/database.js';
import { notFound } from '../../../http/api-error.js';
import { revokeGrant } from '../revoke.js';
import { findAppOwner } from './queries.js';

export interface AppNeeds {
  db: Database;
  /** Takes effect on this node at once; other nodes remember tokens for at most 3 s. */
  forgetTokens(): void;
}

/** Who disconnects an app, and where from. */
interface Who {
  tenantId: number;
  accountId: number;
  role: Role;
  address: string;
}

/** Disconnects an app: one's own, or as an admin anyone's. Only admins see other people's apps. */
export async function disconnect({ db, forgetTokens }: AppNeeds, who: Who, appId: string): Promise<void> {
  const { tenantId, accountId, role, address } = who;
  const owner = /^[0-9a-f]{64}$/.test(appId) ? await findAppOwner(db, tenantId, appId) : undefined;
  if (owner === undefined || (owner !== accountId && role !== 'admin')) throw notFound('connected app');
  await revokeGrant(db, appId, { action: 'app.disconnected', accountId, address });
  forgetTokens();
}
