import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../test/app.js';
import { makeEmail, tenantWithDomain } from '../../../test/emails.js';
import { smtpTransport } from '../../mail/smtp.js';
import type { Message, Transport } from '../../mail/transport.js';

const t = useApp({ work: true });
let tenant: TenantClient;
let contactId: string;
const subject = 'Hi {{first_name | default: "there"}}';
const html = '<body><p>{{first_name | default: "you"}} &amp; {{company}}</p><a href="{{unsubscribe_url}}">x</a></body>';
const own = '<p>Only for you {{unsubscribe_url}}</p>';
const properties = { first_name: 'Ada <3', company: 'Engines' };
beforeAll(async () => {
  tenant = await tenantWithDomain(t, [{ email: 'ada@example.com', properties }, { email: 'bob@example.com' }]);
  contactId = (await tenant.get('/v1/contacts/by-email/ada@example.com')).body.data.id;
});

const code = (reply: Reply) => reply.body.errors[0]?.errorCode;

describe('POST /v2/emails/{id}/test-send, without a mail server', () => {
  it('keeps the message in the outbox, with a plain-text part and the preheader in its body', async () => {
    const id = await makeEmail(tenant, { subject, html, preheader: '<News>', replyTo: 'help@example.org' });
    const sent = await tenant.post(`/v2/emails/${id}/test-send`, { to: ' Me@example.org', contactId });
    expect(sent.body.data).toEqual({
      messageId: expect.stringMatching(/^<[0-9a-f]{32}@example\.com>$/),
      transport: 'outbox',
      to: 'me@example.org',
      subject: 'Hi Ada <3',
    });
    const row = {
      messageId: sent.body.data.messageId,
      from: 'Rapport <hello@example.com>',
      to: 'me@example.org',
      replyTo: 'help@example.org',
      subject: 'Hi Ada <3',
      createdAt: expect.any(String),
      kind: 'test',
    };
    const list = await tenant.get('/v2/outbox?pageSize=1');
    expect(list.body.data).toEqual([row]);
    const whole = await tenant.get(`/v2/outbox/${encodeURIComponent(row.messageId)}`);
    expect(whole.body.data).toEqual({ ...row, html: expect.any(String), text: expect.any(String) });
    expect(whole.body.data.html).toMatch(/^<body><div style="display:none[^"]*">&lt;News&gt;<\/div><p>Ada &lt;3/);
    expect(whole.body.data.text).toBe('Ada <3 & Engines\n\nx [http://rapport.test/t/u/preview]');
    expect((await tenant.get('/v2/outbox/nope')).status).toBe(404);
  });

  it('sends a draft instead of what is saved, even to a contact who has a version, and saves nothing', async () => {
    const id = await makeEmail(tenant, { subject, html, preheader: 'Saved' });
    await tenant.post('/v1/email-versions', { assetId: id, email: 'ada@example.com', html: own });
    const before = (await tenant.get(`/v2/emails/${id}`)).body.data;
    // {{nobody_has}} could not be saved, but does not prevent a test.
    const draft = { subject: 'New {{first_name}}', html: '<p>{{company}} {{nobody_has}}</p>' };
    const sent = await tenant.post(`/v2/emails/${id}/test-send`, { to: 'me@example.org', contactId, draft });
    expect([sent.status, sent.body.data.subject]).toEqual([200, 'New Ada <3']);
    const kept = await tenant.get(`/v2/outbox/${encodeURIComponent(sent.body.data.messageId)}`);
    expect(kept.body.data.html).toContain('Saved');
    expect(kept.body.data.html).toContain('<p>Engines </p>');
    expect((await tenant.get(`/v2/emails/${id}`)).body.data).toEqual(before);
    const { subject: alone } = (await tenant.post(`/v2/emails/${id}/test-send`, { to: 'me@example.org', draft: {} }))
      .body.data;
    expect(alone).toBe('Hi there');
  });

  it.each([
    [{ html: '{% if %}' }, 'draft.html'],
    [{ html: ' ' }, 'draft.html'],
    [{ html: '{% for i in (1..100000000) %}x{% endfor %}' }, 'draft.html'],
    [{ subject: '{{ a' }, 'draft.subject'],
    [{ subject: ' ' }, 'draft.subject'],
    [{ subject: 'Hello\r\nBcc: all@example.com' }, 'draft.subject'],
    [{ preheader: '{% endif %}' }, 'draft.preheader'],
    [{ subject: 5 }, 'draft.subject'],
  ])('refuses the draft %j and names what is wrong with it', async (draft, field) => {
    const id = await makeEmail(tenant);
    const reply = await tenant.post(`/v2/emails/${id}/test-send`, { to: 'me@example.org', draft });
    expect([reply.status, code(reply), reply.body.errors[0].detail]).toEqual([400, 'VALIDATION_ERROR', field]);
  });

  it('is sent once per Idempotency-Key', async () => {
    const id = await makeEmail(tenant);
    const total = async () => (await tenant.get('/v2/outbox')).body.pagination.totalElements;
    const before = await total();
    const send = () =>
      tenant.post(`/v2/emails/${id}/test-send`, { to: 'me@example.org' }, { 'idempotency-key': 'send' });
    const [first, second] = [await send(), await send()];
    expect(second.body.data).toEqual(first.body.data);
    expect(await total()).toBe(before + 1);
  });

  it('needs an address, and an email and a contact that exist', async () => {
    const id = await makeEmail(tenant);
    const send = (body: object, to = id) => tenant.post(`/v2/emails/${to}/test-send`, body).then(code);
    expect(await send({})).toBe('VALIDATION_ERROR');
    expect(await send({ to: 'a@b\r\nBcc: c@d' })).toBe('VALIDATION_ERROR');
    expect(await send({ to: 'me@example.org', email: 'no@example.com' })).toBe('BAS-E-002');
    expect(await send({ to: 'me@example.org' }, 'nope')).toBe('NOT_FOUND');
  });
});

describe('POST /v2/emails/{id}/test-send, through a mail server', () => {
  const received: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address }, _, done) =>
      done(address.startsWith('full@') ? new Error('550 secret-mailbox is full') : null),
    onData: (stream, _, done) => {
      let text = '';
      stream.on('data', (chunk) => {
        text += chunk;
      });
      stream.on('end', () => {
        received.push(text);
        done();
      });
    },
  });
  let target: Transport;
  const through = {
    name: 'smtp',
    send: (message: Message) => target.send(message),
    close: () => target.close(),
  } as const;
  const smtp = useApp({ work: true, transport: through });
  let client: TenantClient;
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    target = smtpTransport(
      `smtp://user:hush@127.0.0.1:${(server.server.address() as AddressInfo).port}?ignoreTLS=true`,
    );
    const contacts = [
      { email: 'crlf@example.com', properties: { first_name: 'A\r\nBcc: all@example.com\r\n\r\n<b>' } },
    ];
    client = await tenantWithDomain(smtp, contacts);
  });
  afterAll(async () => {
    // First, because the server waits for open connections.
    target.close();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });

  it('sends both parts, and no value can add a header', async () => {
    const id = await makeEmail(client, {
      subject: 'Hällo {{first_name}}',
      fromEmail: { email: 'a@example.com', name: 'Ä, "B" <x@y>' },
    });
    const { body } = await client.post(`/v2/emails/${id}/test-send`, {
      to: 'me@example.org',
      email: 'crlf@example.com',
    });
    expect(body.data).toMatchObject({
      transport: 'smtp',
      to: 'me@example.org',
      subject: 'Hällo A Bcc: all@example.com <b>',
    });
    const message = received.at(-1) as string;
    const head = message.slice(0, message.indexOf('\r\n\r\n'));
    expect(head).toContain(`Message-ID: ${body.data.messageId}`);
    expect(head).toMatch(/^To: me@example\.org$/m);
    expect(head).toMatch(/^Reply-To: a@example\.com$/m);
    expect(head).toMatch(/^From: .* <a@example\.com>$/m);
    expect(head).not.toMatch(/^(Bcc|List-Unsubscribe)/im);
    expect(message).toContain('Content-Type: text/plain; charset=utf-8');
    expect(message).toContain('Content-Type: text/html; charset=utf-8');
  });

  it('responds 502 with a reason that reveals nothing', async () => {
    const id = await makeEmail(client);
    const refused = await client.post(`/v2/emails/${id}/test-send`, { to: 'full@example.org' });
    expect([refused.status, code(refused)]).toEqual([502, 'MAIL_NOT_SENT']);
    expect(refused.body.errors[0].message).toContain('refused the sender or the recipient (5');
    const reachable = target;
    target = smtpTransport('smtp://user:hush@127.0.0.1:1');
    const away = await client.post(`/v2/emails/${id}/test-send`, { to: 'me@example.org' }, { 'idempotency-key': 'x' });
    target.close();
    target = reachable;
    expect([away.status, away.body.errors[0].message]).toEqual([
      502,
      'The mail server did not take the message: it cannot be reached.',
    ]);
    for (const { text } of [refused, away]) expect(text).not.toMatch(/secret|hush|127\.0/);
    const again = await client.post(`/v2/emails/${id}/test-send`, { to: 'me@example.org' }, { 'idempotency-key': 'x' });
    expect(again.status).toBe(200);
  });
});
