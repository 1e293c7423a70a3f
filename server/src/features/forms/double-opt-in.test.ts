// What forms do to what people agreed to: asked by mail over a real mail server, confirmed by its link.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { countsOf, logOf, makeTopic, statesOf } from '../../../test/consent.js';
import { makeEmail } from '../../../test/emails.js';
import { email, firstName, formCounts, makeForm, noBounds, postJson, settled, titleOf } from '../../../test/forms.js';
import { eventually, type Mailer, type MailServer, makeMailer, startMailServer } from '../../../test/messages.js';
import { sql } from '../../db/sql.js';
import { smtpTransport } from '../../mail/smtp.js';
import type { Transport } from '../../mail/transport.js';

let server: MailServer;
let smtp: Transport;
let mailer: Mailer;
let news: string;
let plain: string;
let now = new Date('2026-11-18T09:00:00.000Z');
const t = useApp({
  ...{ work: true, forms: noBounds, clock: { now: () => now, elapsed: () => performance.now() } },
  transport: { name: 'smtp', send: (message, stored) => smtp.send(message, stored), close: () => undefined },
});
beforeAll(async () => {
  server = await startMailServer();
  smtp = smtpTransport(server.url);
  mailer = await makeMailer(t);
  news = await makeTopic(mailer, 'News & views', { doubleOptIn: true });
  plain = await makeTopic(mailer, 'Plain');
});
afterAll(async () => {
  smtp.close();
  await server.close();
});

/** Waits for so many mails to an address, and answers the link of the last. */
async function linkTo(address: string, count = 1): Promise<string> {
  const mails = await eventually(
    async () => server.to(address).map(({ mail }) => mail.html ?? ''),
    ({ length }) => length >= count,
  );
  const link = /http:\/\/rapport\.test(\/t\/y\/[\w-]+)/.exec(mails[count - 1] ?? '')?.[1];
  if (!link) throw new Error('No link');
  return link;
}
const idOf = async (address: string) => (await mailer.get(`/v2/contacts/by-email/${address}`)).body.data.id as string;
const nothing = { 'content-type': 'application/x-www-form-urlencoded' };
const confirm = (link: string) => t.anonymous.post(link, '', nothing);
const put = (id: string, topicId: string, state: string) =>
  mailer.put(`/v2/contacts/${id}/topics/${topicId}`, { state });

describe('a form with a topic that asks', () => {
  it('makes pending, sends one mail, and its link subscribes, once, when it is posted', async () => {
    const form = await makeForm(mailer, { topicIds: [news], consentText: 'Yes, {{first_name}} <b>wants</b> news.' });
    const sent = await postJson(t, form.path, { email: ' Ada@Example.com ', first_name: 'Ada' });
    expect(sent.body).toEqual({ ok: true, pending: true });
    const [submission] = await settled(mailer, form.formId, 1);
    const id = await idOf('ada@example.com');
    expect(submission).toMatchObject({
      ...{ contactId: id, outcome: 'pending', reason: null, values: { email: 'ada@example.com', first_name: 'Ada' } },
    });
    expect(await statesOf(mailer, id)).toMatchObject({ news_views: 'pending' });
    const link = await linkTo('ada@example.com');
    const [{ mail, from } = {} as never] = server.to('ada@example.com');
    expect(mail.from?.address).toBe('no-reply@example.com');
    expect(from).toContain('@');
    expect(mail.html).toContain('News &amp; views');
    expect(mail.html).toContain('Yes, {{first_name}} &lt;b&gt;wants&lt;/b&gt; news.');
    // A scanner looks at it first.
    for (let i = 0; i < 2; i++) expect(titleOf((await t.anonymous.get(link)).text)).toBe('Is that right?');
    expect((await mailer.get(`/v2/forms/${form.formId}`)).body.data.counts.confirmed).toBe(0);
    expect(await statesOf(mailer, id)).toMatchObject({ news_views: 'pending' });
    const formAt = now.toISOString();
    now = new Date(now.getTime() + 3_600_000);
    const confirmed = await confirm(link);
    expect([confirmed.status, titleOf(confirmed.text)]).toEqual([200, 'Thank you, it is confirmed']);
    expect(await statesOf(mailer, id)).toMatchObject({ news_views: 'subscribed' });
    const log = (await mailer.get(`/v2/contacts/${id}/consent-log`)).body.data;
    const said = { topicId: news, formId: form.formId, text: 'Yes, {{first_name}} <b>wants</b> news.', at: formAt };
    expect(log).toEqual([
      { ...said, state: 'subscribed', source: 'confirmation', accountId: null },
      { ...said, state: 'pending', source: 'form', accountId: null },
    ]);
    const [row] = (await mailer.get(`/v2/contacts/${id}/topics`)).body.data.filter(
      ({ topicId }: { topicId: string }) => topicId === news,
    );
    expect(row).toMatchObject({ since: now.toISOString(), source: 'confirmation' });
    expect(await formCounts(mailer, form.formId)).toEqual([0, 1, 1, 0]);
    // Used: it never subscribes again.
    await put(id, news, 'unsubscribed');
    const again = await confirm(link);
    expect([again.status, titleOf(again.text)]).toEqual([200, 'This was confirmed before']);
    expect(titleOf((await t.anonymous.get(link)).text)).toBe('This was confirmed before');
    expect(await statesOf(mailer, id)).toMatchObject({ news_views: 'unsubscribed' });
    expect(await formCounts(mailer, form.formId)).toEqual([0, 1, 1, 0]);
    expect(server.to('ada@example.com')).toHaveLength(1);
  });

  it('asks with the email of the topic, in which nothing else changes', async () => {
    const html = '<p>Please <a href="{{confirm_url}}">confirm</a> {{data.topics}}</p>{{unsubscribe_url}}';
    const confirmEmailId = await makeEmail(mailer, { name: 'Asks', subject: 'Is it you?', html });
    const topicId = await makeTopic(mailer, 'Own mail', { doubleOptIn: true, confirmEmailId });
    const form = await makeForm(mailer, { topicIds: [topicId] });
    await postJson(t, form.path, { email: 'own@example.com' });
    const link = await linkTo('own@example.com');
    const [caught] = server.to('own@example.com');
    expect([caught?.mail.subject, caught?.mail.from?.address]).toEqual(['Is it you?', 'hello@example.com']);
    expect(caught?.mail.html).toContain('Own mail');
    expect((await confirm(link)).status).toBe(200);
    expect(await statesOf(mailer, await idOf('own@example.com'))).toMatchObject({ own_mail: 'subscribed' });
    // Changed since, so that it cannot be answered: the built-in one asks.
    await mailer.patch(`/v2/emails/${confirmEmailId}`, { html: '<p>Hello</p>{{unsubscribe_url}}' });
    await postJson(t, form.path, { email: 'later@example.com' });
    await linkTo('later@example.com');
    expect(server.to('later@example.com')[0]?.mail.subject).toBe('Please confirm your subscription');
  });

  it('asks in the language of the page', async () => {
    const form = await makeForm(mailer, { topicIds: [news] });
    await postJson(t, form.path, { email: 'grete@example.com' }, { 'accept-language': 'de-AT' });
    await linkTo('grete@example.com');
    expect(server.to('grete@example.com')[0]?.mail.subject).toBe('Bitte bestätigen Sie Ihre Anmeldung');
  });

  it('holds its links for 30 days', async () => {
    const form = await makeForm(mailer, { topicIds: [news] });
    await postJson(t, form.path, { email: 'slow@example.com' });
    const link = await linkTo('slow@example.com');
    const before = now;
    now = new Date(before.getTime() + 31 * 86_400_000);
    for (const reply of [await t.anonymous.get(link), await confirm(link)])
      expect([reply.status, titleOf(reply.text)]).toEqual([410, 'This link is too old']);
    expect(await statesOf(mailer, await idOf('slow@example.com'))).toMatchObject({ news_views: 'pending' });
    now = new Date(before.getTime() + 29 * 86_400_000);
    expect((await confirm(link)).status).toBe(200);
    expect(await statesOf(mailer, await idOf('slow@example.com'))).toMatchObject({ news_views: 'subscribed' });
  });

  it('takes no forged, cut or swapped link', async () => {
    const form = await makeForm(mailer, { topicIds: [news] });
    await postJson(t, form.path, { email: 'forged@example.com' });
    const link = await linkTo('forged@example.com');
    const token = link.slice('/t/y/'.length);
    const unsubscribe = /\/t\/u\/[\w-]+/.exec(server.to('forged@example.com')[0]?.raw.replace(/=\r\n/g, '') ?? '')?.[0];
    const bytes = Buffer.from(token, 'base64url');
    bytes[20] = (bytes[20] as number) ^ 1;
    const bad = [token.slice(0, -1), `${token}A`, bytes.toString('base64url'), unsubscribe?.slice(5) ?? 'x', '', 'x'];
    const opened = /\/t\/o\/([\w-]+)/.exec(server.to('forged@example.com')[0]?.mail.html ?? '')?.[1] ?? '';
    for (const each of [...bad, opened]) {
      const path = `/t/y/${each}`;
      for (const reply of [await t.anonymous.get(path), await confirm(path)]) expect(reply.status).toBe(404);
    }
    expect((await confirm(`/t/u/${token}`)).status).toBe(404);
    // A link of a transactional message that asked nothing.
    const html = '<a href="{{confirm_url}}">x</a>{{unsubscribe_url}}';
    const emailId = await makeEmail(mailer, { name: 'No question', html });
    const contactId = await mailer.contact('nobody@example.com');
    await mailer.queue({ emailId, contactId, transactional: true });
    expect((await confirm(await linkTo('nobody@example.com'))).status).toBe(404);
    expect(await statesOf(mailer, await idOf('forged@example.com'))).toMatchObject({ news_views: 'pending' });
  });
});

describe('mails that ask', () => {
  it('are three a day for an address and a topic, whatever the form and whatever happens in between', async () => {
    const [one, two] = [await makeForm(mailer, { topicIds: [news] }), await makeForm(mailer, { topicIds: [news] })];
    const address = 'often@example.com';
    for (const [i, { path, formId }] of [one, two, one, two, one].entries()) {
      expect((await postJson(t, path, { email: address })).body).toEqual({ ok: true, pending: true });
      await settled(mailer, formId, Math.ceil((i + 1) / 2));
      if (i === 1) await put(await idOf(address), news, 'unsubscribed');
    }
    await linkTo(address, 3);
    const other = await makeForm(mailer, { topicIds: [news, plain] });
    await postJson(t, other.path, { email: address });
    await settled(mailer, other.formId, 1);
    expect(await statesOf(mailer, await idOf(address))).toMatchObject({ news_views: 'pending', plain: 'subscribed' });
    const messages = (await mailer.get(`/v2/messages?email=${address}`)).body.data;
    expect(messages).toHaveLength(3);
    expect(new Set(server.to(address).map(({ mail }) => /\/t\/y\/[\w-]+/.exec(mail.html ?? '')?.[0])).size).toBe(3);
    now = new Date(now.getTime() + 86_400_001);
    await postJson(t, one.path, { email: address });
    await linkTo(address, 4);
  });

  it('are three for the same address in 50 forms at once', async () => {
    const forms = [];
    for (let i = 0; i < 50; i++) forms.push(await makeForm(mailer, { topicIds: [news] }));
    const replies = await Promise.all(forms.map(({ path }) => postJson(t, path, { email: 'crowd@example.com' })));
    expect(replies.map(({ status }) => status)).toEqual(forms.map(() => 200));
    for (const { formId } of forms) await settled(mailer, formId, 1);
    expect((await mailer.get('/v2/messages?email=crowd@example.com')).body.data).toHaveLength(3);
    expect((await mailer.get('/v2/contacts?search=crowd@example.com')).body.data).toHaveLength(1);
  });
});

describe('a form never takes away and never overrules', () => {
  it('leaves who is subscribed, and by default, as they are, without a mail; the answer is the same', async () => {
    const byDefault = await makeTopic(mailer, 'On', { byDefault: 'subscribed', doubleOptIn: true });
    const form = await makeForm(mailer, { topicIds: [news, byDefault] });
    const id = await mailer.contact('known@example.com');
    await put(id, news, 'subscribed');
    const { body } = await postJson(t, form.path, { email: 'known@example.com' });
    expect(body).toEqual({ ok: true, pending: true });
    const [submission] = await settled(mailer, form.formId, 1);
    expect(submission?.outcome).toBe('accepted');
    expect(await statesOf(mailer, id)).toMatchObject({ news_views: 'subscribed', on: 'subscribed' });
    expect(await logOf(mailer, id)).toEqual([['subscribed', 'api']]);
    expect((await mailer.get('/v2/messages?email=known@example.com')).body.data).toEqual([]);
    // Nothing is known of a new address: the default is no answer.
    await postJson(t, form.path, { email: 'unknown@example.com' });
    await settled(mailer, form.formId, 2);
    expect(await statesOf(mailer, await idOf('unknown@example.com'))).toMatchObject({
      news_views: 'pending',
      on: 'pending',
    });
  });

  it('asks who unsubscribed, also where the topic does not ask, and again who has not answered', async () => {
    const form = await makeForm(mailer, { topicIds: [plain] });
    const id = await mailer.contact('left@example.com');
    await put(id, plain, 'unsubscribed');
    expect((await postJson(t, form.path, { email: 'left@example.com' })).body).toEqual({ ok: true, pending: false });
    const [submission] = await settled(mailer, form.formId, 1);
    expect(submission?.outcome).toBe('pending');
    expect(await statesOf(mailer, id)).toMatchObject({ plain: 'pending' });
    await postJson(t, form.path, { email: 'left@example.com' });
    await confirm(await linkTo('left@example.com', 2));
    expect(await statesOf(mailer, id)).toMatchObject({ plain: 'subscribed' });
    expect(await logOf(mailer, id)).toEqual([
      ['unsubscribed', 'api'],
      ['pending', 'form'],
      ['subscribed', 'confirmation'],
    ]);
    await postJson(t, form.path, { email: 'fresh@example.com' });
    await settled(mailer, form.formId, 3);
    const fresh = await idOf('fresh@example.com');
    expect(await logOf(mailer, fresh)).toEqual([['subscribed', 'form']]);
    expect((await mailer.get('/v2/messages?email=fresh@example.com')).body.data).toEqual([]);
  });

  it.each(['bounced', 'complained', 'manual'])('does nothing for an address that %s suppresses', async (reason) => {
    const form = await makeForm(mailer, { topicIds: [news] });
    const address = `${reason}@example.com`;
    await mailer.put(`/v2/suppressions/${address}`, { reason });
    const sent = await postJson(t, form.path, { email: address, first_name: 'x' });
    expect([sent.status, sent.body]).toEqual([200, { ok: true, pending: true }]);
    const [submission] = await settled(mailer, form.formId, 1);
    const refused = () => formCounts(mailer, form.formId);
    expect(await eventually(refused, ([, , , n]) => n === 1)).toEqual([0, 0, 0, 1]);
    expect(submission).toMatchObject({ contactId: null });
    expect((await settled(mailer, form.formId, 1))[0]).toMatchObject({ outcome: 'refused', reason });
    expect((await mailer.get(`/v2/contacts/by-email/${address}`)).status).toBe(400);
    expect((await mailer.get(`/v2/messages?email=${address}`)).body.data).toEqual([]);
  });

  it('asks who unsubscribed from everything, and the answer lifts that suppression', async () => {
    const form = await makeForm(mailer, { topicIds: [plain] });
    const id = await mailer.contact('back@example.com');
    await mailer.put('/v2/suppressions/back@example.com', { reason: 'unsubscribed' });
    await postJson(t, form.path, { email: 'back@example.com' });
    const link = await linkTo('back@example.com');
    expect(await statesOf(mailer, id)).toMatchObject({ plain: 'pending' });
    await confirm(link);
    expect(await statesOf(mailer, id)).toMatchObject({ plain: 'subscribed' });
    expect((await mailer.get('/v2/suppressions?search=back@example.com')).body.data).toEqual([]);
    const properties = async () => (await mailer.get(`/v2/contacts/${id}`)).body.data.properties;
    await eventually(properties, (found) => found.unsubscribed === undefined);
  });

  it('lifts no other suppression, which came since', async () => {
    const form = await makeForm(mailer, { topicIds: [news] });
    await postJson(t, form.path, { email: 'angry@example.com' });
    const link = await linkTo('angry@example.com');
    await mailer.put('/v2/suppressions/angry@example.com', { reason: 'complained' });
    expect((await confirm(link)).status).toBe(200);
    const { data } = (await mailer.get('/v2/suppressions?search=angry@example.com')).body;
    expect(data).toMatchObject([{ reason: 'complained' }]);
  });
});

describe('properties and lists', () => {
  const size = { property: 'size', label: 'Size', type: 'select', options: ['S', 'M'] };
  const agree = { property: 'agreed', label: 'I agree', type: 'checkbox' };
  const propertiesOf = async (id: string) => (await mailer.get(`/v2/contacts/${id}`)).body.data.properties;
  const membersOf = async (listId: string) =>
    (await mailer.get(`/v2/lists/${listId}/members`)).body.data.map(
      ({ contactId }: { contactId: string }) => contactId,
    );
  const makeList = async (name: string): Promise<string> =>
    (await mailer.post('/v2/lists', { name })).body.data.staticListId;

  it('are filled in where they are missing, and the list is joined, when it is accepted', async () => {
    const listId = await makeList('Accepted');
    const form = await makeForm(mailer, { topicIds: [plain], fields: [email, firstName, size, agree], listId });
    const id = await mailer.contact('grace@example.com', { first_name: 'Grace' });
    await postJson(t, form.path, { email: 'grace@example.com', first_name: 'Mallory', size: 'M', agreed: true });
    expect((await settled(mailer, form.formId, 1))[0]?.outcome).toBe('accepted');
    expect(await propertiesOf(id)).toEqual({ first_name: 'Grace', size: 'M', agreed: true });
    expect(await membersOf(listId)).toEqual([id]);
    await postJson(t, form.path, { email: 'new@example.com', first_name: 'New', size: 'S' });
    await settled(mailer, form.formId, 2);
    expect(await propertiesOf(await idOf('new@example.com'))).toEqual({ first_name: 'New', size: 'S' });
  });

  it('change, and the list is joined, when it is confirmed, and not before', async () => {
    const listId = await makeList('Confirmed');
    const form = await makeForm(mailer, { topicIds: [news], fields: [email, firstName, size], listId });
    const id = await mailer.contact('linus@example.com', { first_name: 'Old' });
    await postJson(t, form.path, { email: 'linus@example.com', first_name: 'Linus', size: 'S' });
    const link = await linkTo('linus@example.com');
    expect(await propertiesOf(id)).toEqual({ first_name: 'Old' });
    expect(await membersOf(listId)).toEqual([]);
    await confirm(link);
    expect(
      await eventually(
        () => propertiesOf(id),
        ({ size: found }) => found === 'S',
      ),
    ).toEqual({
      ...{ first_name: 'Linus', size: 'S' },
    });
    expect(await membersOf(listId)).toEqual([id]);
  });

  it('are written where the list is gone, which is passed over', async () => {
    const listId = await makeList('Gone');
    const form = await makeForm(mailer, { topicIds: [plain], listId });
    expect((await mailer.delete(`/v2/lists/${listId}`)).status).toBe(200);
    await postJson(t, form.path, { email: 'nolist@example.com', first_name: 'No' });
    expect((await settled(mailer, form.formId, 1))[0]?.outcome).toBe('accepted');
    expect((await mailer.patch(`/v2/forms/${form.formId}`, { name: 'Renamed' })).status).toBe(200);
    expect((await t.anonymous.get(form.path)).status).toBe(200);
  });
});

describe('an erasure', () => {
  it('empties what a person sent, ends the link, and an address that comes back by a form is asked', async () => {
    const form = await makeForm(mailer, { topicIds: [plain] });
    const id = await mailer.contact('gone@example.com');
    await put(id, plain, 'unsubscribed');
    await postJson(t, form.path, { email: 'gone@example.com', first_name: 'Gone' });
    const link = await linkTo('gone@example.com');
    await mailer.done(await mailer.delete(`/v2/contacts/${id}`));
    const rows = await t.db.rows(sql<{ text: string }>`select s::text as text from form_submission s`);
    expect(rows.filter(({ text }) => text.includes('gone@example.com') || text.includes('Gone'))).toEqual([]);
    expect((await confirm(link)).status).toBe(404);
    expect(await formCounts(mailer, form.formId)).toEqual([0, 1, 0, 0]);
    await postJson(t, form.path, { email: 'gone@example.com' });
    await linkTo('gone@example.com', 2);
    const back = await idOf('gone@example.com');
    expect(await statesOf(mailer, back)).toMatchObject({ plain: 'pending' });
    expect(await logOf(mailer, back)).toEqual([
      ['unsubscribed', 'api'],
      ['pending', 'form'],
    ]);
  });
});

it('counts in topics exactly what was said', async () => {
  const topicId = await makeTopic(mailer, 'Counted', { doubleOptIn: true });
  const form = await makeForm(mailer, { topicIds: [topicId] });
  for (const name of ['a', 'b', 'c']) await postJson(t, form.path, { email: `${name}@count.example` });
  await settled(mailer, form.formId, 3);
  expect(await countsOf(mailer, topicId)).toEqual([0, 0, 3]);
  await confirm(await linkTo('b@count.example'));
  expect(await countsOf(mailer, topicId)).toEqual([1, 0, 2]);
});
