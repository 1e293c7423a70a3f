// Where the authorization server stores things: access tokens among all other bearer tokens, everything else in oauth_record. Both are
// found by the SHA-256 of the id, because the id of a code or a token is the secret itself. The stored JSON does not contain it either.
import { hash } from 'node:crypto';
import { agentScopes } from '@rapport/contract';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Database } from '../../../db/database.js';
import { instantOf } from '../../../lib/instant.js';
import { isSoundText } from '../../../lib/text.js';
import { findAppToken } from '../../tenants/index.js';
import {
  consumeRecord,
  deleteRecord,
  evictInteractions,
  findRecord,
  grantOfRecord,
  insertAppToken,
  insertOfGrant,
  revokeAppToken,
  upsertRecord,
} from '../queries.js';
import { type Revocation, revokeGrant } from '../revoke.js';
import { readSubject } from '../subject.js';

export interface AdapterNeeds {
  db: Database;
  /** Tokens for it work nowhere else. */
  mcpResource: string;
  /** Called after tokens end, so that this node knows at once. */
  forgetTokens(): void;
  /** Which endpoint is being asked, as the library names it. */
  route(): string | undefined;
  /** Where that request comes from. */
  address(): string | null;
  /** Thrown if a code or a token can no longer be used. */
  invalidGrant(why: string): Error;
  /** Thrown if something cannot be stored. */
  invalidRequest(why: string): Error;
}

const apiScopes = ['READ', 'WRITE'];
// Anyone can begin one without signing in, and each takes a few kilobytes for an hour: 40 MB together.
const mostInteractions = 10_000;

export const hashOf = (id: string) => hash('sha256', id);

export function adapterFor(kind: string, needs: AdapterNeeds): Adapter {
  if (kind === 'Session') return forgetful;
  return kind === 'AccessToken' ? new TokenAdapter(kind, needs) : new RecordAdapter(kind, needs);
}

/** The library's own sessions are not used: we know who is signed in, and people are asked each time. */
const forgetful: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
};

class RecordAdapter implements Adapter {
  constructor(
    protected readonly kind: string,
    protected readonly needs: AdapterNeeds,
  ) {}

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    const { db, invalidGrant } = this.needs;
    const record = {
      ...{ kind: this.kind, idHash: hashOf(id), payload: this.write(withoutId(id, payload)) },
      clientId: payload.clientId ?? (payload.client_id as string | undefined) ?? null,
      expiresAt: payload.exp === undefined ? null : instantOf(payload.exp * 1000),
    };
    const { grantId } = payload;
    if (grantId === undefined) {
      await upsertRecord(db, { ...record, grantHash: null });
      if (this.kind === 'Interaction') await evictInteractions(db, mostInteractions);
      return;
    }
    if (!(await insertOfGrant(db, { ...record, grantHash: hashOf(grantId) }))) throw invalidGrant('grant was revoked');
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const row = await findRecord(this.needs.db, this.kind, hashOf(id));
    if (!row) return undefined;
    const consumed = row.consumedAt === null ? {} : { consumed: Math.floor(Date.parse(row.consumedAt) / 1000) };
    return withId(id, { ...row.payload, ...consumed });
  }

  async findByUserCode(): Promise<undefined> {}
  async findByUid(): Promise<undefined> {}

  /** Of two uses at the same time, one wins. One of the two is a thief, so neither keeps anything. */
  async consume(id: string): Promise<void> {
    const { db, invalidGrant } = this.needs;
    if (await consumeRecord(db, this.kind, hashOf(id))) return;
    const grantHash = await grantOfRecord(db, this.kind, hashOf(id));
    if (grantHash !== undefined) await this.revoke(grantHash);
    throw invalidGrant('already used');
  }

  /** All codes and tokens of a grant end with it. */
  destroy(id: string): Promise<void> {
    return this.kind === 'Grant' ? this.revoke(hashOf(id)) : deleteRecord(this.needs.db, this.kind, hashOf(id));
  }

  /** The library always destroys the grant too: see revokeGrantPolicy. */
  async revokeByGrantId(): Promise<void> {}

  /** The payload has text from strangers: from an app that registers, or from an address. */
  private write(payload: object): string {
    return JSON.stringify(payload, (key, value: unknown) => {
      if (!isSoundText(key) || (typeof value === 'string' && !isSoundText(value)))
        throw this.needs.invalidRequest('a parameter has characters that are no text');
      return value;
    });
  }

  private async revoke(grantHash: string): Promise<void> {
    const { db, forgetTokens, route, address } = this.needs;
    // Revoked by the app itself. In all other cases a code or a token was used for the second time.
    const action: Revocation['action'] = route() === 'revocation' ? 'app.disconnected' : 'app.token-reused';
    await revokeGrant(db, grantHash, { action, accountId: null, address: address() });
    forgetTokens();
  }
}

class TokenAdapter extends RecordAdapter {
  override async upsert(id: string, payload: AdapterPayload): Promise<void> {
    const { db, mcpResource, invalidGrant } = this.needs;
    const { accountId = '', grantId = '', clientId = '', scope = '', exp = 0 } = payload;
    const isForMcp = payload.aud === mcpResource;
    const known: readonly string[] = isForMcp ? agentScopes : apiScopes;
    const subject = readSubject(accountId);
    if (!subject) throw invalidGrant('account not found');
    const stored = await insertAppToken(db, {
      ...{ tokenHash: hashOf(id), ...subject, grantHash: hashOf(grantId), clientId },
      ...{ isForMcp, scopes: known.filter((each) => scope.split(' ').includes(each)) },
      ...{ payload: JSON.stringify(withoutId(id, payload)), expiresAt: instantOf(exp * 1000) },
    });
    if (!stored) throw invalidGrant('grant was revoked');
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const payload = await findAppToken(this.needs.db, hashOf(id));
    if (!payload) return undefined;
    const { aud, ...others } = payload;
    // Userinfo refuses tokens for any resource. It belongs to the API.
    const isAtHome = this.needs.route() === 'userinfo' && aud !== this.needs.mcpResource;
    return withId(id, isAtHome ? others : { ...others, aud });
  }

  override destroy(id: string): Promise<void> {
    return revokeAppToken(this.needs.db, hashOf(id));
  }
}

/** An interaction's id is also in the address that leads back to it. A client's secret is kept as its hash: see compareClientSecret. */
function withoutId(id: string, { jti, ...payload }: AdapterPayload): Record<string, unknown> {
  const kept: Record<string, unknown> = { ...payload };
  if (typeof kept.returnTo === 'string') kept.returnTo = kept.returnTo.replace(id, '{id}');
  if (typeof kept.client_secret === 'string') kept.client_secret = hashOf(kept.client_secret);
  return kept;
}

function withId(id: string, payload: Record<string, unknown>): AdapterPayload {
  const { returnTo } = payload;
  const restored = typeof returnTo === 'string' ? { returnTo: returnTo.replace('{id}', id) } : {};
  // Registrations have no such id: theirs is the client's.
  return { ...payload, ...restored, ...('client_id' in payload ? {} : { jti: id }) } as AdapterPayload;
}
