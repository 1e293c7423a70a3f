// What comes of a message once it left: opens, clicks, unsubscribing, reports of providers; the ledger, the contact and the figures.
import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { auditOf } from '../../../test/audit.js';
import { eventually, type Mailer, makeMailer } from '../../../test/messages.js';
import { sql } from '../../db/sql.js';
import { usualSettings } from './index.js';

const t = useApp({
  work: true,
  messages: { health: { ...usualSettings.health, leastMessages: 10 }, attemptSeconds: 2 },
});
let mailer: Mailer;
const html =
  '<p>Hi {{first_name}}</p><a href="https://shop.test/a">A</a><a href="https://shop.test/b?x=1&amp;y=2">B</a><a href="{{unsubscribe_url}}">Unsubscribe</a><a href="{{view_url}}">View</a>';
const person = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Thunderbird/140.0' };

beforeAll(async () => {
  mailer = await makeMailer(t, { html, subject: 'Hi {{first_name}}' });
});

interface Links {
  open: string;
  clicks: string[];
  unsubscribe: string;
  view: string;
}

/** A message that left, as long ago as said, and its links. */
async function sent(
  address: string,
  { from = mailer, secondsAgo = 60, ...body }: { from?: Mailer; secondsAgo?: number; transactional?: boolean } = {},
) {
  const known = (await from.get(`/v2/contacts/by-email/${address}`)).body.data;
  const contactId = known?.id ?? (await from.contact(address, { first_name: 'Ada' }));
  const messageId = await from.queue({ contactId, ...body });
  await from.until(messageId, 'sent', 'skipped');
  await t.db.run(sql`
    update message set sent_at = now() - make_interval(secs => ${secondsAgo}), queued_at = now() - make_interval(secs => ${secondsAgo + 1})
    where message_id = ${messageId}`);
  return { contactId, messageId, links: await linksOf(messageId) };
}

async function linksOf(messageId: string): Promise<Links> {
  const row = await t.db.row(sql<{ html: string }>`
    select html from outbox_message where message_id like ${`<${messageId}@%`}`);
  const found = [...(row?.html ?? '').matchAll(/(?:href|src)="http:\/\/rapport\.test(\/t\/[^"]+)"/g)].map(
    ([, path]) => path as string,
  );
  const of = (kind: string) => found.filter((path) => path.startsWith(`/t/${kind}/`));
  return { open: of('o')[0] ?? '', clicks: of('c'), unsubscribe: of('u')[0] ?? '', view: of('v')[0] ?? '' };
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
const activityOf = async (contactId: string, from = mailer): Promise<any[]> =>
  (await from.get(`/v2/contacts/${contactId}/marketing-activity?pageSize=200`)).body.data;
const namesOf = (rows: { eventName: string }[]) => rows.map(({ eventName }) => eventName).sort();
const propertiesOf = async (contactId: string, from = mailer) =>
  (await from.get(`/v2/contacts/${contactId}`)).body.data.properties;

describe('opens and clicks', () => {
  it('are recorded once each, and lead where the message led', async () => {
    const { contactId, messageId, links } = await sent('ada@x.io');
    expect(links.clicks).toHaveLength(2);
    expect((await t.anonymous.get(links.open, person)).status).toBe(200);
    const click = await t.anonymous.get(links.clicks[1] as string, person);
    expect([click.status, click.headers.location]).toEqual([302, 'https://shop.test/b?x=1&y=2']);
    const rows = await eventually(
      () => activityOf(contactId),
      ({ length }) => length === 3,
    );
    expect(namesOf(rows)).toEqual(['clicked', 'opened', 'sent']);
    expect(rows.find(({ eventName }) => eventName === 'clicked')).toMatchObject({
      ...{ linkUrl: 'https://shop.test/b?x=1&y=2', isMachine: false, emailId: mailer.emailId, emailSubject: 'Hi Ada' },
    });
    const message = await mailer.message(messageId);
    expect(message.firstOpenedAt).not.toBeNull();
    expect(message.firstClickedAt).not.toBeNull();
    expect(message.timeline.map(({ what }: { what: string }) => what)).toEqual(['queued', 'sent', 'opened', 'clicked']);
  });

  it('are a machine’s within three seconds, by a proxy, and when every link was followed at once, also after the fact', async () => {
    const { contactId, messageId, links } = await sent('bot@x.io');
    await t.anonymous.get(links.open, { 'user-agent': 'Mozilla/5.0 (via ggpht.com GoogleImageProxy)' });
    await t.anonymous.get(links.clicks[0] as string, person);
    const before = await eventually(
      () => mailer.message(messageId),
      ({ firstClickedAt }) => firstClickedAt !== null,
    );
    expect(before.firstOpenedAt).toBeNull();
    await t.anonymous.get(links.clicks[1] as string, person);
    const rows = await eventually(
      () => activityOf(contactId),
      (all) => all.length === 4 && all.filter(({ isMachine }) => isMachine).length === 3,
    );
    expect(namesOf(rows)).toEqual(['clicked', 'clicked', 'opened', 'sent']);
    expect((await mailer.message(messageId)).firstClickedAt).toBeNull();
  });

  it('are not recorded for HEAD, forged tokens, or tokens of another kind', async () => {
    const { contactId, links } = await sent('none@x.io');
    await t.anonymous.send('HEAD', links.open);
    await t.anonymous.send('HEAD', links.clicks[0] as string);
    const forged = `${links.clicks[0]?.slice(0, -2)}xx`;
    expect((await t.anonymous.get(forged)).status).toBe(404);
    expect((await t.anonymous.get(links.open.replace('/t/o/', '/t/c/'))).status).toBe(404);
    // What came after them is there, so they are not.
    await t.anonymous.get(links.open, person);
    const rows = await eventually(
      () => activityOf(contactId),
      (all) => all.length >= 2,
    );
    expect(namesOf(rows)).toEqual(['opened', 'sent']);
  });
});

describe('unsubscribing', () => {
  it('changes nothing on GET, takes effect on POST, twice is fine, and can be undone', async () => {
    const { contactId, messageId, links } = await sent('bye@x.io');
    expect((await t.anonymous.get(links.unsubscribe)).status).toBe(200);
    expect((await mailer.get('/v2/suppressions')).body.data).toEqual([]);
    const post = (body?: string) =>
      t.anonymous.post(links.unsubscribe, body, { 'content-type': 'application/x-www-form-urlencoded' });
    expect((await post('List-Unsubscribe=One-Click')).status).toBe(200);
    expect((await post()).status).toBe(200);
    expect((await mailer.get('/v2/suppressions')).body.data).toMatchObject([
      { email: 'bye@x.io', reason: 'unsubscribed' },
    ]);
    await eventually(
      () => propertiesOf(contactId),
      ({ unsubscribed }) => unsubscribed === true,
    );
    expect(namesOf(await activityOf(contactId))).toEqual(['sent', 'unsubscribed']);
    const skipped = await mailer.until(await mailer.queue({ contactId }), 'skipped', 'sent');
    expect(skipped.reason).toBe('unsubscribed');
    expect((await mailer.until(await mailer.queue({ contactId, transactional: true }), 'sent', 'skipped')).state).toBe(
      'sent',
    );
    expect((await post('undo=1')).status).toBe(200);
    await eventually(
      () => propertiesOf(contactId),
      ({ unsubscribed }) => unsubscribed === undefined,
    );
    expect((await mailer.get('/v2/suppressions')).body.data).toEqual([]);
    expect((await mailer.message(messageId)).timeline.map(({ what }: { what: string }) => what)).toContain(
      'resubscribed',
    );
  });

  it('shows what was sent, with the properties of today, to whoever looks again', async () => {
    const { contactId, links } = await sent('view@x.io');
    await mailer.patch(`/v2/emails/${mailer.emailId}`, { html: `<p>New</p><a href="{{unsubscribe_url}}">x</a>` });
    await mailer.done(await mailer.patch(`/v2/contacts/${contactId}`, { properties: { first_name: 'Grace' } }));
    const view = await t.anonymous.get(links.view);
    expect(view.status).toBe(200);
    expect(view.text).toContain('Hi Grace');
    expect(view.headers['content-security-policy']).toContain('sandbox');
    await mailer.patch(`/v2/emails/${mailer.emailId}`, { html });
  });
});

describe('suppressions', () => {
  it('are put, listed, searched and deleted by address', async () => {
    const own = await makeMailer(t);
    const put = (email: string, body?: object) => own.put(`/v2/suppressions/${email}`, body);
    expect((await put('A@x.io%20')).body.data).toMatchObject({ email: 'a@x.io', reason: 'manual' });
    expect((await put('b@x.io', { reason: 'complained' })).body.data.reason).toBe('complained');
    expect((await put('b@x.io', { reason: 'manual' })).body.data.reason).toBe('manual');
    expect((await put('b@x.io', { reason: 'bored' })).status).toBe(400);
    expect((await put('no')).status).toBe(400);
    const { body } = await own.get('/v2/suppressions');
    expect(body.data.map(({ email }: { email: string }) => email)).toEqual(['b@x.io', 'a@x.io']);
    expect(body.pagination.totalElements).toBe(2);
    expect((await own.get('/v2/suppressions?search=A@')).body.data).toHaveLength(1);
    expect((await own.delete('/v2/suppressions/a@x.io')).body.data).toEqual({ email: 'a@x.io', success: true });
    expect((await own.delete('/v2/suppressions/a@x.io')).status).toBe(404);
    expect((await own.delete('/v2/suppressions/x')).status).toBe(404);
  });

  it('keep the property unsubscribed, which nobody else can set, and reach contacts that come later', async () => {
    const own = await makeMailer(t);
    await own.put('/v2/suppressions/early@x.io', { reason: 'unsubscribed' });
    const contactId = await own.contact('early@x.io');
    expect(await propertiesOf(contactId, own)).toEqual({ unsubscribed: true });
    const { data } = await own.done(
      await own.patch(`/v2/contacts/${contactId}`, { properties: { unsubscribed: false, a: 1 } }),
    );
    expect(data.results[0]).toMatchObject({ status: 'UPDATED', ignoredProperties: ['unsubscribed'] });
    expect(await propertiesOf(contactId, own)).toEqual({ unsubscribed: true, a: 1 });
    await own.put('/v2/suppressions/early@x.io', { reason: 'manual' });
    await eventually(
      () => propertiesOf(contactId, own),
      ({ unsubscribed }) => unsubscribed === undefined,
    );
  });

  it('survive an erasure as a hash', async () => {
    const own = await makeMailer(t);
    const contactId = await own.contact('erased@x.io');
    await own.put('/v2/suppressions/erased@x.io', { reason: 'unsubscribed' });
    await own.done(await own.delete(`/v2/contacts/${contactId}`));
    const { body } = await own.get('/v2/suppressions');
    expect([body.data, body.pagination.totalElements]).toEqual([[], 0]);
    const again = await own.contact('erased@x.io');
    const message = await own.until(await own.queue({ contactId: again }), 'skipped', 'sent');
    expect(message.reason).toBe('unsubscribed');
    expect(await propertiesOf(again, own)).toEqual({ unsubscribed: true });
  });
});

describe('reports of providers', () => {
  const hookOf = async (from: Mailer) => {
    const { body } = await t.admin.post(`/admin/tenants/${from.tenantId}/mail-hooks`, { provider: 'generic' });
    const path = new URL(body.data.url).pathname;
    return (events: object[]) => t.anonymous.post(path, { events });
  };

  it('become the fate of the message, once, whatever is repeated', async () => {
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

  it('that tell of the future count as of now', async () => {
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

  it('pause a tenant’s mail where complaints or bounces are too many, all but transactional, until somebody resumes', async () => {
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
      // Nine lie in the outbox.
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

describe('an interrupted sender', () => {
  it('gives its message up when its lease runs out: it is tried again, under the same Message-ID, and says so', async () => {
    await mailer.contact('lease@x.io');
    const messageId = await mailer.queue({ email: 'lease@x.io', sendAt: '2099-01-01' });
    await t.db.run(sql`
      update message set state = 'sending', lease = gen_random_uuid(), lease_until = now() - interval '1 s', due_at = now() - interval '1 s'
      where message_id = ${messageId}`);
    const message = await mailer.until(messageId, 'sent');
    expect(message.timeline.map(({ what }: { what: string }) => what)).toEqual(['queued', 'repeated', 'sent']);
  });
});

describe('an erasure', () => {
  it('takes the person out of the ledger, and leaves what happened', async () => {
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
