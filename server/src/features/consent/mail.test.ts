// What topics do to mail: what leaves, and what people say by its links.
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { useApp } from '../../../test/app.js';
import { countsOf, leftTopics, logOf, makeTopic, statesOf } from '../../../test/consent.js';
import { emailBody } from '../../../test/emails.js';
import { engagementOf, html } from '../../../test/engagement.js';
import { importsTo } from '../../../test/imports.js';
import { eventually, type Mailer, makeMailer } from '../../../test/messages.js';

const t = useApp({ work: true });
const page = `${html}<a href="{{preferences_url}}">Preferences</a>`;
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const titleOf = (body: string) => /<h1>(.*)<\/h1>/.exec(body)?.[1]?.replace(/<[^>]*>/g, '');
let mailer: Mailer;
let news: string;
beforeAll(async () => {
  mailer = await makeMailer(t, { html: page });
  news = await makeTopic(mailer, 'News', { byDefault: 'subscribed' });
  await mailer.patch(`/v2/emails/${mailer.emailId}`, { topicId: news });
});
const { sent } = engagementOf(t, () => mailer);
const put = (id: string, topicId: string, state: string) =>
  mailer.put(`/v2/contacts/${id}/topics/${topicId}`, { state });
const post = (path: string, body = '') => t.anonymous.post(path, body, form);
const outcome = async (body: object) => {
  const { state, reason } = await mailer.until(await mailer.queue(body), 'sent', 'skipped');
  return state === 'skipped' ? reason : state;
};

describe('an email', () => {
  it('has a topic in create, update, reads and history, and none unless told', async () => {
    const made = await mailer.post('/v2/emails', emailBody());
    const { emailId } = made.body.data;
    expect(made.body.data.topicId).toBeNull();
    const path = `/v2/emails/${emailId}`;
    expect((await mailer.patch(path, { topicId: news })).body.data.topicId).toBe(news);
    expect((await mailer.get(path)).body.data.topicId).toBe(news);
    expect((await mailer.get('/v2/emails')).body.data[0].topicId).toBe(news);
    expect((await mailer.get(`${path}/history`)).body.data[0].changed).toEqual(['topicId']);
    expect((await mailer.get(`${path}/history/1`)).body.data.topicId).toBeNull();
    await mailer.post(`${path}/restore`, { revision: 1 });
    expect((await mailer.get(path)).body.data.topicId).toBeNull();
    expect((await mailer.post('/v2/emails', emailBody({ topicId: news }))).body.data.topicId).toBe(news);
    for (const topicId of ['0'.repeat(24), 'x']) {
      const refused = await mailer.patch(path, { topicId });
      expect([refused.status, refused.body.errors[0].detail]).toEqual([400, 'topicId']);
    }
  });

  it('keeps its topic from being deleted', async () => {
    const topicId = await makeTopic(mailer, 'Kept');
    const { emailId } = (await mailer.post('/v2/emails', emailBody({ topicId }))).body.data;
    const refused = await mailer.delete(`/v2/topics/${topicId}`);
    expect([refused.status, refused.body.errors[0].errorCode]).toEqual([409, 'INVALID_STATE']);
    await mailer.delete(`/v2/emails/${emailId}`);
    expect((await mailer.delete(`/v2/topics/${topicId}`)).status).toBe(200);
  });
});

describe('a message of an email with a topic', () => {
  it('leaves to who is subscribed, or is by default, and is skipped for others; transactional mail passes', async () => {
    const contactId = await mailer.contact('who@example.com');
    expect(await outcome({ contactId })).toBe('sent');
    await put(contactId, news, 'unsubscribed');
    expect(await outcome({ contactId })).toBe('topic');
    expect(await outcome({ contactId, transactional: true })).toBe('sent');
    await put(contactId, news, 'subscribed');
    expect(await outcome({ contactId })).toBe('sent');
    const other = await makeTopic(mailer, 'Off by default');
    const { emailId } = (await mailer.post('/v2/emails', emailBody({ topicId: other }))).body.data;
    expect(await outcome({ emailId, contactId })).toBe('topic');
    await put(contactId, other, 'subscribed');
    expect(await outcome({ emailId, contactId })).toBe('sent');
  });

  it('is skipped as unsubscribed where the address is suppressed, whatever the topics say', async () => {
    const contactId = await mailer.contact('both@example.com');
    await put(contactId, news, 'unsubscribed');
    await mailer.put('/v2/suppressions/both@example.com', { reason: 'unsubscribed' });
    expect(await outcome({ contactId })).toBe('unsubscribed');
    await put(contactId, news, 'subscribed');
    expect(await outcome({ contactId })).toBe('unsubscribed');
  });
});

describe('one-click and the unsubscribe page of such a message', () => {
  it('end that topic alone; it is undone on the page; looking changes nothing', async () => {
    const { contactId, links, messageId } = await sent('leaver@example.com');
    const asked = await t.anonymous.get(links.unsubscribe);
    expect(titleOf(asked.text)).toBe('Unsubscribe from News?');
    expect(asked.text).toContain('All other emails will continue.');
    expect(await logOf(mailer, contactId)).toEqual([]);
    const done = await post(links.unsubscribe, 'List-Unsubscribe=One-Click');
    expect([done.status, titleOf(done.text)]).toEqual([200, 'You are unsubscribed from News']);
    expect((await post(links.unsubscribe)).status).toBe(200);
    expect(titleOf((await t.anonymous.get(links.unsubscribe)).text)).toBe('You are unsubscribed from News');
    expect(await logOf(mailer, contactId)).toEqual([['unsubscribed', 'oneClick']]);
    expect(await outcome({ contactId })).toBe('topic');
    expect((await mailer.get('/v2/suppressions?search=leaver')).body.data).toEqual([]);
    const left = await eventually(
      () => leftTopics(mailer, contactId),
      ({ length }) => length > 0,
    );
    expect(left).toEqual([news]);
    const activity = (await mailer.get(`/v2/contacts/${contactId}/marketing-activity`)).body.data;
    expect(activity[0]).toMatchObject({ eventName: 'unsubscribed', emailId: mailer.emailId, topicId: news });
    expect((await mailer.get(`/v2/contacts/${contactId}`)).body.data.properties).not.toHaveProperty('unsubscribed');
    const undone = await post(links.unsubscribe, 'undo=1');
    expect(titleOf(undone.text)).toBe('You are subscribed to News again');
    await post(links.unsubscribe);
    expect(await logOf(mailer, contactId)).toEqual([
      ['unsubscribed', 'oneClick'],
      ['subscribed', 'page'],
      ['unsubscribed', 'page'],
    ]);
    await eventually(
      () => leftTopics(mailer, contactId),
      ({ length }) => length === 2,
    );
    expect((await mailer.message(messageId)).timeline.map(({ what }: { what: string }) => what)).toContain(
      'unsubscribed',
    );
  });

  it('are activity each time, also where the person came back another way in between', async () => {
    const { contactId, links } = await sent('again@example.com');
    await post(links.unsubscribe, 'List-Unsubscribe=One-Click');
    await put(contactId, news, 'subscribed');
    await post(links.unsubscribe, 'List-Unsubscribe=One-Click');
    expect(await logOf(mailer, contactId)).toHaveLength(3);
    const left = await eventually(
      () => leftTopics(mailer, contactId),
      ({ length }) => length === 2,
    );
    expect(left).toEqual([news, news]);
  });

  it('offer everything as a second step, with its own undo', async () => {
    const { contactId, links } = await sent('everything@example.com');
    const done = await post(links.unsubscribe);
    expect(done.text).toContain(
      '<input type="hidden" name="all" value="1"><button type="submit" class="quiet">Unsubscribe from everything',
    );
    const all = await post(links.unsubscribe, 'all=1');
    expect(titleOf(all.text)).toBe('You are unsubscribed');
    expect(all.text).toContain('name="undo" value="1"><input type="hidden" name="all" value="1">');
    expect((await mailer.get('/v2/suppressions?search=everything')).body.data).toMatchObject([
      { reason: 'unsubscribed' },
    ]);
    expect(titleOf((await t.anonymous.get(links.unsubscribe)).text)).toBe('You are unsubscribed');
    await post(links.unsubscribe, 'undo=1&all=1');
    expect((await mailer.get('/v2/suppressions?search=everything')).body.data).toEqual([]);
    expect((await statesOf(mailer, contactId)).news).toBe('unsubscribed');
  });

  it('undo everything for good, also before the queue has told of it', async () => {
    const { contactId, links } = await sent('hasty@example.com');
    await importsTo(t).whileLocked(mailer.tenantId, async () => {
      await post(links.unsubscribe, 'all=1');
      expect((await mailer.get('/v2/suppressions?search=hasty')).body.data).toHaveLength(1);
      await post(links.unsubscribe, 'all=1&undo=1');
    });
    await mailer.done(await mailer.post('/v2/contacts/batch', { contacts: [{ email: 'hasty@example.com' }] }));
    expect((await mailer.get('/v2/suppressions?search=hasty')).body.data).toEqual([]);
    expect((await mailer.get(`/v2/contacts/${contactId}`)).body.data.properties).not.toHaveProperty('unsubscribed');
    expect(await outcome({ contactId })).toBe('sent');
  });

  it('are about the topic that the message left with, whatever the email has now', async () => {
    const [first, second] = [
      await makeTopic(mailer, 'First', { byDefault: 'subscribed' }),
      await makeTopic(mailer, 'Second'),
    ];
    const body = emailBody({ html: page, topicId: first });
    const emailId = (await mailer.post('/v2/emails', body)).body.data.emailId;
    const { contactId, links } = await sent('moved@example.com', {
      from: { ...mailer, queue: (more) => mailer.queue({ emailId, ...more }) },
    });
    await mailer.patch(`/v2/emails/${emailId}`, { topicId: second });
    await post(links.unsubscribe, 'List-Unsubscribe=One-Click');
    expect(await statesOf(mailer, contactId)).toMatchObject({ first: 'unsubscribed', second: 'unsubscribed' });
    expect(await countsOf(mailer, first)).toEqual([0, 1, 0]);
    expect(await countsOf(mailer, second)).toEqual([0, 0, 0]);
  });
});

describe('the preference page', () => {
  it('has every public topic and the private ones of who is subscribed, and saves what was touched by one POST', async () => {
    const tips = await makeTopic(mailer, 'Tips <b>&');
    const secret = await makeTopic(mailer, 'Secret plans', { visibility: 'private' });
    await makeTopic(mailer, 'Inner circle', { visibility: 'private', byDefault: 'subscribed' });
    const { contactId, links } = await sent('picky@example.com');
    const shown = await t.anonymous.get(links.preferences);
    expect([shown.status, titleOf(shown.text)]).toEqual([200, 'Your emails']);
    expect(shown.text).toContain('Tips &lt;b&gt;&amp;');
    expect(shown.text).toContain('Inner circle');
    expect(shown.text).not.toContain('Secret plans');
    expect(shown.text).not.toMatch(/<script|style=|\son\w+=/);
    expect(Buffer.byteLength(shown.text)).toBeLessThan(15 * 1024);
    expect(await logOf(mailer, contactId)).toEqual([]);
    const fields = [`was=${news}:1`, `was=${tips}:0`, `on=${tips}`, `was=${secret}:0`, `on=${secret}`, 'was=all:0'];
    const saved = await post(links.preferences, fields.join('&'));
    expect([saved.status, saved.text.includes('Your choices are saved.')]).toEqual([200, true]);
    expect(await statesOf(mailer, contactId)).toMatchObject({
      news: 'unsubscribed',
      tips_b: 'subscribed',
      secret_plans: 'unsubscribed',
    });
    expect((await logOf(mailer, contactId)).sort()).toEqual([
      ['subscribed', 'page'],
      ['unsubscribed', 'page'],
    ]);
    await put(contactId, secret, 'subscribed');
    expect((await t.anonymous.get(links.preferences)).text).toContain('Secret plans');
    await post(links.preferences, 'was=all:0&on=all');
    expect(await outcome({ contactId })).toBe('unsubscribed');
    await post(links.preferences, 'was=all:1');
    expect((await mailer.get('/v2/suppressions?search=picky')).body.data).toEqual([]);
    expect((await logOf(mailer, contactId)).length).toBe(3);
  });

  it('is saved with as many topics as there may be', async () => {
    const { contactId, links } = await sent('many@example.com');
    const others = Array.from({ length: 2000 }, (_, i) => i.toString(16).padStart(24, '0'));
    const body = [`was=${news}%3A1`, ...others.flatMap((id) => [`was=${id}%3A0`, `on=${id}`])].join('&');
    expect((await post(links.preferences, body)).status).toBe(200);
    expect((await statesOf(mailer, contactId)).news).toBe('unsubscribed');
  });

  it('takes one statement', async () => {
    const { links } = await sent('once@example.com');
    // The key of the tenant's links is remembered.
    await t.anonymous.get(links.preferences);
    const [row, rows, transaction] = [vi.spyOn(t.db, 'row'), vi.spyOn(t.db, 'rows'), vi.spyOn(t.db, 'transaction')];
    const asked = [row, rows, transaction];
    try {
      expect((await t.anonymous.get(links.preferences)).status).toBe(200);
      const texts = [...row.mock.calls, ...rows.mock.calls].map(([{ text }]) => text);
      // Others are at work beside it, in transactions and on connections of their own.
      expect(texts.filter((text) => text.includes('isUnsubscribed'))).toHaveLength(1);
      expect(texts.filter((text) => /contact_topic|branding|tenant_key/.test(text))).toHaveLength(1);
    } finally {
      for (const spy of asked) spy.mockRestore();
    }
  });

  it('is there in the language of the browser, for who has the link alone, and gone with the person', async () => {
    const { contactId, links } = await sent('gone@example.com');
    const german = await t.anonymous.get(links.preferences, { 'accept-language': 'de' });
    expect(titleOf(german.text)).toBe('Ihre E-Mails');
    const token = links.unsubscribe.slice('/t/u/'.length);
    for (const bad of [`/t/p/${token}`, `${links.preferences}A`, links.preferences.replace(/.$/, '')])
      for (const answer of [await t.anonymous.get(bad), await post(bad, 'was=all:0&on=all')])
        expect(answer.status).toBe(404);
    await mailer.done(await mailer.delete(`/v2/contacts/${contactId}`));
    expect((await t.anonymous.get(links.preferences)).status).toBe(410);
    expect((await post(links.preferences, 'was=all:0&on=all')).status).toBe(410);
  });
});
