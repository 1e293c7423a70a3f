import * as contract from '@rapport/contract';
import { ApiError } from '../../http/api-error.js';
import { type Caller, type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import { type AccountMail, findReader } from '../accounts/index.js';
import { actorOf } from '../audit/index.js';
import { effectOnce } from '../idempotency/index.js';
import type { HealthLimits } from '../messages/index.js';
import { namesOf } from './names.js';
import { deleteMail, hasMail, insertMail, selectAlerts } from './queries.js';
import { getWebhook, removeWebhook, setWebhook, tryWebhook, type WebhookNeeds } from './webhook/change-webhook.js';
import { showAlert } from './words.js';

export interface RouteNeeds extends WebhookNeeds {
  mail: AccountMail;
  limits: HealthLimits;
}

export function alertEndpoints(needs: RouteNeeds): Endpoint[] {
  const { db, limits } = needs;
  return [
    endpoint(contract.listAlerts, async ({ caller: { tenantId }, query }) => {
      const { rows, total } = await selectAlerts(db, tenantId, query.state, pageOf(query));
      const names = await namesOf(db, tenantId, rows);
      return { rows: rows.map((row) => showAlert(row, names, limits)), total };
    }),
    endpoint(contract.getAlertMail, async ({ caller }) => ({ data: await describe(needs, caller) })),
    endpoint(contract.setAlertMail, async ({ caller, body }) => {
      await choose(needs, caller, body.isOn);
      return { data: await describe(needs, caller) };
    }),
    endpoint(contract.getAlertWebhook, async ({ caller }) => ({ data: await getWebhook(db, caller.tenantId) })),
    endpoint(contract.setAlertWebhook, async (call) => ({
      data: await setWebhook(needs, actorOf(call), call.body.url),
    })),
    endpoint(contract.removeAlertWebhook, async (call) => {
      await removeWebhook(db, actorOf(call));
      return { data: { success: true } };
    }),
    endpoint(contract.testAlertWebhook, (call) => effectOnce(db, call, () => tryWebhook(needs, call.caller.tenantId))),
  ];
}

type Mail = contract.DataValue<typeof contract.getAlertMail>;

async function describe({ db, mail }: RouteNeeds, { tenantId, accountId }: Caller): Promise<Mail> {
  const [reader, isOn] = await Promise.all([findReader(db, tenantId, accountId), hasMail(db, tenantId, accountId)]);
  const address = reader?.address ?? null;
  return { isOn, address, obstacle: mail.obstacleTo(address) };
}

const obstacles = {
  noAddress: 'This account belongs to a program: only people who sign in get alerts by mail.',
  noMailServer: 'The service has no mail server of its own, so it cannot send alerts. An operator sets SMTP_URL.',
};

async function choose(needs: RouteNeeds, caller: Caller, isOn: boolean): Promise<void> {
  const { tenantId, accountId } = caller;
  if (!isOn) return deleteMail(needs.db, tenantId, accountId);
  const { obstacle } = await describe(needs, caller);
  if (obstacle) throw new ApiError('INVALID_STATE', { reason: obstacles[obstacle] });
  await insertMail(needs.db, tenantId, accountId);
}
