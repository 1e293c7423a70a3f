// What the claims of another issuer's token mean here: which tenant, which scopes, which account. Pure.

/** As the operator set it up. */
export interface OutsideSettings {
  /** As `iss` has it, letter by letter. */
  issuer: string;
  audience: string;
  /** All its tokens belong to this tenant. Undefined: `tenantClaim` says which. */
  tenantId: number | undefined;
  tenantClaim: string;
  scopeClaim: string;
  /** What its scopes are called here. One of theirs may map to both of ours. */
  scopes: readonly { theirs: string; ours: 'READ' | 'WRITE' }[];
  /** The claim with the email address of the account that the token acts for. Undefined: the tenant's first account. */
  accountClaim: string | undefined;
}

/** Whom a token speaks for. */
export interface OutsideIdentity {
  tenantId: number;
  scopes: string[];
  /** In lower case. Undefined: the tenant's first account. */
  email: string | undefined;
}

type Claims = Readonly<Record<string, unknown>>;

/** Undefined if a required claim is missing. */
export function identityOf(claims: Claims, settings: OutsideSettings): OutsideIdentity | undefined {
  const tenantId = settings.tenantId ?? tenantNumber(claimAt(claims, settings.tenantClaim));
  if (tenantId === undefined) return undefined;
  const given = wordsOf(claimAt(claims, settings.scopeClaim));
  const scopes = settings.scopes.filter(({ theirs }) => given.includes(theirs)).map(({ ours }) => ours);
  const identity = { tenantId, scopes: [...new Set(scopes)] };
  if (settings.accountClaim === undefined) return { ...identity, email: undefined };
  const email = claimAt(claims, settings.accountClaim);
  // An address that people can type into their own profile proves nothing.
  if (
    typeof email !== 'string' ||
    email.trim() === '' ||
    ![undefined, true, 'true'].includes(claims.email_verified as string)
  )
    return undefined;
  return { ...identity, email: email.trim().toLowerCase() };
}

/** A claim by its name, or by a path such as `realm_access.roles`. Names may have dots of their own: `https://example.com/tenant`. */
export function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  let value: unknown = claims;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Claims)[name];
  }
  return value;
}

function tenantNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return Number.isSafeInteger(number) && (number as number) > 0 ? (number as number) : undefined;
}

/** Words separated by spaces, as OAuth writes scopes, or a list. */
function wordsOf(value: unknown): string[] {
  if (typeof value === 'string') return value.split(' ');
  return Array.isArray(value) ? value.filter((word) => typeof word === 'string') : [];
}
