// A grant that ends takes every token with it: those that exist, and those that are just being made.
import { beforeAll, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { type Member, makeMember } from '../../../test/oauth.js';
import type { Runner } from '../../db/database.js';
import { systemClock } from '../../lib/clock.js';
import { randomToken } from '../../lib/random.js';
import { findLiveToken } from '../tenants/index.js';
import { allow } from './approval/allow.js';
import { hashOf } from './provider/adapter.js';
import { insertAppToken, insertOfGrant, revokeGrantRows } from './queries.js';
import { revokeGrant } from './revoke.js';

const t = useApp();
let member: Member;
beforeAll(async () => {
  member = await makeMember(t, (await t.tenant()).tenantId);
});

async function makeGrant(): Promise<string> {
  const app = { clientId: 'x', name: 'App', backTo: 'app.example', vouchedBy: undefined, stays: true };
  const { tenantId, accountId } = member;
  const workspace = { tenantId, accountId, role: 'member' } as const;
  const asked = { app, scopes: ['READ'], resource: [], formTarget: '' };
  return hashOf(await allow({ db: t.db, clock: systemClock }, asked, workspace, '127.0.0.1'));
}

const expiresAt = '2099-01-01T00:00:00.000Z';
const tokenOf = (grantHash: string) => ({
  ...{ tokenHash: hashOf(randomToken('')), tenantId: member.tenantId, accountId: member.accountId, scopes: ['READ'] },
  ...{ grantHash, clientId: 'x', payload: '{}', expiresAt },
});
const issue = async (db: Runner, grantHash: string) => {
  const token = tokenOf(grantHash);
  return { isStored: await insertAppToken(db, token), token };
};
const isLive = async (tokenHash: string) => (await findLiveToken(t.db, tokenHash)) !== undefined;

/** A promise that can be resolved from outside. */
function signal() {
  let set: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    set = resolve;
  });
  return { promise, set };
}

it('issues nothing after it ended', async () => {
  const grantHash = await makeGrant();
  const { token, isStored } = await issue(t.db, grantHash);
  expect([isStored, await isLive(token.tokenHash)]).toEqual([true, true]);
  const by = { action: 'app.disconnected', accountId: null, address: null } as const;
  expect(await revokeGrant(t.db, grantHash, by)).toMatchObject({ accountId: member.accountId });
  expect(await isLive(token.tokenHash)).toBe(false);
  expect((await issue(t.db, grantHash)).isStored).toBe(false);
  const record = { kind: 'RefreshToken', idHash: hashOf('r'), payload: '{}', grantHash, clientId: 'x', expiresAt };
  expect(await insertOfGrant(t.db, record)).toBe(false);
  expect(await revokeGrant(t.db, grantHash, by)).toBeUndefined();
});

it('issues nothing while it is ending', async () => {
  const grantHash = await makeGrant();
  const [isRevoked, mayCommit] = [signal(), signal()];
  const revoking = t.db.transaction(async (tx) => {
    await revokeGrantRows(tx, grantHash);
    isRevoked.set();
    await mayCommit.promise;
  });
  await isRevoked.promise;
  const issuing = issue(t.db.background, grantHash);
  mayCommit.set();
  await revoking;
  const { isStored, token } = await issuing;
  expect([isStored, await isLive(token.tokenHash)]).toEqual([false, false]);
});

it('ends what was just being issued', async () => {
  const grantHash = await makeGrant();
  const [isIssued, mayCommit] = [signal(), signal()];
  const issuing = t.db.transaction(async (tx) => {
    const issued = await issue(tx, grantHash);
    isIssued.set();
    await mayCommit.promise;
    return issued;
  });
  await isIssued.promise;
  const revoking = t.db.transaction((tx) => revokeGrantRows(tx, grantHash));
  mayCommit.set();
  const { isStored, token } = await issuing;
  await revoking;
  expect([isStored, await isLive(token.tokenHash)]).toEqual([true, false]);
});
