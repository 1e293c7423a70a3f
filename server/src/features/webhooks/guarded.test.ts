// Without WEBHOOK_ALLOW_PRIVATE: nothing reaches the internal network, whatever a tenant writes or DNS says.
import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { useDns } from '../../../test/dns.js';
import { eventually } from '../../../test/messages.js';
import { useReceiver } from '../../../test/receiver.js';
import { newContactId, newMessageUuid } from '../../lib/ids.js';
import { announce, type CallAnswered, callsAnswered, enqueueCalls } from './index.js';

const dns = useDns();
const inside = useReceiver();
const t = useApp(() => ({ work: true, dnsServers: [dns.address] }));

let tenant: TenantClient;
beforeAll(async () => {
  tenant = await t.tenant();
});

describe('the internal network', () => {
  it.each(['http://127.0.0.1/', 'http://localhost:8080/', 'http://[::1]/', 'http://10.0.0.1/', 'http://2130706433/'])(
    'is no address for a webhook: %s',
    async (url) => {
      const { status, body } = await tenant.post('/v2/webhooks', { url, events: ['message.sent'] });
      expect(status).toBe(400);
      expect(body.errors[0].message).toMatch(/^url must not lead to .* WEBHOOK_ALLOW_PRIVATE=on\.$/);
    },
  );

  it('is not called by a name that leads there, and the subscription is paused at once with the reason', async () => {
    dns.set('A', 'sneaky.example', '127.0.0.1');
    const url = `http://sneaky.example:${inside.port}/`;
    const { webhookId } = (await tenant.post('/v2/webhooks', { url, events: ['message.sent'] })).body.data;
    const at = '2026-11-15T09:30:00.000Z';
    await t.db.transaction((tx) =>
      announce(tx, tenant.tenantId, [{ type: 'message.sent', contactId: newContactId(), at, data: {} }]),
    );
    const failing = await eventually(
      async () => (await tenant.get(`/v2/webhooks/${webhookId}`)).body.data,
      ({ state }) => state === 'failing',
    );
    expect(failing.reason).toMatch(/^The address must not lead to sneaky\.example: its address is not on the public/);
    const { body } = await tenant.get(`/v2/webhooks/${webhookId}/deliveries`);
    expect(body.data).toMatchObject([{ state: 'failed', attempts: 1, status: null, error: failing.reason }]);
    expect(inside.received).toEqual([]);
  });

  it('is not called by a journey, which learns of it at once', async () => {
    const heard: CallAnswered[] = [];
    callsAnswered.hear(t.db.identity, async (_tx, _tenant, items) => void heard.push(...items));
    await t.db.transaction((tx) =>
      enqueueCalls(tx, tenant.tenantId, [
        {
          ...{ deliveryId: newMessageUuid(), enrolmentId: newMessageUuid(), journeyNo: 1, stepId: 'a', visit: 1 },
          ...{ contactId: newContactId(), method: 'GET', url: inside.url, headers: {}, body: '', timeoutMs: 5000 },
        },
      ]),
    );
    await eventually(
      async () => heard.length,
      (count) => count === 1,
    );
    expect(heard[0]?.answer).toMatchObject({ ok: false, why: expect.stringContaining('WEBHOOK_ALLOW_PRIVATE') });
    expect(inside.received).toEqual([]);
  });
});
