import type { Database } from '../../db/database.js';
import type { Call } from '../../http/endpoint.js';
import type { Clock } from '../../lib/clock.js';
import type { SecretBox } from '../../lib/secret-box.js';
import type { Invitations } from '../accounts/index.js';
import type { Actor } from '../audit/index.js';
import type { SendingDesk } from '../sending/index.js';

export interface WorkspaceNeeds {
  db: Database;
  box: SecretBox;
  clock: Clock;
  baseUrl: () => string;
  sending: SendingDesk;
  invitations: Invitations;
  /** Why a mail server must not have this host, as the end of a sentence that begins with the field. */
  faultOfHost(host: string): string | undefined;
  /** Called after roles, accounts or tokens change, so that this node knows at once. */
  forgetTokens(): void;
}

/** Who did it, for the audit log. */
export function actorOf({ caller, address }: Pick<Call, 'caller' | 'address'>): Actor {
  return { tenantId: caller.tenantId, accountId: caller.accountId, address };
}
