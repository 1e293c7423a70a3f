import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimAt, identityOf, type OutsideSettings } from './claims.js';

const settings: OutsideSettings = {
  ...{ issuer: 'https://issuer.example', audience: 'x', tenantId: undefined, tenantClaim: 'org.rapport' },
  ...{ scopeClaim: 'scp', accountClaim: undefined },
  scopes: [
    { theirs: 'all', ours: 'READ' },
    { theirs: 'all', ours: 'WRITE' },
    { theirs: 'look', ours: 'READ' },
  ],
};
const of = (claims: Record<string, unknown>, change: Partial<OutsideSettings> = {}) =>
  identityOf(claims, { ...settings, ...change });

describe('claims', () => {
  it('are found by name before they are looked up as a path', () => {
    expect(claimAt({ 'a.b': 1, a: { b: 2 } }, 'a.b')).toBe(1);
    expect(claimAt({ a: { b: 2 } }, 'a.b')).toBe(2);
    expect(claimAt({ 'https://example.com/tenant': 3 }, 'https://example.com/tenant')).toBe(3);
  });

  it('are undefined if they are missing', () => {
    for (const path of ['constructor', '__proto__', 'a.length', 'a.b.c', ''])
      expect(claimAt({ a: 'x' }, path)).toBe(undefined);
  });

  it('name the tenant as a number or as its digits', () => {
    expect(of({ org: { rapport: 7 } })?.tenantId).toBe(7);
    expect(of({ org: { rapport: '7' } })?.tenantId).toBe(7);
    for (const rapport of [0, -7, 7.5, '7 ', '-7', '', '0x7', null, [7], true, 2 ** 60, '9'.repeat(16)])
      expect(of({ org: { rapport } })).toBe(undefined);
    expect(of({}, { tenantId: 3 })?.tenantId).toBe(3);
  });

  it('name a person by an address only if it is verified, or the token does not say', () => {
    const named = (email_verified: unknown) =>
      of({ scp: 'all', email: 'ada@example.com', email_verified }, { tenantId: 3, accountClaim: 'email' })?.email;
    for (const yes of [undefined, true, 'true']) expect(named(yes)).toBe('ada@example.com');
    for (const no of [false, 'false', 'False', 'FALSE', 0, '0', 1, '1', null, '', 'no', 'True', [true], {}])
      expect(named(no)).toBe(undefined);
  });

  it('give only the scopes that they are mapped to, each once', () => {
    const words = fc.array(fc.constantFrom('all', 'look', 'READ', 'WRITE', 'INGEST', ''));
    fc.assert(
      fc.property(words, fc.boolean(), (scopes, isText) => {
        const scp = isText ? scopes.join(' ') : scopes;
        const wanted = scopes.includes('all') ? ['READ', 'WRITE'] : scopes.includes('look') ? ['READ'] : [];
        expect(of({ scp }, { tenantId: 1 })?.scopes).toEqual(wanted);
      }),
    );
  });

  it('of any other type are no scopes', () => {
    for (const scp of [undefined, null, 1, {}, { all: true }, [['all']], 'ALL', 'all,look'])
      expect(of({ scp }, { tenantId: 1 })?.scopes).toEqual([]);
  });
});
