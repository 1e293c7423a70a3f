import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { auditOf } from '../../../test/audit.js';
import { makeTopic } from '../../../test/consent.js';
import { engagementOf, html, namesOf, person } from '../../../test/engagement.js';
import { eventually, type Mailer, makeMailer } from '../../../test/messages.js';
import { sql } from '../../db/sql.js';
import { usualSettings } from './index.js';

const t = useApp({
  work: true,
  messages: { health: { ...usualSettings.health, leastMessages: 10 }, attemptSeconds: 2 },
});
let mailer: Mailer;

beforeAll(async () => {
  mailer = await makeMailer(t, { html, subject: 'Hi {{first_name}}' });
});

const { sent, activityOf } = engagementOf(t, () => mailer);

async function hookOf(from: Mailer) {
  const { body } = await t.admin.post(`/admin/tenants/${from.tenantId}/mail-hooks`, { provider: 'generic' });
  const path = new URL(body.data.url).pathname;
  return (events: object[]) => t.anonymous.post(path, { events });
}

describe('reports of providers', () => {
  it('become the fate of the message once, however often they are repeated', async () => {
    const report = await hookOf(mailer);
    const { contactId, messageId } = await sent('fate@x.io');
    const at = new Date().toISOString();
    for (let i = 0; i < 2; i++) expect((await report([{ type: 'delivered', messageId, at }])).status).toBe(200);
    expect(await mailer.until(messageId, 'delivered')).toMatchObject({ deliveredAt: at });
    await report([{ type: 'bounced', messageId, bounce: 'soft', reason: '4.2.2 full' }]);
    await report([{ type: 'complained', email: 'fate@x.io' }]);
    await report([{ type: 'bounced', messageId, bounce: 'hard', reason: '5.1.1 no such user' }]);
    const message = await mailer.until(messageId, 'bounced');
    expect(message.reason).toMatch(/^5\.1\.1/);
    await report([{ type: 'bounced', messageId, bounce: 'hard', reason: '5.1.1 no such user' }]);
    await report([{ type: 'unsubscribed', messageId }]);
    const rows = await eventually(
      () => activityOf(contactId),
      ({ length }) => length >= 6,
    );
    expect(namesOf(rows)).toEqual(['bounced', 'bounced', 'complained', 'delivered', 'sent', 'unsubscribed']);
    const { data } = (await mailer.get('/v2/suppressions?search=fate@')).body;
    expect(data).toMatchObject([{ reason: 'complained' }]);
  });

  it('with a time in the future count as of now', async () => {
    const own = await makeMailer(t);
    const report = await hookOf(own);
    const { messageId } = await sent('future@x.io', { from: own });
    await report([{ type: 'bounced', messageId, bounce: 'hard', reason: '5.1.1 no', at: '2999-01-01T00:00:00Z' }]);
    const { bouncedAt } = await own.until(messageId, 'bounced');
    expect(bouncedAt < '2999').toBe(true);
    const latest = await t.db.row(sql<{ since: string }>`
      select max(since) as since from sending_tally where tenant_id = ${own.tenantId}`);
    expect((latest?.since ?? '9999') < '2999').toBe(true);
  });

  it('pause all but a tenant’s transactional mail if there are too many complaints or bounces, until it is resumed', async () => {
    const own = await makeMailer(t);
    const report = await hookOf(own);
    expect((await own.get('/v2/sending')).body.data).toEqual({
      ...{ state: 'open', reason: null, since: null, delivered: 0, complaintRate: 0, bounceRate: 0 },
    });
    const all = await Promise.all(Array.from({ length: 10 }, (_, i) => sent(`p${i}@x.io`, { from: own })));
    await report([{ type: 'bounced', messageId: all[0]?.messageId, bounce: 'hard', reason: '5.1.1 no' }]);
    const paused = await eventually(
      async () => (await own.get('/v2/sending')).body.data,
      ({ state }) => state === 'paused',
    );
    expect(paused).toMatchObject({
      bounceRate: 0.1,
      complaintRate: 0,
      // Nine are in the outbox.
      delivered: 0,
      reason: expect.stringContaining('1 of 10'),
    });
    const waits = await own.queue({ email: 'p1@x.io' });
    const goes = await own.queue({ email: 'p1@x.io', transactional: true });
    await own.until(goes, 'sent');
    expect((await own.message(waits)).state).toBe('queued');
    expect((await own.post('/v2/sending/resume')).body.data).toMatchObject({
      state: 'open',
      reason: null,
      since: null,
    });
    await own.until(waits, 'sent');
    expect(await auditOf(t, own.tenantId, 'sending.')).toMatchObject([
      { action: 'sending.paused', accountId: null, address: null, detail: expect.stringContaining('1 of 10') },
      { action: 'sending.resumed', accountId: expect.any(Number), address: '127.0.0.1', detail: '{}' },
    ]);
    expect((await t.admin.get('/metrics')).text).toContain('rapport_sending_paused_tenants');
  });
});

describe('sending', () => {
  const stateOf = (from: Mailer, wanted: string) =>
    eventually(
      async () => (await from.get('/v2/sending')).body.data,
      ({ state }) => state === wanted,
    );

  it('pauses when enough messages have left to judge by, though the bounce came before, and again after a resumption', async () => {
    const own = await makeMailer(t);
    const report = await hookOf(own);
    for (const round of ['first', 'second']) {
      const { messageId } = await sent(`${round}@x.io`, { from: own });
      await report([{ type: 'bounced', messageId, bounce: 'hard', reason: '5.1.1 no' }]);
      await own.until(messageId, 'bounced');
      expect((await own.get('/v2/sending')).body.data.state).toBe('open');
      await Promise.all(Array.from({ length: 9 }, (_, i) => sent(`${round}-${i}@x.io`, { from: own })));
      const { reason } = await stateOf(own, 'paused');
      expect(reason).toContain('1 of 10');
      await own.post('/v2/sending/resume');
    }
  });
});

describe('an interrupted sender', () => {
  it('loses its message when its lease expires: it is retried under the same Message-ID, and says so', async () => {
    await mailer.contact('lease@x.io');
    const messageId = await mailer.queue({ email: 'lease@x.io', sendAt: '2099-01-01' });
    await t.db.run(sql`
      update message set state = 'sending', lease = gen_random_uuid(), lease_until = now() - interval '1 s', due_at = now() - interval '1 s'
      where message_id = ${messageId}`);
    const message = await mailer.until(messageId, 'sent');
    expect(message.timeline.map(({ what }: { what: string }) => what)).toEqual(['queued', 'repeated', 'sent']);
  });

  it.each([
    ['left by it', sql`unsubscribed_at`],
    ['opened it', sql`first_opened_at`],
  ])('sends no second mail where the first one had arrived: somebody %s', async (what, column) => {
    const own = await makeMailer(t);
    const topicId = await makeTopic(own, 'News', { byDefault: 'subscribed' });
    await own.patch(`/v2/emails/${own.emailId}`, { topicId });
    const contactId = await own.contact('fast@x.io');
    const messageId = await own.queue({ contactId, sendAt: '2099-01-01' });
    if (what === 'left by it') await own.put(`/v2/contacts/${contactId}/topics/${topicId}`, { state: 'unsubscribed' });
    await t.db.run(sql`
      update message set state = 'sending', lease = gen_random_uuid(), lease_until = now() - interval '1 s', due_at = now() - interval '1 s',
        queued_at = now() - interval '1 h', ${column} = now() - interval '1 min'
      where tenant_id = ${own.tenantId} and message_id = ${messageId}`);
    const message = await own.until(messageId, 'sent', 'skipped');
    expect(message).toMatchObject({
      ...{ state: 'sent', reason: null, subject: expect.any(String) },
      attempts: [{ outcome: 'sent', reply: expect.stringContaining('It had arrived') }],
    });
    expect(Date.parse(message.sentAt)).toBeLessThanOrEqual(Date.now() - 60_000);
    expect((await own.get('/v2/outbox')).body.data).toEqual([]);
  });
});

describe('an erasure', () => {
  it('removes the person from the ledger, and leaves what happened', async () => {
    const own = await makeMailer(t, { html, subject: 'Hi' });
    const { contactId, messageId, links } = await sent('gone@x.io', { from: own });
    await t.anonymous.get(links.clicks[0] as string, person);
    await eventually(
      () => activityOf(contactId, own),
      ({ length }) => length === 2,
    );
    await own.done(await own.delete(`/v2/contacts/${contactId}`));
    const message = await own.message(messageId);
    expect(message).toMatchObject({ contactId: null, email: null, subject: null, state: 'sent' });
    expect(JSON.stringify(message)).not.toContain('gone@x.io');
    expect((await t.anonymous.get(links.unsubscribe)).status).toBe(410);
    expect((await t.anonymous.get(links.view)).status).not.toBe(200);
  });
});
