// Mailgun signs a time and a token, not the content: anyone who saw one request could claim anything for a quarter of an hour.
import { createHmac } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { sql } from '../../../db/sql.js';
import { sweepTokens } from './queries.js';

const t = useApp();
const key = 'key-of-mailgun';
let tenantId: number;
let path: string;
beforeAll(async () => {
  ({ tenantId } = await t.tenant());
  const { body } = await t.admin.post(`/admin/tenants/${tenantId}/mail-hooks`, { provider: 'mailgun', key });
  path = new URL(body.data.url).pathname;
});

function post(token: string, event: string, secondsAgo = 0) {
  const timestamp = String(Math.floor(Date.now() / 1000) - secondsAgo);
  const signature = createHmac('sha256', key)
    .update(timestamp + token)
    .digest('hex');
  const told = { event, recipient: 'ada@x.io', timestamp: 1_795_000_000.5 };
  return { signature: { timestamp, token, signature }, 'event-data': told };
}

it('accepts the same request twice if the response was lost, and nothing else under the same signature', async () => {
  const first = post('a'.repeat(50), 'delivered');
  const forged = { ...first, 'event-data': { ...first['event-data'], event: 'complained' } };
  expect((await t.anonymous.post(path, first)).status).toBe(200);
  expect((await t.anonymous.post(path, forged)).status).toBe(401);
  expect((await t.anonymous.post(path, first)).status).toBe(200);
  expect((await t.anonymous.post(path, post('b'.repeat(50), 'complained'))).status).toBe(200);
});

it('forgets a token once its time would be refused anyway', async () => {
  expect((await t.anonymous.post(path, post('c'.repeat(50), 'delivered', 16 * 60))).status).toBe(401);
  await t.anonymous.post(path, post('d'.repeat(50), 'delivered'));
  const count = async () =>
    (await t.db.row(sql<{ n: number }>`select count(*)::int as n from mail_hook_token where tenant_id = ${tenantId}`))
      ?.n;
  const known = await count();
  expect(known).toBeGreaterThan(0);
  expect(await sweepTokens(t.db, 1000)).toBe(0);
  await t.db.run(sql`update mail_hook_token set expires_at = now() - interval '1 s' where tenant_id = ${tenantId}`);
  expect(await sweepTokens(t.db, 1000)).toBe(known);
  expect(await count()).toBe(0);
});
