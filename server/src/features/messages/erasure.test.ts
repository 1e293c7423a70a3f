// Nothing about an erased person comes back: not through a mail that was in flight, nor through later reports.
import { beforeEach, describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { eventually, type Mailer, makeMailer } from '../../../test/messages.js';
import { sql } from '../../db/sql.js';
import { MailNotSent, type Message } from '../../mail/transport.js';
import { insertOutboxMessage } from '../emails/index.js';
import { reclaimMessages } from './sender/queries.js';

/** The mail server's reply to an address; asked while the message is in flight. */
const answers = new Map<string, (message: Message) => Promise<{ reply: string }>>();
const t = useApp({
  work: true,
  transport: {
    name: 'smtp',
    send: (message: Message) => answers.get(message.to)?.(message) ?? Promise.resolve({ reply: '250 2.0.0 Ok' }),
    close: () => undefined,
  },
});
let own: Mailer;
beforeEach(async () => {
  own = await makeMailer(t, { html: '<a href="https://shop.test/a">A</a>', subject: 'Hi {{first_name}}' });
});

const erase = async (contactId: string) => own.done(await own.delete(`/v2/contacts/${contactId}`));
const hookOf = async () => {
  const { body } = await t.admin.post(`/admin/tenants/${own.tenantId}/mail-hooks`, { provider: 'generic' });
  return (event: object) => t.anonymous.post(new URL(body.data.url).pathname, { events: [event] });
};
const pending = async () =>
  (
    await t.db.row(
      sql<{
        n: number;
      }>`select count(*) as n from write_transaction where tenant_id = ${own.tenantId} and status <> 'DONE'`,
    )
  )?.n;

/** Where a word occurs in the whole database. */
async function placesOf(word: string): Promise<string[]> {
  const tables = await t.db.rows(sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' order by 1`);
  const found: string[] = [];
  for (const { name } of tables) {
    const row = await t.db.row(sql<{ xml: string }>`
      select query_to_xml(${`select count(*) as n from "${name}" t where t::text ilike '%${word}%'`}, false, false, '')::text as xml`);
    if (!row?.xml.includes('<n>0</n>')) found.push(name);
  }
  return found;
}

/** A message whose SMTP reply waits until it is released. */
async function onItsWay(address: string, failure?: MailNotSent, keep?: (message: Message) => Promise<void>) {
  const contactId = await own.contact(address, { first_name: 'Ada' });
  let tell = () => {};
  const told = new Promise<void>((resolve) => {
    tell = resolve;
  });
  answers.set(address, async (message) => {
    await told;
    await keep?.(message);
    if (failure) throw failure;
    return { reply: '250 2.0.0 Ok' };
  });
  const messageId = await own.queue({ contactId, data: { secret: address } });
  await own.until(messageId, 'sending');
  return { contactId, messageId, tell };
}

it('removes subjects and links from the contact’s activity, which stays without them', async () => {
  const contactId = await own.contact('read@x.io', { first_name: 'Quetzalcoatl' });
  const messageId = await own.queue({ contactId });
  await own.until(messageId, 'sent', 'delivered');
  await eventually(
    async () => (await own.get(`/v2/contacts/${contactId}/marketing-activity`)).body.data,
    (rows) => rows.length > 0,
  );
  await erase(contactId);
  expect(await placesOf('quetzalcoatl')).toEqual([]);
  const left = await t.db.rows(sql<{ name: string; subject: string | null }>`
    select event_name as name, email_subject as subject from marketing_activity
    where tenant_id = ${own.tenantId} and contact_id = ${contactId}`);
  expect(left).toContainEqual({ name: 'sent', subject: null });
});

describe('an erasure while a message is on its way', () => {
  it('is not undone by the mail server’s later reply', async () => {
    const reply = '550 5.1.1 No such user';
    const failure = new MailNotSent('refused', { outlook: 'refused', stage: 'rcpt', code: 550, reply });
    const { contactId, messageId, tell } = await onItsWay('leaving@x.io', failure);
    await erase(contactId);
    tell();
    expect(await own.until(messageId, 'bounced')).toMatchObject({ email: null, subject: null, contactId: null });
    await eventually(pending, (n) => n === 0);
    expect(await placesOf('leaving@x.io')).toEqual([]);
    const again = await own.contact('leaving@x.io');
    expect((await own.until(await own.queue({ contactId: again }), 'skipped')).reason).toBe('bounced');
    const { body } = await own.get('/v2/suppressions');
    expect([body.data, body.pagination.totalElements]).toEqual([[], 0]);
  });

  it('leaves nothing behind of a message that is accepted', async () => {
    const { contactId, messageId, tell } = await onItsWay('taken@x.io');
    await erase(contactId);
    tell();
    expect(await own.until(messageId, 'sent')).toMatchObject({ email: null, subject: null, contactId: null });
    await eventually(pending, (n) => n === 0);
    expect(await placesOf('taken@x.io')).toEqual([]);
  });

  it('leaves no copy in the outbox, if messages are kept there', async () => {
    const keep = (message: Message) => insertOutboxMessage(t.db, message);
    const { contactId, messageId, tell } = await onItsWay('boxed@x.io', undefined, keep);
    await erase(contactId);
    tell();
    await own.until(messageId, 'sent');
    await eventually(pending, (n) => n === 0);
    expect(await placesOf('boxed@x.io')).toEqual([]);
    expect((await own.get('/v2/outbox')).body.pagination.totalElements).toBe(0);
  });

  it('leaves no copy in the outbox either if the sender died before it could record the send', async () => {
    let copied = () => {};
    const isCopied = new Promise<void>((resolve) => {
      copied = resolve;
    });
    const keep = async (message: Message) => {
      await insertOutboxMessage(t.db, message);
      copied();
      // As if its process had died: it reports nothing more.
      await new Promise(() => {});
    };
    const { contactId, messageId, tell } = await onItsWay('orphan@x.io', undefined, keep);
    await erase(contactId);
    tell();
    await isCopied;
    await t.db.run(sql`update message set lease_until = now() - interval '1 second' where message_id = ${messageId}`);
    await reclaimMessages(t.db, 10);
    expect((await own.until(messageId, 'skipped')).reason).toBe('erased');
    expect(await placesOf('orphan@x.io')).toEqual([]);
  });
});

describe('after an erasure', () => {
  it('waiting messages say why they were skipped', async () => {
    const contactId = await own.contact('waits@x.io');
    const messageId = await own.queue({ contactId, sendAt: '2099-01-01' });
    await erase(contactId);
    const { state, reason, timeline } = await own.message(messageId);
    expect([state, reason]).toEqual(['skipped', 'erased']);
    expect(timeline.at(-1)).toMatchObject({ what: 'skipped', detail: 'erased' });
    expect((await own.post(`/v2/messages/${messageId}/cancel`)).body.errors[0].errorCode).toBe('INVALID_STATE');
  });

  it('reports about a message bring no address back, but still suppress it', async () => {
    const report = await hookOf();
    const contactId = await own.contact('late@x.io');
    const messageId = await own.queue({ contactId });
    await own.until(messageId, 'sent');
    await erase(contactId);
    await report({ type: 'complained', messageId, email: 'late@x.io', reason: 'late@x.io does not want it' });
    await eventually(pending, (n) => n === 0);
    expect(await placesOf('late@x.io')).toEqual([]);
  });

  it('a response that is kept for replays does not contain the person', async () => {
    const contactId = await own.contact('replay@x.io');
    const messageId = await own.queue({ contactId, sendAt: '2099-01-01' });
    const cancelled = await own.post(`/v2/messages/${messageId}/cancel`, undefined, { 'idempotency-key': 'k' });
    expect(cancelled.body.data.email).toBe('replay@x.io');
    await erase(contactId);
    expect(await placesOf('replay@x.io')).toEqual([]);
  });

  it('a suppression whose address comes back is shown and counted again', async () => {
    const totals = async () => {
      const { data, pagination } = (await own.get('/v2/suppressions')).body;
      return [data.length, pagination.totalElements];
    };
    const contactId = await own.contact('back@x.io');
    await own.put('/v2/suppressions/back@x.io', {});
    expect(await totals()).toEqual([1, 1]);
    await erase(contactId);
    expect(await totals()).toEqual([0, 0]);
    await own.put('/v2/suppressions/back@x.io', {});
    expect(await totals()).toEqual([1, 1]);
    await own.put('/v2/suppressions/back@x.io', { reason: 'bounced' });
    expect(await totals()).toEqual([1, 1]);
    await erase(await own.contact('back@x.io'));
    expect((await own.delete('/v2/suppressions/back@x.io')).status).toBe(200);
    expect(await totals()).toEqual([0, 0]);
    const report = await hookOf();
    for (let i = 0; i < 2; i++) await report({ type: 'complained', email: 'back@x.io' });
    await eventually(pending, (n) => n === 0);
    expect(await totals()).toEqual([1, 1]);
  });

  it('other contacts with the same version text can still see it', async () => {
    const version = {
      assetId: own.emailId,
      html: '<p>The same for two.</p><a href="{{unsubscribe_url}}">Unsubscribe</a>',
      subject: 'Same',
    };
    const [one, two] = await Promise.all(['one@x.io', 'two@x.io'].map((email) => own.contact(email)));
    for (const email of ['one@x.io', 'two@x.io']) await own.post('/v2/email-versions', { ...version, email });
    const [first, second] = [await own.queue({ contactId: one }), await own.queue({ contactId: two })];
    await own.until(first, 'sent');
    await own.until(second, 'sent');
    await erase(one as string);
    const kept = await t.db.row(sql<{ html: string }>`
      select c.html from message m join message_content c on c.tenant_id = m.tenant_id and c.content_hash = m.content_hash
      where m.message_id = ${second}`);
    expect(kept?.html).toContain('The same for two.');
  });
});
