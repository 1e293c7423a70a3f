// Access tokens of another issuer: JWTs, checked against its keys, and remembered until they expire.
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import type { Runner } from '../../../db/database.js';
import { ApiError } from '../../../http/api-error.js';
import type { KnownToken } from '../../../http/token-cache.js';
import type { Clock } from '../../../lib/clock.js';
import { clippedInstant } from '../../../lib/instant.js';
import { type AddressOfPerson, findOutsideCaller } from '../queries.js';
import { identityOf, type OutsideIdentity, type OutsideSettings } from './claims.js';
import { IssuerKeys, type KeyLog } from './issuer-keys.js';

/** Loaded only by those who use it. */
const loadJose = () => import('jose');

// Only asymmetric keys: with a shared secret, everyone who can check a token can make one.
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
];
const toleranceSeconds = 5;
const types = [undefined, 'at+jwt', 'application/at+jwt', 'jwt'];
const mostRemembered = 10_000;

interface Verified extends OutsideIdentity {
  expiresAt: string;
  /** Of the keys that it was checked against. */
  generation: number;
}

export class OutsideTokens {
  private readonly verified = new Map<string, Verified>();
  private readonly keys: IssuerKeys;
  private readonly readers = new WeakMap<JSONWebKeySet, JWTVerifyGetKey>();

  constructor(
    private readonly db: Runner,
    private readonly clock: Clock,
    private readonly settings: OutsideSettings,
    private readonly addressOfPerson: AddressOfPerson,
    log: KeyLog,
  ) {
    this.keys = new IssuerKeys(settings.issuer, clock, log);
  }

  /** Who holds this token, with the scopes that the account's role allows. Throws NOT_READY if that cannot be known now. */
  async find(token: string, tokenHash: string): Promise<KnownToken | undefined> {
    const verified = await this.verify(token, tokenHash);
    if (!verified) return undefined;
    const { tenantId, scopes, email, expiresAt } = verified;
    const account = await findOutsideCaller(this.db, tenantId, email, this.addressOfPerson);
    if (!account) return undefined;
    return {
      ...{ tokenHash, tenantId, tokenId: 0, tokenKind: 'outside', expiresAt, ...account },
      scopes: account.role === 'viewer' ? scopes.filter((scope) => scope === 'READ') : scopes,
    };
  }

  private async verify(token: string, tokenHash: string): Promise<Verified | undefined> {
    // Checks now and then whether the issuer's keys have changed.
    await this.keys.current();
    const known = this.verified.get(tokenHash);
    if (known && known.generation === this.keys.generation && Date.parse(known.expiresAt) > this.clock.now().getTime())
      return known;
    this.verified.delete(tokenHash);
    const found = await this.check(token);
    if (!found) return undefined;
    this.verified.set(tokenHash, found);
    if (this.verified.size > mostRemembered) this.verified.delete(this.verified.keys().next().value as string);
    return found;
  }

  private async check(token: string): Promise<Verified | undefined> {
    const { jwtVerify } = await loadJose();
    const { issuer, audience } = this.settings;
    const rules = {
      ...{ issuer, audience, algorithms, requiredClaims: ['exp'], clockTolerance: toleranceSeconds },
      currentDate: this.clock.now(),
    };
    try {
      const { payload, protectedHeader } = await jwtVerify(token, this.keyOf, rules);
      if (!types.includes(protectedHeader.typ?.toLowerCase())) return undefined;
      const identity = identityOf(payload, this.settings);
      const expiresAt = clippedInstant(((payload.exp as number) + toleranceSeconds) * 1000);
      return identity && { ...identity, expiresAt, generation: this.keys.generation };
    } catch (error) {
      // Unknown for now. Any other error means that the token, or the key that it names, is bad.
      if (error instanceof ApiError) throw error;
      return undefined;
    }
  }

  private readonly keyOf: JWTVerifyGetKey = async (header, token) => {
    const { errors } = await loadJose();
    const keys = await this.keys.current();
    try {
      return await (await this.amongst(keys))(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      const renewed = await this.keys.renewed();
      if (!renewed) throw error;
      return (await this.amongst(renewed))(header, token);
    }
  };

  /** Reading a key takes longer than using it: each is read once. */
  private async amongst(keys: JSONWebKeySet): Promise<JWTVerifyGetKey> {
    const { createLocalJWKSet } = await loadJose();
    const known = this.readers.get(keys) ?? createLocalJWKSet(keys);
    this.readers.set(keys, known);
    return known;
  }
}
