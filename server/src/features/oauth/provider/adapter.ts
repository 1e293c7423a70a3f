// Where the authorization server keeps things: access tokens among all other bearer tokens, everything else in oauth_record. Both are
// found by the SHA-256 of the id, because the id of a code or a token is the secret itself, and it is not in what is kept either.
import { hash } from 'node:crypto';
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
  /** After tokens ended: felt on this node at once. */
  forgetTokens(): void;
  /** Which endpoint is being asked, as the library names it. */
  route(): string | undefined;
  /** Where that request comes from. */
  address(): string | null;
  /** What is thrown where a code or a token cannot be used any more. */
  invalidGrant(why: string): Error;
  /** What is thrown where something cannot be kept as it is. */
  invalidRequest(why: string): Error;
}

const apiScopes = ['READ', 'WRITE'];
// Anyone begins one without showing who they are, and each takes a few kilobytes for an hour: 40 MB together.
const mostInteractions = 10_000;

export const hashOf = (id: string) => hash('sha256', id);

export function adapterFor(kind: string, needs: AdapterNeeds): Adapter {
  if (kind === 'Session') return forgetful;
  return kind === 'AccessToken' ? new TokenAdapter(kind, needs) : new RecordAdapter(kind, needs);
}

/** The library's own sessions are not used: who is signed in is ours to know, and people are asked each time. */
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

  /** Of two at the very same time one has it. The other is a thief, or the one was: neither keeps anything. */
  async consume(id: string): Promise<void> {
    const { db, invalidGrant } = this.needs;
    if (await consumeRecord(db, this.kind, hashOf(id))) return;
    const grantHash = await grantOfRecord(db, this.kind, hashOf(id));
    if (grantHash !== undefined) await this.revoke(grantHash);
    throw invalidGrant('already used');
  }

  /** A grant never goes alone: every code and token of it ends. */
  destroy(id: string): Promise<void> {
    return this.kind === 'Grant' ? this.revoke(hashOf(id)) : deleteRecord(this.needs.db, this.kind, hashOf(id));
  }

  /** The library always destroys the grant too: see revokeGrantPolicy. */
  async revokeByGrantId(): Promise<void> {}

  /** Anyone's words are in it: those of an app that registers, or what stands in an address. */
  private write(payload: object): string {
    return JSON.stringify(payload, (key, value: unknown) => {
      if (!isSoundText(key) || (typeof value === 'string' && !isSoundText(value)))
        throw this.needs.invalidRequest('a parameter has characters that are no text');
      return value;
    });
  }

  private async revoke(grantHash: string): Promise<void> {
    const { db, forgetTokens, route, address } = this.needs;
    // Given back by the app itself. Everything else that ends a grant is a code or a token that comes for the second time.
    const action: Revocation['action'] = route() === 'revocation' ? 'app.disconnected' : 'app.token-reused';
    await revokeGrant(db, grantHash, { action, accountId: null, address: address() });
    forgetTokens();
  }
}

class TokenAdapter extends RecordAdapter {
  override async upsert(id: string, payload: AdapterPayload): Promise<void> {
    const { db, invalidGrant } = this.needs;
    const { accountId = '', grantId = '', clientId = '', scope = '', exp = 0 } = payload;
    const subject = readSubject(accountId);
    if (!subject) throw invalidGrant('account not found');
    const stored = await insertAppToken(db, {
      ...{ tokenHash: hashOf(id), ...subject, grantHash: hashOf(grantId), clientId },
      scopes: apiScopes.filter((each) => scope.split(' ').includes(each)),
      ...{ payload: JSON.stringify(withoutId(id, payload)), expiresAt: instantOf(exp * 1000) },
    });
    if (!stored) throw invalidGrant('grant was revoked');
  }

  override async find(id: string): Promise<AdapterPayload | undefined> {
    const payload = await findAppToken(this.needs.db, hashOf(id));
    if (!payload) return undefined;
    const { aud, ...others } = payload;
    // Userinfo refuses tokens for any resource; ours is the one that it belongs to.
    return withId(id, this.needs.route() === 'userinfo' ? others : { ...others, aud });
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
