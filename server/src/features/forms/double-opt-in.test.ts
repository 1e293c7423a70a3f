// Mails that ask, over a real mail server, and what their links do.
import { describe, expect, it } from 'vitest';
import { makeTopic, statesOf } from '../../../test/consent.js';
import { makeEmail } from '../../../test/emails.js';
import { useFormMail } from '../../../test/form-mail.js';
import { formCounts, honeypot, makeForm, postJson, settled, titleOf } from '../../../test/forms.js';
import { eventually } from '../../../test/messages.js';
import { sql } from '../../db/sql.js';

const m = useFormMail();
const { t } = m;

describe('a form with a topic that asks', () => {
  it('makes pending, sends one mail, and its link subscribes, once, when it is posted', async () => {
    const form = await makeForm(m.mailer, {
      topicIds: [m.news],
      consentText: 'Yes, {{first_name}} <b>wants</b> news.',
    });
    const sent = await postJson(t, form.path, { email: ' Ada@Example.com ', first_name: 'Ada' });
    expect(sent.body).toEqual({ ok: true, pending: true });
    const [submission] = await settled(m.mailer, form.formId, 1);
    const id = await m.idOf('ada@example.com');
    expect(submission).toMatchObject({
      ...{ contactId: id, outcome: 'pending', reason: null, values: { email: 'ada@example.com', first_name: 'Ada' } },
    });
    expect(await statesOf(m.mailer, id)).toMatchObject({ news_views: 'pending' });
    const link = await m.linkTo('ada@example.com');
    const [{ mail, from } = {} as never] = m.server.to('ada@example.com');
    expect(mail.from?.address).toBe('no-reply@example.com');
    expect(from).toContain('@');
    expect(mail.html).toContain('News &amp; views');
    expect(mail.html).toContain('Yes, {{first_name}} &lt;b&gt;wants&lt;/b&gt; news.');
    // A scanner looks at it first.
    for (let i = 0; i < 2; i++) expect(titleOf((await t.anonymous.get(link)).text)).toBe('Please confirm');
    expect((await m.mailer.get(`/v2/forms/${form.formId}`)).body.data.counts.confirmed).toBe(0);
    expect(await statesOf(m.mailer, id)).toMatchObject({ news_views: 'pending' });
    const formAt = m.now.toISOString();
    m.now = new Date(m.now.getTime() + 3_600_000);
    const confirmed = await m.confirm(link);
    expect([confirmed.status, titleOf(confirmed.text)]).toEqual([200, 'Thank you for confirming']);
    expect(await statesOf(m.mailer, id)).toMatchObject({ news_views: 'subscribed' });
    const log = (await m.mailer.get(`/v2/contacts/${id}/consent-log`)).body.data;
    const said = { topicId: m.news, formId: form.formId, text: 'Yes, {{first_name}} <b>wants</b> news.', at: formAt };
    expect(log).toEqual([
      { ...said, state: 'subscribed', source: 'confirmation', accountId: null },
      { ...said, state: 'pending', source: 'form', accountId: null },
    ]);
    const [row] = (await m.mailer.get(`/v2/contacts/${id}/topics`)).body.data.filter(
      ({ topicId }: { topicId: string }) => topicId === m.news,
    );
    expect(row).toMatchObject({ since: m.now.toISOString(), source: 'confirmation' });
    expect(await formCounts(m.mailer, form.formId)).toEqual([0, 1, 1, 0]);
    // Used: it never subscribes again.
    await m.put(id, m.news, 'unsubscribed');
    const again = await m.confirm(link);
    expect([again.status, titleOf(again.text)]).toEqual([200, 'Already confirmed']);
    expect(titleOf((await t.anonymous.get(link)).text)).toBe('Already confirmed');
    expect(await statesOf(m.mailer, id)).toMatchObject({ news_views: 'unsubscribed' });
    expect(await formCounts(m.mailer, form.formId)).toEqual([0, 1, 1, 0]);
    expect(m.server.to('ada@example.com')).toHaveLength(1);
  });

  it('asks with the email of the topic, in which nothing else changes', async () => {
    const html = '<p>Please <a href="{{confirm_url}}">confirm</a> {{data.topics}}</p>{{unsubscribe_url}}';
    const confirmEmailId = await makeEmail(m.mailer, { name: 'Asks', subject: 'Is it you?', html });
    const topicId = await makeTopic(m.mailer, 'Own mail', { doubleOptIn: true, confirmEmailId });
    const form = await makeForm(m.mailer, { topicIds: [topicId] });
    await postJson(t, form.path, { email: 'own@example.com' });
    const link = await m.linkTo('own@example.com');
    const [caught] = m.server.to('own@example.com');
    expect([caught?.mail.subject, caught?.mail.from?.address]).toEqual(['Is it you?', 'hello@example.com']);
    expect(caught?.mail.html).toContain('Own mail');
    expect((await m.confirm(link)).status).toBe(200);
    expect(await statesOf(m.mailer, await m.idOf('own@example.com'))).toMatchObject({ own_mail: 'subscribed' });
    // Changed since, so that it cannot be answered: the built-in one asks.
    await m.mailer.patch(`/v2/emails/${confirmEmailId}`, { html: '<p>Hello</p>{{unsubscribe_url}}' });
    await postJson(t, form.path, { email: 'later@example.com' });
    await m.linkTo('later@example.com');
    expect(m.server.to('later@example.com')[0]?.mail.subject).toBe('Please confirm your subscription');
  });

  it('asks with the email itself, also a contact who has a version of it, which has no link', async () => {
    const html = '<p><a href="{{confirm_url}}">Yes</a></p>{{unsubscribe_url}}';
    const confirmEmailId = await makeEmail(m.mailer, { name: 'Versioned', subject: 'Asked', html });
    const topicId = await makeTopic(m.mailer, 'Versioned', { doubleOptIn: true, confirmEmailId });
    const contactId = await m.mailer.contact('versioned@example.com');
    const html2 = '<p>No link</p>{{unsubscribe_url}}';
    const version = { assetId: confirmEmailId, email: 'versioned@example.com', subject: 'Mine', html: html2 };
    const stored = await m.mailer.post('/v2/email-versions', version);
    expect(stored.status).toBe(200);
    const form = await makeForm(m.mailer, { topicIds: [topicId] });
    await postJson(t, form.path, { email: 'versioned@example.com' });
    await m.confirm(await m.linkTo('versioned@example.com'));
    expect(m.server.to('versioned@example.com')[0]?.mail.subject).toBe('Asked');
    expect(await statesOf(m.mailer, contactId)).toMatchObject({ versioned: 'subscribed' });
  });

  it('asks in the language of the page', async () => {
    const form = await makeForm(m.mailer, { topicIds: [m.news] });
    await postJson(t, form.path, { email: 'grete@example.com' }, { 'accept-language': 'de-AT' });
    await m.linkTo('grete@example.com');
    expect(m.server.to('grete@example.com')[0]?.mail.subject).toBe('Bitte bestätigen Sie Ihre Anmeldung');
  });

  it('holds its links for 30 days', async () => {
    const form = await makeForm(m.mailer, { topicIds: [m.news] });
    await postJson(t, form.path, { email: 'slow@example.com' });
    const link = await m.linkTo('slow@example.com');
    const before = m.now;
    m.now = new Date(before.getTime() + 31 * 86_400_000);
    for (const reply of [await t.anonymous.get(link), await m.confirm(link)])
      expect([reply.status, titleOf(reply.text)]).toEqual([410, 'This link has expired']);
    expect(await statesOf(m.mailer, await m.idOf('slow@example.com'))).toMatchObject({ news_views: 'pending' });
    m.now = new Date(before.getTime() + 29 * 86_400_000);
    expect((await m.confirm(link)).status).toBe(200);
    expect(await statesOf(m.mailer, await m.idOf('slow@example.com'))).toMatchObject({ news_views: 'subscribed' });
  });

  it('takes no forged, cut or swapped link', async () => {
    const form = await makeForm(m.mailer, { topicIds: [m.news] });
    await postJson(t, form.path, { email: 'forged@example.com' });
    const link = await m.linkTo('forged@example.com');
    const token = link.slice('/t/y/'.length);
    const unsubscribe = /\/t\/u\/[\w-]+/.exec(
      m.server.to('forged@example.com')[0]?.raw.replace(/=\r\n/g, '') ?? '',
    )?.[0];
    const bytes = Buffer.from(token, 'base64url');
    bytes[20] = (bytes[20] as number) ^ 1;
    const bad = [token.slice(0, -1), `${token}A`, bytes.toString('base64url'), unsubscribe?.slice(5) ?? 'x', '', 'x'];
    const opened = /\/t\/o\/([\w-]+)/.exec(m.server.to('forged@example.com')[0]?.mail.html ?? '')?.[1] ?? '';
    for (const each of [...bad, opened]) {
      const path = `/t/y/${each}`;
      for (const reply of [await t.anonymous.get(path), await m.confirm(path)]) expect(reply.status).toBe(404);
    }
    expect((await m.confirm(`/t/u/${token}`)).status).toBe(404);
    // A link of a transactional message that asked nothing.
    const html = '<a href="{{confirm_url}}">x</a>{{unsubscribe_url}}';
    const emailId = await makeEmail(m.mailer, { name: 'No question', html });
    const contactId = await m.mailer.contact('nobody@example.com');
    await m.mailer.queue({ emailId, contactId, transactional: true });
    expect((await m.confirm(await m.linkTo('nobody@example.com'))).status).toBe(404);
    expect(await statesOf(m.mailer, await m.idOf('forged@example.com'))).toMatchObject({ news_views: 'pending' });
  });
});

describe('GET /v2/forms/{formId}/days', () => {
  it('counts each thing on the day it happened, of UTC', async () => {
    const form = await makeForm(m.mailer, { topicIds: [m.news] });
    const days = async (query = '') =>
      (await m.mailer.get(`/v2/forms/${form.formId}/days${query}`)).body.data.days as Record<string, unknown>[];
    const begun = m.now;
    const dayOf = (at: Date) => at.toISOString().slice(0, 10);
    m.now = new Date(`${dayOf(begun)}T23:59:59.999Z`);
    const first = dayOf(m.now);
    await t.anonymous.get(form.path);
    await postJson(t, form.path, { email: 'days@example.com' });
    await postJson(t, form.path, { email: 'robot@example.com', [honeypot]: 'x' });
    const link = await m.linkTo('days@example.com');
    m.now = new Date(m.now.getTime() + 1);
    const second = dayOf(m.now);
    expect((await m.confirm(link)).status).toBe(200);
    await t.anonymous.get(form.path);
    await t.anonymous.get(form.path);
    expect(await days('?days=2')).toEqual([
      { day: first, viewed: 1, submitted: 1, confirmed: 0, refused: 1 },
      { day: second, viewed: 2, submitted: 0, confirmed: 1, refused: 0 },
    ]);
    expect(await days('?days=1')).toMatchObject([{ day: second }]);
    const usual = await days();
    expect(usual).toHaveLength(30);
    expect(usual[0]).toMatchObject({ viewed: 0, submitted: 0, confirmed: 0, refused: 0 });
    for (const wrong of ['0', '367', 'x', '1.5'])
      expect((await m.mailer.get(`/v2/forms/${form.formId}/days?days=${wrong}`)).status).toBe(400);
    expect((await m.mailer.delete(`/v2/forms/${form.formId}`)).status).toBe(200);
    expect((await m.mailer.get(`/v2/forms/${form.formId}/days`)).status).toBe(404);
    const left = await t.db.rows(sql`
      select counter from counter_delta where tenant_id = ${m.mailer.tenantId} and counter like ${`form:${form.formId}:%`}`);
    expect(left).toEqual([]);
  });

  it('moves a submission that turns out to be refused to the refused of its day', async () => {
    const form = await makeForm(m.mailer, {});
    await m.mailer.put('/v2/suppressions/gone@example.com', { reason: 'manual' });
    const { body } = await postJson(t, form.path, { email: 'gone@example.com' });
    expect(body).toEqual({ ok: true, pending: false });
    await settled(m.mailer, form.formId, 1);
    const counted = async () => (await m.mailer.get(`/v2/forms/${form.formId}/days?days=1`)).body.data.days[0];
    await eventually(counted, ({ refused }) => refused === 1);
    expect(await counted()).toMatchObject({ submitted: 0, refused: 1 });
  });
});

describe('mails that ask', () => {
  it('are three a day for an address and a topic, whatever the form and whatever happens in between', async () => {
    const [one, two] = [
      await makeForm(m.mailer, { topicIds: [m.news] }),
      await makeForm(m.mailer, { topicIds: [m.news] }),
    ];
    const address = 'often@example.com';
    for (const [i, { path, formId }] of [one, two, one, two, one].entries()) {
      expect((await postJson(t, path, { email: address })).body).toEqual({ ok: true, pending: true });
      await settled(m.mailer, formId, Math.ceil((i + 1) / 2));
      if (i === 1) await m.put(await m.idOf(address), m.news, 'unsubscribed');
    }
    await m.linkTo(address, 3);
    const other = await makeForm(m.mailer, { topicIds: [m.news, m.plain] });
    await postJson(t, other.path, { email: address });
    await settled(m.mailer, other.formId, 1);
    expect(await statesOf(m.mailer, await m.idOf(address))).toMatchObject({
      news_views: 'pending',
      plain: 'subscribed',
    });
    const messages = (await m.mailer.get(`/v2/messages?email=${address}`)).body.data;
    expect(messages).toHaveLength(3);
    expect(new Set(m.server.to(address).map(({ mail }) => /\/t\/y\/[\w-]+/.exec(mail.html ?? '')?.[0])).size).toBe(3);
    m.now = new Date(m.now.getTime() + 86_400_001);
    await postJson(t, one.path, { email: address });
    await m.linkTo(address, 4);
  });

  it('are three for the same address in 50 forms at once', async () => {
    const forms = [];
    for (let i = 0; i < 50; i++) forms.push(await makeForm(m.mailer, { topicIds: [m.news] }));
    const replies = await Promise.all(forms.map(({ path }) => postJson(t, path, { email: 'crowd@example.com' })));
    expect(replies.map(({ status }) => status)).toEqual(forms.map(() => 200));
    for (const { formId } of forms) await settled(m.mailer, formId, 1);
    expect((await m.mailer.get('/v2/messages?email=crowd@example.com')).body.data).toHaveLength(3);
    expect((await m.mailer.get('/v2/contacts?search=crowd@example.com')).body.data).toHaveLength(1);
  });
});
