// What happens after a message is sent: opens, clicks, unsubscribes and provider reports, in the ledger, the contact and the figures.
import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { engagementOf, html, namesOf, person } from '../../../test/engagement.js';
import { eventually, type Mailer, makeMailer } from '../../../test/messages.js';
import { usualSettings } from './index.js';

const t = useApp({
  work: true,
  messages: { health: { ...usualSettings.health, leastMessages: 10 }, attemptSeconds: 2 },
});
let mailer: Mailer;

beforeAll(async () => {
  mailer = await makeMailer(t, { html, subject: 'Hi {{first_name}}' });
});
const propertiesOf = async (contactId: string, from = mailer) =>
  (await from.get(`/v2/contacts/${contactId}`)).body.data.properties;

const { sent, activityOf } = engagementOf(t, () => mailer);

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

  it('are a machine’s within three seconds, by a proxy, or when every link was followed at once, even in retrospect', async () => {
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
    // Recorded after them: once this one shows up, they would have too.
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

  it('shows what was sent, with the current properties, to a reader who looks again', async () => {
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

  it('keep the property unsubscribed, which nothing else can set, and reach contacts that come later', async () => {
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
