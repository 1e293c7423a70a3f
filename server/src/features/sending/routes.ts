import * as contract from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import type { Actor } from '../audit/index.js';
import { getTenant } from '../tenants/index.js';
import type { SendingDesk } from './desk.js';

/** For operators, who name the tenant. */
export function sendingEndpoints(db: Database, desk: SendingDesk): Endpoint[] {
  const tenantOf = async ({ params }: { params: { tenantId: string } }) =>
    (await getTenant(db, params.tenantId)).tenantId;
  const operatorOf = async (call: { params: { tenantId: string }; address: string }): Promise<Actor> => ({
    ...{ tenantId: await tenantOf(call), accountId: null, address: call.address },
  });
  return [
    endpoint(contract.getSendingSetup, async ({ caller }) => ({ data: await desk.readSetup(caller.tenantId) })),
    endpoint(contract.addSendingDomain, async (call) => {
      const actor = await operatorOf(call);
      const key = await desk.keyFor(actor.tenantId, call.body.domain);
      return { data: await db.transaction((tx) => desk.addDomain(tx, actor, call.body.domain, key)) };
    }),
    endpoint(contract.listSendingDomains, async (call) => desk.listDomains(await tenantOf(call), pageOf(call.query))),
    endpoint(contract.checkSendingDomain, async (call) => ({
      data: await desk.checkDomain(await tenantOf(call), call.params.domain),
    })),
    endpoint(contract.removeSendingDomain, async (call) => ({
      data: await desk.removeDomain(await operatorOf(call), call.params.domain),
    })),
    endpoint(contract.setTransport, async (call) => ({
      data: await desk.setTransport(await operatorOf(call), call.body),
    })),
    endpoint(contract.getTransport, async (call) => ({ data: await desk.getTransport(await tenantOf(call)) })),
    endpoint(contract.removeTransport, async (call) => ({ data: await desk.removeTransport(await operatorOf(call)) })),
    endpoint(contract.createMailHook, async (call) => {
      const actor = await operatorOf(call);
      return { data: await db.transaction((tx) => desk.createHook(tx, actor, call.body)) };
    }),
    endpoint(contract.listMailHooks, async (call) => desk.listHooks(await tenantOf(call), pageOf(call.query))),
    endpoint(contract.removeMailHook, async (call) => ({
      data: await desk.removeHook(await operatorOf(call), call.params.hookId),
    })),
  ];
}
