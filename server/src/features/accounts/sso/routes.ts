import * as contract from '@rapport/contract';
import { type Call, type Endpoint, endpoint, pageOf } from '../../../http/endpoint.js';
import { effectOnce } from '../../idempotency/index.js';
import {
  addProvider,
  type By,
  changeProvider,
  checkDomainsOf,
  type ProviderNeeds,
  removeProvider,
  shown,
} from './providers.js';
import { selectProviders } from './queries.js';

const byOf = ({ caller, address }: Pick<Call, 'caller' | 'address'>): By => ({
  ...{ tenantId: caller.tenantId, accountId: caller.accountId, address },
});

export function providerEndpoints(needs: ProviderNeeds): Endpoint[] {
  return [
    // Not in one transaction: the issuer is asked first.
    endpoint(contract.createIdentityProvider, (call) =>
      effectOnce(needs.db, call, () => addProvider(needs, byOf(call), call.body)),
    ),
    endpoint(contract.listIdentityProviders, async ({ caller, query }) => {
      const { rows, total } = await selectProviders(needs.db, caller.tenantId, pageOf(query));
      return { rows: await Promise.all(rows.map((row) => shown(needs, caller.tenantId, row))), total };
    }),
    endpoint(contract.updateIdentityProvider, async (call) => ({
      data: await changeProvider(needs, byOf(call), call.params.providerId, call.body),
    })),
    endpoint(contract.checkIdentityProviderDomains, (call) =>
      effectOnce(needs.db, call, () => checkDomainsOf(needs, byOf(call), call.params.providerId)),
    ),
    endpoint(contract.deleteIdentityProvider, async (call) => {
      await removeProvider(needs, byOf(call), call.params.providerId);
      return { data: { success: true } };
    }),
  ];
}
