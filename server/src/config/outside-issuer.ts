// An issuer of tokens beside the service itself, as the environment describes it.
import { ConfigError, listOf, whole, wrong } from './values.js';

export interface OutsideIssuer {
  issuer: string;
  audience: string;
  /** All its tokens belong to this tenant. Unset: `tenantClaim` says which. */
  tenantId: number | undefined;
  tenantClaim: string;
  scopeClaim: string;
  scopes: { theirs: string; ours: 'READ' | 'WRITE' }[];
  /** The claim with the address of the account that a token acts for. Unset: the tenant's first account. */
  accountClaim: string | undefined;
}

const ofOutsideIssuer = [
  ...['OAUTH_TENANT', 'OAUTH_TENANT_CLAIM', 'OAUTH_SCOPE_CLAIM', 'OAUTH_SCOPE_MAP', 'OAUTH_ACCOUNT_CLAIM'],
];

export function outsideIssuer(read: (name: string) => string | undefined): OutsideIssuer | undefined {
  const [issuer, audience] = [issuerUrl(read('OAUTH_ISSUER')), read('OAUTH_AUDIENCE')];
  if (issuer === undefined || audience === undefined) {
    const lonely = [audience && 'OAUTH_AUDIENCE', ...ofOutsideIssuer.filter(read)].find(Boolean);
    if (issuer)
      throw new ConfigError('OAUTH_ISSUER needs OAUTH_AUDIENCE: set what its tokens have as `aud` for this service.');
    if (lonely) throw new ConfigError(`${lonely} needs OAUTH_ISSUER: set both, or none.`);
    return undefined;
  }
  if (read('OAUTH_TENANT') && read('OAUTH_TENANT_CLAIM'))
    throw new ConfigError(
      'OAUTH_TENANT and OAUTH_TENANT_CLAIM are both set: keep the one that says which tenant it is.',
    );
  return {
    ...{ issuer, audience },
    tenantId: whole('OAUTH_TENANT', read('OAUTH_TENANT'), undefined, 1, Number.MAX_SAFE_INTEGER),
    tenantClaim: read('OAUTH_TENANT_CLAIM') ?? 'rapport_tenant',
    scopeClaim: read('OAUTH_SCOPE_CLAIM') ?? 'scope',
    scopes: scopeMap(read('OAUTH_SCOPE_MAP') ?? 'READ=READ,WRITE=WRITE'),
    accountClaim: read('OAUTH_ACCOUNT_CLAIM'),
  };
}

function issuerUrl(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  const isLoopback = /^(localhost|\[::1\]|127(\.\d+){3})$/.test(parsed?.hostname ?? '');
  const isSafe = parsed?.protocol === 'https:' || (parsed?.protocol === 'http:' && isLoopback);
  if (!isSafe || parsed?.username || /[?#]/.test(value))
    throw wrong('OAUTH_ISSUER', 'an address that starts with https:// (or http:// on this machine), without a query');
  return value;
}

function scopeMap(value: string): OutsideIssuer['scopes'] {
  return listOf(value).map((pair) => {
    const [, theirs, ours] = /^(\S+)=(READ|WRITE)$/.exec(pair) ?? [];
    if (!theirs)
      throw wrong('OAUTH_SCOPE_MAP', 'pairs with commas between, such as rapport.read=READ,rapport.write=WRITE');
    return { theirs, ours: ours as 'READ' | 'WRITE' };
  });
}
