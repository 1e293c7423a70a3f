import * as contract from '@rapport/contract';
import { type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import { actorOf } from '../audit/index.js';
import { selectDeliveries } from './kept/queries.js';
import { renewKey } from './keys.js';
import { selectWebhooks } from './queries.js';
import { getWebhook, resume, type SubscriptionNeeds, subscribe, unsubscribe } from './subscriptions.js';

interface RouteNeeds extends SubscriptionNeeds {
  wake(): void;
}

export function webhookEndpoints(needs: RouteNeeds): Endpoint[] {
  const { db, box, wake } = needs;
  return [
    endpoint(contract.createWebhook, async (call) => ({ data: await subscribe(needs, actorOf(call), call.body) })),
    endpoint(contract.listWebhooks, ({ caller, query }) => selectWebhooks(db, caller.tenantId, pageOf(query))),
    endpoint(contract.getWebhook, async ({ caller, params }) => ({
      data: await getWebhook(db, caller.tenantId, params.id),
    })),
    endpoint(contract.deleteWebhook, async (call) => {
      await unsubscribe(db, actorOf(call), call.params.id);
      return { data: { webhookId: call.params.id, success: true } };
    }),
    endpoint(contract.listWebhookDeliveries, async ({ caller, params, query }) => {
      await getWebhook(db, caller.tenantId, params.id);
      return selectDeliveries(db, caller.tenantId, params.id, pageOf(query));
    }),
    endpoint(contract.resumeWebhook, async ({ caller, params }) => {
      if (await resume(db, caller.tenantId, params.id)) wake();
      return { data: await getWebhook(db, caller.tenantId, params.id) };
    }),
    endpoint(contract.renewWebhookSecret, async (call) => ({ data: await renewKey(db, box, actorOf(call)) })),
  ];
}
