// Queueing a message wakes the sender, unless there is nothing for it to do yet.
import { beforeEach, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { type Mailer, makeMailer } from '../../../../test/messages.js';
import { sql } from '../../../db/sql.js';
import { newUuid } from '../../../lib/ids.js';

const woken: string[] = [];
const t = useApp({ wakeOthers: (queue) => woken.push(queue) });
let own: Mailer;
beforeEach(async () => {
  own = await makeMailer(t);
  await t.db.run(sql`
    insert into contact (tenant_id, contact_id, email, created_at, updated_at, search_text)
    values (${own.tenantId}, ${newUuid()}, 'ada@x.io', now(), now(), '')`);
});

const message = () => ({ emailId: own.emailId, email: 'ada@x.io' });
async function wakesFor(path: string, body: object, headers = {}): Promise<boolean> {
  woken.length = 0;
  expect((await own.post(path, body, headers)).status).toBe(200);
  return woken.includes('messages');
}

it('wakes it for messages due now or soon', async () => {
  const shortly = new Date(Date.now() + 30_000).toISOString();
  for (const sendAt of [undefined, '2020-01-01', shortly])
    expect(await wakesFor('/v2/messages', { ...message(), sendAt }), sendAt).toBe(true);
  expect(await wakesFor('/v2/messages', message(), { 'idempotency-key': 'now' })).toBe(true);
  const later = { ...message(), sendAt: '2099-01-01' };
  expect(await wakesFor('/v2/messages/batch', { messages: [later, message()] })).toBe(true);
});

it('does not wake it for messages due much later', async () => {
  const later = { ...message(), sendAt: '2099-01-01T00:00:00+02:00' };
  expect(await wakesFor('/v2/messages', later)).toBe(false);
  expect(await wakesFor('/v2/messages', later, { 'idempotency-key': 'later' })).toBe(false);
  expect(await wakesFor('/v2/messages/batch', { messages: [later, later] })).toBe(false);
});
