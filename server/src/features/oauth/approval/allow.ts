import type { Database } from '../../../db/database.js';
import type { Clock } from '../../../lib/clock.js';
import { instantOf } from '../../../lib/instant.js';
import { randomToken } from '../../../lib/random.js';
import type { Workspace } from '../../accounts/index.js';
import { recordAudit } from '../../audit/index.js';
import { hashOf } from '../provider/adapter.js';
import { lifetimes } from '../provider/settings.js';
import { insertGrant } from '../queries.js';
import { writeSubject } from '../subject.js';
import { type AskedAccess, withinRole } from './asked.js';

/** Stores what a person allowed an app, as the authorization server reads it. Returns the grant's id. */
export async function allow(
  { db, clock }: { db: Database; clock: Clock },
  { app, scopes, resource }: Pick<AskedAccess, 'app' | 'scopes' | 'resource'>,
  workspace: Pick<Workspace, 'tenantId' | 'accountId' | 'role'>,
  address: string,
  /** Whether the person allows a scope. */
  isTicked: (scope: string) => boolean = () => true,
): Promise<string> {
  const { tenantId, accountId, role } = workspace;
  const grantId = randomToken('');
  const iat = Math.floor(clock.now().getTime() / 1000);
  const exp = iat + lifetimes.grant;
  const granted = withinRole(scopes, role).filter(isTicked);
  // What the role or the person does not allow is stored as denied, or it would be asked for again.
  const denied = scopes.filter((scope) => !granted.includes(scope));
  const payload = {
    ...{ kind: 'Grant', iat, exp, accountId: writeSubject(workspace), clientId: app.clientId },
    ...shareOf(granted, resource),
    ...(denied.length > 0 ? { rejected: shareOf(denied, resource) } : {}),
    // Our copy: it is shown among connected apps even after the metadata document is gone.
    app: { name: app.name, backTo: app.backTo },
  };
  const expiresAt = instantOf(exp * 1000);
  await db.transaction(async (tx) => {
    await insertGrant(
      tx,
      {
        ...{ kind: 'Grant', idHash: hashOf(grantId), payload: JSON.stringify(payload), grantHash: null, expiresAt },
        ...{ tenantId, accountId, clientId: app.clientId },
      },
      hashOf(app.clientId),
    );
    const detail = { clientId: app.clientId, name: app.name, scopes: granted };
    await recordAudit(tx, { tenantId, accountId, address }, 'app.connected', hashOf(grantId), detail);
  });
  return grantId;
}

function shareOf(scopes: readonly string[], resource: readonly string[]) {
  const scope = scopes.join(' ');
  return { openid: { scope }, resources: Object.fromEntries(resource.map((each) => [each, scope])) };
}
