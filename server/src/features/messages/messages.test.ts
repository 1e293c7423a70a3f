// From POST /v2/messages to the inbox of a real mail server and back: the ledger, its reads, and what prevents a message from being sent.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { emailBody, makeEmail } from '../../../test/emails.js';
import { eventually, type Mailer, type MailServer, makeMailer, startMailServer } from '../../../test/messages.js';
import { sql } from '../../db/sql.js';
import { smtpTransport } from '../../mail/smtp.js';
import type { Message, Transport } from '../../mail/transport.js';

let server: MailServer;
let smtp: Transport;
const t = useApp({
  work: true,
  transport: { name: 'smtp', send: (message: Message) => smtp.send(message), close: () => undefined },
});
let mailer: Mailer;
const html =
  '<p>Hi {{first_name | default: "you"}}, order {{data.order}}</p><a href="https://shop.test/a">A</a> <a href="https://shop.test/b?x=1&amp;y=2">B</a><a href="{{unsubscribe_url}}">Unsubscribe</a> <a href="{{view_url}}">View</a>';

beforeAll(async () => {
  server = await startMailServer();
  smtp = smtpTransport(server.url);
  mailer = await makeMailer(t, { html, subject: 'For {{first_name}} {{data.order}}' });
});
afterAll(async () => {
  smtp.close();
  await server.close();
});

const keys = [
  ...['messageId', 'kind', 'state', 'reason', 'contactId', 'email', 'emailId', 'subject', 'version', 'journeyId'],
  ...[
    'enrolmentId',
    'stepId',
    'queuedAt',
    'dueAt',
    'sentAt',
    'deliveredAt',
    'firstOpenedAt',
    'firstClickedAt',
    'bouncedAt',
  ],
];

describe('POST /v2/messages', () => {
  it('sends an email to a contact, with its properties and data, once', async () => {
    const contactId = await mailer.contact('ada@x.io', { first_name: 'Ada' });
    const reply = await mailer.post('/v2/messages', { emailId: mailer.emailId, contactId, data: { order: 'A-17' } });
    expect([reply.status, reply.body.data.state]).toEqual([200, 'queued']);
    const { messageId } = reply.body.data;
    expect(messageId).toMatch(/^[0-9a-f]{32}$/);
    const message = await mailer.until(messageId, 'sent');
    expect(message).toMatchObject({
      ...{ kind: 'direct', contactId, email: 'ada@x.io', subject: 'For Ada A-17', version: 'default', reason: null },
      attempts: [{ outcome: 'sent', reply: expect.stringMatching(/^250 /) }],
    });
    expect(message.timeline.map(({ what }: { what: string }) => what)).toEqual(['queued', 'sent']);
    const [caught, ...more] = server.to('ada@x.io');
    expect(more).toEqual([]);
    expect(caught?.mail.messageId).toBe(`<${messageId}@example.com>`);
    expect(caught?.mail.subject).toBe('For Ada A-17');
    expect(caught?.mail.html).toContain('Hi Ada, order A-17');
    expect(caught?.mail.text).toContain('Hi Ada, order A-17');
    expect(caught?.from).toMatch(/^b-.*@/);
  });

  it('shows every key of a row, and null if it is unset', async () => {
    await mailer.contact('row@x.io');
    const { data } = (await mailer.get(`/v2/messages?email=row@x.io`)).body;
    expect(data).toEqual([]);
    await mailer.queue({ email: 'ROW@x.io ', sendAt: '2099-01-01' });
    const [row] = (await mailer.get(`/v2/messages?email=row@x.io`)).body.data;
    expect(Object.keys(row).sort()).toEqual([...keys].sort());
    expect(row).toMatchObject({ state: 'queued', dueAt: '2099-01-01T00:00:00.000Z', sentAt: null, subject: null });
  });

  it('says what is wrong: the email first, then the contact', async () => {
    const wrong = async (body: unknown) => {
      const { status, body: answer } = await mailer.post('/v2/messages', body);
      return [status, answer.errors[0].errorCode, answer.errors[0].detail];
    };
    const { emailId } = mailer;
    expect(await wrong({ emailId: '0'.repeat(24), email: 'ada@x.io' })).toEqual([404, 'NOT_FOUND', undefined]);
    expect(await wrong({ emailId: 'x', contactId: 'y' })).toEqual([404, 'NOT_FOUND', undefined]);
    expect(await wrong({ emailId: '0'.repeat(24), contactId: 'y' })).toEqual([404, 'NOT_FOUND', undefined]);
    expect(await wrong({ emailId, email: 'nobody@x.io' })).toEqual([400, 'BAS-E-002', undefined]);
    expect(await wrong({ emailId, contactId: 'y' })).toEqual([400, 'BAS-E-002', undefined]);
    expect(await wrong({ emailId })).toEqual([400, 'VALIDATION_ERROR', 'contactId']);
    expect(await wrong({ email: 'ada@x.io' })).toEqual([400, 'VALIDATION_ERROR', 'emailId']);
    expect(await wrong({ emailId, email: 'no' })).toEqual([400, 'VALIDATION_ERROR', 'email']);
    expect(await wrong({ emailId, email: 'ada@x.io', data: [] })).toEqual([400, 'VALIDATION_ERROR', 'data']);
    expect(await wrong({ emailId, email: 'ada@x.io', sendAt: 'soon' })).toEqual([400, 'VALIDATION_ERROR', 'sendAt']);
    expect(await wrong({ emailId, email: 'ada@x.io', data: { a: '\0' } })).toEqual([400, 'VALIDATION_ERROR', 'data']);
    const edge = { a: 'x'.repeat(32 * 1024 - 8) };
    expect(await wrong({ emailId, email: 'nobody@x.io', data: edge })).toEqual([400, 'BAS-E-002', undefined]);
    expect(await wrong({ emailId, email: 'nobody@x.io', data: { a: `${edge.a}x` } })).toEqual([
      400,
      'VALIDATION_ERROR',
      'data',
    ]);
    const theirs = await makeMailer(t);
    expect(await wrong({ emailId: theirs.emailId, email: 'ada@x.io' })).toEqual([404, 'NOT_FOUND', undefined]);
  });

  it('accepts an Idempotency-Key: the same body is sent once', async () => {
    await mailer.contact('once@x.io');
    const body = { emailId: mailer.emailId, email: 'once@x.io' };
    const send = (given: object) => mailer.post('/v2/messages', given, { 'idempotency-key': 'order-17' });
    const [first, second] = [await send(body), await send(body)];
    expect(second.body.data).toEqual(first.body.data);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect((await send({ ...body, transactional: true })).status).toBe(409);
    await mailer.until(first.body.data.messageId, 'sent');
    expect(server.to('once@x.io')).toHaveLength(1);
  });

  it('waits for its time', async () => {
    await mailer.contact('later@x.io');
    const messageId = await mailer.queue({ email: 'later@x.io', sendAt: '2099-01-01T00:00:00Z' });
    const soon = await mailer.queue({ email: 'later@x.io', sendAt: new Date(Date.now() + 300).toISOString() });
    const { sentAt, dueAt } = await mailer.until(soon, 'sent');
    expect(sentAt >= dueAt).toBe(true);
    expect((await mailer.message(messageId)).state).toBe('queued');
  });
});

describe('POST /v2/messages/batch', () => {
  it('queues the valid ones, and says why the others failed', async () => {
    await mailer.contact('b1@x.io');
    const { emailId } = mailer;
    const { body } = await mailer.post('/v2/messages/batch', {
      messages: [
        { emailId, email: 'b1@x.io' },
        { emailId, email: 'none@x.io' },
        7,
        { emailId: 'x', email: 'b1@x.io' },
        { emailId },
      ],
    });
    expect(body.data.results).toEqual([
      { index: 0, messageId: expect.stringMatching(/^[0-9a-f]{32}$/), state: 'queued' },
      { index: 1, state: 'failed', error: expect.stringContaining('No such contact') },
      { index: 2, state: 'failed', error: expect.stringContaining('must be a JSON object') },
      { index: 3, state: 'failed', error: 'No such email.' },
      { index: 4, state: 'failed', error: expect.stringContaining('contactId') },
    ]);
    await mailer.until(body.data.results[0].messageId, 'sent');
    const bad = (messages: unknown) => mailer.post('/v2/messages/batch', { messages });
    expect((await bad([])).status).toBe(400);
    expect((await bad(Array(1001).fill({}))).status).toBe(400);
  });
});

describe('GET /v2/messages', () => {
  it('finds by contact, address, email, state and time, newest first', async () => {
    const own = await makeMailer(t);
    const contactId = await own.contact('list@x.io');
    await own.contact('list2@x.io');
    const ids: string[] = [];
    for (const email of ['list@x.io', 'list2@x.io', 'list@x.io'])
      ids.push(await own.queue({ email, sendAt: '2099-01-01' }));
    const found = async (query: string) => {
      const { body } = await own.get(`/v2/messages?${query}`);
      expect(body.pagination.totalElements).toBe(body.data.length);
      return body.data.map(({ messageId }: { messageId: string }) => messageId);
    };
    expect(await found('')).toEqual([...ids].reverse());
    expect(await found(`contactId=${contactId}`)).toEqual([ids[2], ids[0]]);
    expect(await found('email=LIST2@x.io')).toEqual([ids[1]]);
    expect(await found(`emailId=${own.emailId}&state=queued&state[]=sent`)).toEqual([...ids].reverse());
    expect(await found('state=sent')).toEqual([]);
    const { queuedAt } = await own.message(ids[1] as string);
    expect(await found(`startTime=${queuedAt}&endTime=${queuedAt}`)).toContain(ids[1]);
    expect(await found('endTime=2020-01-01')).toEqual([]);
    for (const none of [
      'contactId=x',
      'emailId=x',
      'journeyId=x',
      'enrolmentId=x',
      'email=',
      `journeyId=${'0'.repeat(24)}`,
    ])
      expect(await found(none)).toEqual([]);
    for (const wrong of ['state=open', 'state=', 'startTime=x', 'pageSize=0'])
      expect((await own.get(`/v2/messages?${wrong}`)).status).toBe(400);
    expect((await mailer.get(`/v2/messages/${ids[0]}`)).status).toBe(404);
    expect((await own.get('/v2/messages/x')).status).toBe(404);
    expect((await own.get('/v1/messages')).status).toBe(404);
  });
});

describe('a queued message', () => {
  it('can be cancelled, once', async () => {
    await mailer.contact('cancel@x.io');
    const messageId = await mailer.queue({ email: 'cancel@x.io', sendAt: '2099-01-01' });
    const cancel = () => mailer.post(`/v2/messages/${messageId}/cancel`);
    expect((await cancel()).body.data).toMatchObject({ messageId, state: 'cancelled' });
    const again = await cancel();
    expect([again.status, again.body.errors[0].errorCode]).toEqual([409, 'INVALID_STATE']);
    expect((await mailer.post('/v2/messages/x/cancel')).status).toBe(404);
    const { timeline } = await mailer.message(messageId);
    expect(timeline.map(({ what }: { what: string }) => what)).toEqual(['queued', 'cancelled']);
  });

  it('is skipped when its email is deleted, its sender is no longer approved, or its contact is erased', async () => {
    const own = await makeMailer(t);
    const contactId = await own.contact('skip@x.io');
    const soon = () => new Date(Date.now() + 400).toISOString();
    const gone = await makeEmail(own);
    const first = await own.queue({ emailId: gone, email: 'skip@x.io', sendAt: soon() });
    await own.delete(`/v2/emails/${gone}`);
    expect(await own.until(first, 'skipped')).toMatchObject({ reason: 'emailDeleted', sentAt: null });
    await t.admin.delete(`/admin/tenants/${own.tenantId}/sending-domains/example.com`);
    const second = await own.queue({ email: 'skip@x.io' });
    expect(await own.until(second, 'skipped')).toMatchObject({ reason: 'noSender' });
    const third = await own.queue({ email: 'skip@x.io', sendAt: '2099-01-01' });
    await own.done(await own.delete(`/v2/contacts/${contactId}`));
    expect(await own.until(third, 'skipped')).toMatchObject({
      ...{ reason: 'erased', contactId: null, email: null, subject: null },
    });
    expect(server.to('skip@x.io')).toEqual([]);
  });
});

describe('an email that cannot be rendered for a contact', () => {
  it('fails with the reason, and never counts as sent', async () => {
    const html = '{% for i in (1..data.n) %}0123456789{% endfor %}<a href="{{unsubscribe_url}}">x</a>';
    const emailId = await makeEmail(mailer, { html });
    await mailer.contact('fail@x.io');
    const messageId = await mailer.queue({ emailId, email: 'fail@x.io', data: { n: 100_000_000 } });
    const message = await mailer.until(messageId, 'failed');
    expect(message).toMatchObject({
      sentAt: null,
      attempts: [],
      reason: expect.stringMatching(/^html cannot be rendered: /),
    });
    expect(message.timeline.map(({ what }: { what: string }) => what)).toEqual(['queued', 'failed']);
    expect(server.to('fail@x.io')).toEqual([]);
  });

  it('knows data, event and webhook as variables', async () => {
    const html = '{{data.a}}{{event.b}}{{webhook.c | default: "-"}}<a href="{{unsubscribe_url}}">x</a>';
    expect((await mailer.post('/v2/emails', emailBody({ html }))).status).toBe(200);
    expect((await mailer.post('/v2/emails', emailBody({ html: '{{dat.a}}' }))).status).toBe(400);
  });
});

describe('a mail server that refuses', () => {
  it('permanently ends the message as bounced, and suppresses the address if there is no such user', async () => {
    const own = await makeMailer(t);
    await own.contact('gone@x.io');
    await own.contact('policy@x.io');
    server.refuse = (to) =>
      to === 'gone@x.io'
        ? { code: 550, text: '5.1.1 <gone@x.io> no such user' }
        : to === 'policy@x.io'
          ? { code: 554, text: '5.7.1 blocked by policy' }
          : undefined;
    const first = await own.until(await own.queue({ email: 'gone@x.io' }), 'bounced');
    expect(first).toMatchObject({ sentAt: first.bouncedAt, attempts: [{ outcome: 'refused' }] });
    expect(first.reason).toMatch(/^550 5\.1\.1/);
    expect(first.reason).not.toContain('gone@x.io');
    const second = await own.until(await own.queue({ email: 'policy@x.io' }), 'bounced');
    expect(second.reason).toMatch(/^554 5\.7\.1/);
    const { data } = (await own.get('/v2/suppressions')).body;
    expect(data).toEqual([{ email: 'gone@x.io', reason: 'bounced', createdAt: expect.any(String) }]);
    const ofContact = async (contactId: string) => (await own.get(`/v2/suppressions?contactId=${contactId}`)).body;
    expect(await ofContact(first.contactId)).toMatchObject({ data, pagination: { totalElements: 1 } });
    expect(await ofContact(second.contactId)).toMatchObject({ data: [], pagination: { totalElements: 0 } });
    expect((await ofContact('nobody')).errors[0].errorCode).toBe('BAS-E-002');
    const third = await own.until(await own.queue({ email: 'gone@x.io', transactional: true }), 'skipped');
    expect(third.reason).toBe('bounced');
    const activity = await eventually(
      async () => (await own.get(`/v2/contacts/${first.contactId}/marketing-activity`)).body.data,
      (rows) => rows.length === 2,
    );
    expect(activity.map(({ eventName }: { eventName: string }) => eventName).sort()).toEqual(['bounced', 'sent']);
  });

  it('temporarily is retried later, and the attempt is kept', async () => {
    await mailer.contact('full@x.io');
    server.refuse = (to) => (to === 'full@x.io' ? { code: 452, text: '4.2.2 mailbox full' } : undefined);
    const messageId = await mailer.queue({ email: 'full@x.io' });
    const waiting = await eventually(
      () => mailer.message(messageId),
      ({ attempts }) => attempts.length === 1,
    );
    expect(waiting).toMatchObject({ state: 'queued', sentAt: null, attempts: [{ outcome: 'later' }] });
    expect(Date.parse(waiting.dueAt) - Date.parse(waiting.attempts[0].at)).toBeGreaterThan(30_000);
    server.refuse = () => undefined;
    await t.db.run(sql`update message set due_at = now() where message_id = ${messageId}`);
    const sent = await mailer.until(messageId, 'sent');
    expect(sent.attempts.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['later', 'sent']);
    expect(server.to('full@x.io')).toHaveLength(1);
  });
});
