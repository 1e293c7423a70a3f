// What makes webhooks and secrets takes effect once for each Idempotency-Key: clients repeat such requests when an answer is lost.
import { beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { sql } from '../../db/sql.js';

const t = useApp();
const key = (value: string) => ({ 'idempotency-key': value });
const wanted = { url: 'https://example.com/hook', events: ['message.sent'] };
let tenant: TenantClient;
beforeEach(async () => {
  tenant = await t.tenant();
});

const renewals = async () => {
  const rows = await t.db.rows(sql<{ action: string }>`
    select action from audit_entry where tenant_id = ${tenant.tenantId} and action = 'webhook.secret-renewed'`);
  return rows.length;
};

describe('a repeat with the same key', () => {
  it('makes no second webhook, and shows the same secret', async () => {
    const first = await tenant.post('/v2/webhooks', wanted, key('a'));
    const again = await tenant.post('/v2/webhooks', wanted, key('a'));
    expect([again.status, again.body.data]).toEqual([200, first.body.data]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect((await tenant.get('/v2/webhooks')).body.pagination.totalElements).toBe(1);
    const kept = await t.db.rows(sql`select response from idempotency_key where tenant_id = ${tenant.tenantId}`);
    expect(JSON.stringify(kept)).not.toContain('whsec_');
  });

  it.each(['of a webhook', 'of all journeys'])('makes no second secret %s', async (whose) => {
    const { webhookId } = (await tenant.post('/v2/webhooks', wanted)).body.data;
    const path = whose === 'of a webhook' ? `/v2/webhooks/${webhookId}/secret` : '/v2/webhooks/secret';
    const first = await tenant.post(path, undefined, key('b'));
    const again = await tenant.post(path, undefined, key('b'));
    expect([again.status, again.body.data]).toEqual([200, first.body.data]);
    expect(await renewals()).toBe(1);
    const another = await tenant.post(path, undefined, key('c'));
    expect(another.body.data.secret).not.toBe(first.body.data.secret);
    expect(await renewals()).toBe(2);
  });

  it('resumes no webhook that has failed again since', async () => {
    const { webhookId } = (await tenant.post('/v2/webhooks', wanted)).body.data;
    const fail = () =>
      t.db.run(sql`
        update webhook set state = 'failing', failing_since = now() where tenant_id = ${tenant.tenantId}`);
    const resume = () => tenant.post(`/v2/webhooks/${webhookId}/resume`, undefined, key('d'));
    await fail();
    expect((await resume()).body.data.state).toBe('active');
    await fail();
    expect((await resume()).headers['idempotency-replayed']).toBe('true');
    expect((await tenant.get(`/v2/webhooks/${webhookId}`)).body.data.state).toBe('failing');
  });
});
