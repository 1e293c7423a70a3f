import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { type MailServer, makeMailer, startMailServer } from '../../../../test/messages.js';
import { sql } from '../../../db/sql.js';
import { smtpTransport } from '../../../mail/smtp.js';

let mails: MailServer;
beforeAll(async () => {
  mails = await startMailServer();
});
const t = useApp(() => ({
  work: true,
  transport: {
    name: 'smtp',
    send: (message) => {
      const transport = smtpTransport(mails.url);
      return transport.send(message).finally(() => transport.close());
    },
    close: () => undefined,
  },
}));
afterAll(() => mails.close());

async function tester() {
  const tenant = await makeMailer(t, { subject: 'Hello {{first_name | default: "you"}}' });
  const path = `/v2/emails/${tenant.emailId}/test-send`;
  return { tenant, send: (body: object, headers = {}) => tenant.post(path, body, headers) };
}

const idOf = (headerId: string) => headerId.slice(1, 33);

describe('a test send', () => {
  it('is in the ledger under its Message-ID, with the mail server’s reply', async () => {
    const { tenant, send } = await tester();
    const { body } = await send({ to: 'QA@Example.org' });
    const messageId = idOf(body.data.messageId);
    const row = await tenant.message(messageId);
    expect(row).toMatchObject({
      ...{ messageId, kind: 'test', state: 'sent', reason: null, contactId: null, email: 'qa@example.org' },
      ...{ emailId: tenant.emailId, subject: 'Hello you', version: 'default', sentAt: expect.any(String) },
      ...{ deliveredAt: null, firstOpenedAt: null, firstClickedAt: null, bouncedAt: null, journeyId: null },
    });
    expect(row.timeline.map(({ what }: { what: string }) => what)).toEqual(['queued', 'sent']);
    expect(row.attempts).toMatchObject([{ outcome: 'sent', reply: expect.stringMatching(/^250 /) }]);
    const listed = await tenant.get('/v2/messages?email=qa@example.org');
    expect(listed.body.data.map((one: { messageId: string }) => one.messageId)).toEqual([messageId]);
    expect((await tenant.get('/v2/messages')).body.pagination.totalElements).toBe(1);
  });

  it('names the contact when it goes to that address, and only then', async () => {
    const { tenant, send } = await tester();
    const contactId = await tenant.contact('ada@example.org', { first_name: 'Ada' });
    const own = await send({ to: 'ada@example.org', contactId });
    const others = await send({ to: 'qa@example.org', contactId });
    expect(await tenant.message(idOf(own.body.data.messageId))).toMatchObject({ contactId, subject: 'Hello Ada' });
    expect(await tenant.message(idOf(others.body.data.messageId))).toMatchObject({
      contactId: null,
      subject: 'Hello Ada',
    });
  });

  it('says personalized if a version was sent', async () => {
    const { tenant, send } = await tester();
    const contactId = await tenant.contact('vera@example.org');
    const html = '<p>For Vera</p><a href="{{unsubscribe_url}}">Unsubscribe</a>';
    await tenant.post('/v2/email-versions', {
      assetId: tenant.emailId,
      email: 'vera@example.org',
      subject: 'Vera',
      html,
    });
    const { body } = await send({ to: 'vera@example.org', contactId });
    expect(await tenant.message(idOf(body.data.messageId))).toMatchObject({ version: 'personalized', subject: 'Vera' });
  });

  it('is failed, with the reason, when the mail server refuses it; a repeat with the same key is another', async () => {
    const { tenant, send } = await tester();
    mails.refuse = () => ({ code: 550, text: '5.1.1 No such user' });
    const refused = await send({ to: 'no@example.org' }, { 'idempotency-key': 'k' });
    mails.refuse = () => undefined;
    expect(refused.status).toBe(502);
    const { data } = (await tenant.get('/v2/messages?email=no@example.org')).body;
    expect(data).toMatchObject([
      { kind: 'test', state: 'failed', sentAt: null, reason: refused.body.errors[0].detail ?? data[0].reason },
    ]);
    expect(data[0].reason).toContain('550');
    const whole = await tenant.message(data[0].messageId);
    expect(whole.attempts).toMatchObject([{ outcome: 'failed', reply: expect.stringMatching(/^550 5\.1\.1/) }]);
    expect((await tenant.get('/v2/suppressions')).body.data).toEqual([]);
    await send({ to: 'no@example.org' }, { 'idempotency-key': 'k' });
    await send({ to: 'no@example.org' }, { 'idempotency-key': 'k' });
    const after = (await tenant.get('/v2/messages?email=no@example.org')).body.data;
    expect(after.map(({ state }: { state: string }) => state)).toEqual(['sent', 'failed']);
  });

  it('is on no timeline and in no figures, even if a provider reports on it', async () => {
    const { tenant, send } = await tester();
    const contactId = await tenant.contact('eve@example.org');
    const { body } = await send({ to: 'eve@example.org', contactId });
    const messageId = idOf(body.data.messageId);
    const base = { email: null, at: null, isHard: false, suppresses: false, reason: null };
    await t.app.mail.takeNotices(tenant.tenantId, [{ ...base, what: 'delivered', messageId }]);
    await tenant.until(messageId, 'delivered');
    expect((await tenant.get(`/v2/contacts/${contactId}/marketing-activity`)).body.data).toEqual([]);
    expect((await tenant.get('/v2/sending')).body.data).toMatchObject({ delivered: 0 });
  });

  it('keeps nothing about an erased person, whether they got it or it was rendered for them', async () => {
    const { tenant, send } = await tester();
    const contactId = await tenant.contact('zoe@example.org', { first_name: 'Zoe' });
    const ids: string[] = [];
    for (const body of [
      { to: 'zoe@example.org' },
      { to: 'zoe@example.org', contactId },
      { to: 'qa@example.org', contactId },
    ])
      ids.push(idOf((await send(body)).body.data.messageId));
    await tenant.done(await tenant.delete(`/v2/contacts/${contactId}`));
    for (const id of ids)
      expect(await tenant.message(id)).toMatchObject({ state: 'sent', contactId: null, email: null, subject: null });
    const left = await t.db.row(sql<{ n: number }>`
      select count(*) as n from message m where tenant_id = ${tenant.tenantId} and to_jsonb(m)::text ~* 'zoe'`);
    expect(left?.n).toBe(0);
  });
});

it('replayable responses of sending and cancelling contain nothing about an erased person', async () => {
  const { tenant } = await tester();
  const email = 'ida@example.org';
  const contactId = await tenant.contact(email, { first_name: 'Ida' });
  const kept = () =>
    t.db.rows(sql<{ route: string; response: string }>`
      select route, response from idempotency_key where tenant_id = ${tenant.tenantId} order by route`);
  const body = { emailId: tenant.emailId, email, sendAt: '2099-01-01T00:00:00Z', data: { name: 'Ida' } };
  const { messageId } = (await tenant.post('/v2/messages', body, { 'idempotency-key': 'k' })).body.data;
  await tenant.post('/v2/messages/batch', { messages: [body, { ...body, email: 'Ida' }] }, { 'idempotency-key': 'k' });
  const ids = await kept();
  expect(ids.map(({ route }) => route)).toEqual(['sendMessage', 'sendMessages']);
  for (const { response } of ids) expect(response).not.toMatch(/ida/i);
  await tenant.post(`/v2/messages/${messageId}/cancel`, undefined, { 'idempotency-key': 'k' });
  await tenant.put(`/v2/suppressions/${email}`, {}, { 'idempotency-key': 'k' });
  expect((await kept()).map(({ route }) => route)).toEqual(['cancelMessage', 'sendMessage', 'sendMessages']);
  await tenant.done(await tenant.delete(`/v2/contacts/${contactId}`));
  for (const { response } of await kept()) expect(response).not.toMatch(/ida/i);
  expect(await kept()).toHaveLength(2);
});
