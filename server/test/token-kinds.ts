// A token of every kind that the service accepts, so that tests can compare them.
import { hash } from 'node:crypto';
import type { Role } from '@rapport/contract';
import { afterAll, beforeAll } from 'vitest';
import { bytes, sql } from '../src/db/sql.js';
import { insertAppToken, type NewAppToken } from '../src/features/oauth/queries.js';
import { findAccount, type OutsideSettings } from '../src/features/tenants/index.js';
import { randomToken } from '../src/lib/random.js';
import type { TestApp } from './app.js';
import { Issuer } from './issuer.js';

/** Personal tokens, those of apps (OAuth), those of signed-in browsers, and those of another issuer. */
export const tokenKinds = ['personal', 'app', 'session', 'outside'] as const;
export type TokenKind = (typeof tokenKinds)[number];

export interface Wanted {
  kind: TokenKind;
  scopes?: readonly string[];
  role?: Role;
  /** `over`: revoked, or its account is. */
  state?: 'good' | 'over' | 'expired';
}

/** An issuer beside the service, started before and stopped after the tests of a file. */
export function useIssuer(): Issuer {
  const issuer = new Issuer();
  beforeAll(() => issuer.start());
  afterAll(() => issuer.stop());
  return issuer;
}

export function outsideSettings(issuer: Issuer): OutsideSettings {
  return {
    ...{ issuer: issuer.url, audience: issuer.audience, tenantId: undefined, tenantClaim: 'rapport_tenant' },
    ...{ scopeClaim: 'scope', accountClaim: undefined },
    scopes: [
      { theirs: 'READ', ours: 'READ' },
      { theirs: 'WRITE', ours: 'WRITE' },
    ],
  };
}

const prefixes = { personal: 'rpt_pat_', app: 'rpt_app_', session: 'rpt_web_' };

/** For the tenant's first account. */
export async function makeToken(t: TestApp, issuer: Issuer, tenantId: number, wanted: Wanted): Promise<string> {
  const { kind, scopes = ['READ', 'WRITE'], role = 'admin', state = 'good' } = wanted;
  const isOver = state === 'over';
  await t.db.run(sql`
    update account set role = ${role}, deactivated_at = case when ${isOver && kind === 'outside'}::boolean then now() end
    where tenant_id = ${tenantId}`);
  const endsAt = Date.now() + (state === 'expired' ? -60_000 : 3_600_000);
  if (kind === 'outside') {
    const exp = Math.floor(endsAt / 1000);
    return issuer.sign({ rapport_tenant: tenantId, scope: scopes.join(' '), jti: randomToken(''), exp });
  }
  const token = randomToken(prefixes[kind]);
  const tokenHash = hash('sha256', token);
  const expiresAt = new Date(endsAt).toISOString();
  const account = await findAccount(t.db, tenantId, undefined);
  const { accountId } = account as { accountId: number };
  if (kind === 'app') await grantToken(t, { tenantId, accountId, tokenHash, scopes: [...scopes], expiresAt });
  else
    await t.db.run(sql`
      insert into access_token (token_hash, tenant_id, account_id, name, scopes, expires_at, kind)
      values (${bytes(tokenHash)}, ${tenantId}, ${accountId}, 'test', ${scopes}, ${expiresAt}::timestamptz, ${kind})`);
  if (isOver) await t.db.run(sql`update access_token set revoked_at = now() where token_hash = ${bytes(tokenHash)}`);
  return token;
}

/** As the authorization server stores one, with the grant that it comes from. */
async function grantToken(
  t: TestApp,
  token: Pick<NewAppToken, 'tenantId' | 'accountId' | 'tokenHash' | 'scopes' | 'expiresAt'>,
): Promise<void> {
  const grantHash = hash('sha256', randomToken(''));
  await t.db.run(sql`
    insert into oauth_record (kind, id_hash, payload, of_tenant_id, account_id, client_id)
    values ('Grant', ${bytes(grantHash)}, '{}', ${token.tenantId}, ${token.accountId}, 'test-client')`);
  await insertAppToken(t.db, { ...token, grantHash, clientId: 'test-client', payload: '{}' });
}
