// Personal access tokens that people make for themselves. They never allow more than the token they were made with.

import * as contract from '@rapport/contract';
import { invalid } from '../../http/api-error.js';
import { type Call, type Caller, type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import { secretOnce } from '../idempotency/index.js';
import { holdGrantOf } from '../oauth/index.js';
import {
  createToken,
  findAllowedAddresses,
  revokeToken,
  selectAccountNames,
  selectTokens,
  type TokenRow,
} from '../tenants/index.js';
import { actorOf, type WorkspaceNeeds } from './needs.js';

type Needs = Pick<WorkspaceNeeds, 'db' | 'box' | 'clock' | 'forgetTokens'>;
type NewToken = contract.DataValue<typeof contract.createPersonalToken>;

export function tokenEndpoints(needs: Needs): Endpoint[] {
  const { db, forgetTokens } = needs;
  return [
    endpoint(contract.listPersonalTokens, async ({ caller, query }) => {
      const { rows, total } = await selectTokens(db, caller.tenantId, reachOf(caller), pageOf(query));
      return { rows: rows.map((row) => shown(row, row.accountName)), total };
    }),
    endpoint(contract.createPersonalToken, (call) => makeToken(needs, call)),
    endpoint(contract.revokePersonalToken, async (call) => {
      const { caller, params } = call;
      const data = await db.transaction((tx) => revokeToken(tx, actorOf(call), params.tokenId, reachOf(caller)));
      forgetTokens();
      return { data };
    }),
  ];
}

/** Whose tokens they may see and revoke. Null: everyone's. */
function reachOf({ role, accountId }: Caller): number | null {
  return role === 'admin' ? null : accountId;
}

function shown<T extends TokenRow>({ accountId, ...row }: T, name: string) {
  return { ...row, account: { accountId, name } };
}

async function makeToken(
  { db, box, clock }: Needs,
  call: Call<typeof contract.createPersonalToken>,
): Promise<{ data: NewToken; replayed?: boolean }> {
  const { caller, body } = call;
  // Checked for a repeat, too: it must not hand a token to a caller who could not make it.
  checkScopes(caller, body.scopes);
  if (body.expiresAt !== undefined && Date.parse(body.expiresAt) <= clock.now().getTime())
    throw invalid('expiresAt', 'must be in the future');
  const allowed = await allowedFor(db, caller, body.allowedAddresses);
  return secretOnce({ db, box }, call, 'token', async (tx) => {
    const { accountId, tenantId, tokenId: madeWith } = caller;
    const name = (await selectAccountNames(tx, tenantId, [accountId])).get(accountId) ?? '';
    const bounds = {
      ...(allowed ? { allowedAddresses: allowed } : {}),
      ...(caller.tokenKind === 'outside' && caller.expiresAt ? { endsBy: caller.expiresAt } : {}),
    };
    await holdGrantOf(tx, tenantId, madeWith);
    const wanted = { ...body, accountId, madeWith, ...bounds };
    return shown(await createToken(tx, actorOf(call), wanted), name);
  });
}

function checkScopes({ scopes }: Caller, wanted: readonly contract.TokenScope[]): void {
  const beyond = wanted.find((scope) => !scopes.includes(scope === 'INGEST' ? 'WRITE' : scope));
  if (beyond)
    throw invalid(
      'scopes',
      `must not go beyond those of the token that you call with: ${scopes.join(', ')}; not ${beyond}`,
    );
}

/** A token that is limited to some addresses can only make tokens for the same or fewer. */
async function allowedFor(
  db: Needs['db'],
  { tenantId, tokenId, isAllowedFrom }: Caller,
  wanted: string[] | undefined,
): Promise<string[] | undefined> {
  const own = isAllowedFrom ? await findAllowedAddresses(db, tenantId, tokenId) : null;
  const beyond = own && wanted?.find((entry) => !own.includes(entry));
  if (beyond)
    throw invalid(
      'allowedAddresses',
      `must be among those of the token that you call with: ${own.join(', ')}; not ${beyond}`,
    );
  return wanted ?? own ?? undefined;
}
