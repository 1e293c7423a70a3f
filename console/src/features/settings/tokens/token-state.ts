import type { DataValue, listPersonalTokens, TokenScope } from '@rapport/contract';

export type PersonalToken = DataValue<typeof listPersonalTokens>;

export function tokenState(
  { revokedAt, expiresAt }: Pick<PersonalToken, 'revokedAt' | 'expiresAt'>,
  now: number,
): 'active' | 'expired' | 'revoked' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}

export type ScopeChoice = 'read' | 'write' | 'ingest';

export const scopesOf: Readonly<Record<ScopeChoice, readonly TokenScope[]>> = {
  read: ['READ'],
  write: ['READ', 'WRITE'],
  ingest: ['INGEST'],
};

/** The scopes that a user with these scopes can give to a token. */
export function choicesFor(scopes: readonly TokenScope[]): ScopeChoice[] {
  const has = (scope: TokenScope) => scopes.includes(scope);
  return (['read', 'write', 'ingest'] as const).filter((choice) =>
    choice === 'ingest' ? has('WRITE') : scopesOf[choice].every(has),
  );
}

const dayMs = 86_400_000;

/** Undefined: it does not expire. */
export function expiryAfter(days: string, now: number): string | undefined {
  return days === 'never' ? undefined : new Date(now + Number(days) * dayMs).toISOString();
}
