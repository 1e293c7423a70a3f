import * as contract from '@rapport/contract';
import { type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import { actorOf } from '../audit/index.js';
import { answerOnce, effectOnce, secretOnce } from '../idempotency/index.js';
import { selectDeliveries } from './kept/queries.js';
import { renewKey, rotateSecret } from './keys.js';
import { selectWebhooks } from './queries.js';
import { changeWebhook, getWebhook, resume, type SubscriptionNeeds, subscribe, unsubscribe } from './subscriptions.js';
import { type TestNeeds, tryWebhook } from './try-webhook.js';

interface RouteNeeds extends SubscriptionNeeds, TestNeeds {
  wake(): void;
}

export function webhookEndpoints(needs: RouteNeeds): Endpoint[] {
  const { db, box, wake } = needs;
  return [
    endpoint(contract.createWebhook, (call) =>
      secretOnce(needs, call, 'secret', (tx) => subscribe(tx, needs, actorOf(call), call.body)),
    ),
    endpoint(contract.listWebhooks, ({ caller, query }) => selectWebhooks(db, caller.tenantId, pageOf(query))),
    endpoint(contract.getWebhook, async ({ caller, params }) => ({
      data: await getWebhook(db, caller.tenantId, params.id),
    })),
    endpoint(contract.updateWebhook, async (call) => {
      const { webhook, isDue } = await changeWebhook(needs, actorOf(call), call.params.id, call.body);
      if (isDue) wake();
      return { data: webhook };
    }),
    endpoint(contract.testWebhook, (call) =>
      effectOnce(db, call, () => tryWebhook(needs, call.caller.tenantId, call.params.id)),
    ),
    endpoint(contract.rotateWebhookSecret, (call) =>
      secretOnce(needs, call, 'secret', (tx) => rotateSecret(tx, box, actorOf(call), call.params.id)),
    ),
    endpoint(contract.deleteWebhook, async (call) => {
      await unsubscribe(db, actorOf(call), call.params.id);
      return { data: { webhookId: call.params.id, success: true } };
    }),
    endpoint(contract.listWebhookDeliveries, async ({ caller, params, query }) => {
      await getWebhook(db, caller.tenantId, params.id);
      return selectDeliveries(db, caller.tenantId, params.id, pageOf(query));
    }),
    endpoint(contract.resumeWebhook, (call) =>
      answerOnce(db, call, (tx) => resume(tx, call.caller.tenantId, call.params.id, wake)),
    ),
    endpoint(contract.renewWebhookSecret, (call) =>
      secretOnce(needs, call, 'secret', (tx) => renewKey(tx, box, actorOf(call))),
    ),
  ];
}
