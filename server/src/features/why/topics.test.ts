// What /why, explanations and reach say of topics, through HTTP.
import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { makePending, makeTopic } from '../../../test/consent.js';
import { makeEmail } from '../../../test/emails.js';
import { engagementOf, html } from '../../../test/engagement.js';
import { enrolmentsOf, hasEnded, until } from '../../../test/enrolments.js';
import { makeActive, makeJourney } from '../../../test/journeys.js';
import { type Mailer, makeMailer } from '../../../test/messages.js';

const t = useApp({ work: true });
let tenant: Mailer;
let made = 0;
beforeAll(async () => {
  tenant = await makeMailer(t, { html });
});
const { sent } = engagementOf(t, () => tenant);
const today = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date());
const why = async (query: Record<string, string>) =>
  (await tenant.get(`/v2/why?${new URLSearchParams(query)}`)).body.data;
const say = (contactId: string, topicId: string, state: string) =>
  tenant.put(`/v2/contacts/${contactId}/topics/${topicId}`, { state });
/** A topic, and an email of it. */
async function about(byDefault: string) {
  const name = `Product news ${++made}`;
  const topicId = await makeTopic(tenant, name, { byDefault });
  return { name, topicId, emailId: await makeEmail(tenant, { name: `About ${name}`, topicId }) };
}
const mail = (emailId: string, change = {}) => ({
  id: `mail${emailId.slice(-4)}`,
  type: 'sendEmail',
  emailId,
  ...change,
});
const person = (name: string) => tenant.contact(`${name}@example.com`);

describe('GET /why of mail that a topic kept back', () => {
  it('says since when and how the contact is not subscribed', async () => {
    const { name, topicId, emailId } = await about('subscribed');
    await tenant.patch(`/v2/emails/${tenant.emailId}`, { topicId });
    const { contactId, links } = await sent('left@example.com');
    await t.anonymous.post(links.unsubscribe, '', { 'content-type': 'application/x-www-form-urlencoded' });
    await tenant.patch(`/v2/emails/${tenant.emailId}`, { topicId: null });
    const messageId = await tenant.queue({ emailId, contactId });
    await tenant.until(messageId, 'skipped');
    const words = `is not subscribed to ${name} since ${today} (preference page)`;
    for (const thing of [{ messageId }, { emailId }]) {
      const told = await why({ contactId, ...thing });
      expect(told).toMatchObject({ holds: false });
      expect(told.sentence).toContain(`: the contact ${words}.`);
      expect(told.evidence).toContainEqual(
        expect.objectContaining({ kind: 'topic', holds: false, at: expect.any(String), text: `The contact ${words}.` }),
      );
    }
    await say(contactId, topicId, 'subscribed');
    const later = await why({ contactId, messageId });
    expect(later.sentence).toContain('the contact is not subscribed to the topic of the email');
    expect(later.evidence.map(({ kind }: { kind: string }) => kind)).not.toContain('topic');
  });

  it('tells a default and an open question apart, also before anything was sent', async () => {
    const { name, topicId, emailId } = await about('unsubscribed');
    const [silent, asked] = [await person('silent'), await person('asked')];
    await makePending(t, tenant, asked, topicId);
    const of = async (contactId: string) => {
      const { sentence, evidence } = await why({ contactId, emailId });
      return [sentence, evidence.find(({ kind }: { kind: string }) => kind === 'topic')];
    };
    expect(await of(silent)).toEqual([
      expect.stringContaining(`; also, the contact is not subscribed to ${name} by default.`),
      {
        ...{ at: null, holds: false, kind: 'topic', text: `The contact is not subscribed to ${name} by default.` },
        fact: { code: 'notSubscribed', topicId },
      },
    ]);
    const [, told] = await of(asked);
    expect(told.text).toBe(
      `The contact is not subscribed to ${name} since ${today} (form): they were asked to confirm and have not answered.`,
    );
    await say(silent, topicId, 'subscribed');
    expect((await of(silent))[1]).toBeUndefined();
  });

  it('says nothing of topics where transactional mail did not arrive', async () => {
    const { emailId } = await about('unsubscribed');
    const contactId = await person('receipt');
    await tenant.put('/v2/suppressions/receipt@example.com', { reason: 'manual' });
    const messageId = await tenant.queue({ emailId, contactId, transactional: true });
    await tenant.until(messageId, 'skipped');
    const { evidence } = await why({ contactId, messageId });
    expect(evidence.map(({ kind }: { kind: string }) => kind)).not.toContain('topic');
  });
});

describe('GET /journeys/{id}/explain', () => {
  it('says of each topic that the journey mails about whether mail may leave, and why it did not', async () => {
    const [news, tips] = [await about('unsubscribed'), await about('subscribed')];
    const contactId = await person('explained');
    const steps = [mail(news.emailId), mail(tips.emailId), { id: 'end', type: 'exit' }];
    const journeyId = await makeActive(tenant, { definition: { entry: { api: true }, steps } });
    const explained = async () =>
      (await tenant.get(`/v2/journeys/${journeyId}/explain?contactId=${contactId}`)).body.data;
    const before = await explained();
    const topics = before.reasons.filter(({ what }: { what: string }) => what === 'topic');
    expect(topics).toEqual([
      { at: null, what: 'topic', holds: false, detail: `The contact is not subscribed to ${news.name} by default.` },
      { at: null, what: 'topic', holds: true, detail: `The contact is subscribed to ${tips.name} by default.` },
    ]);
    expect((await why({ contactId, journeyId })).sentence).not.toContain('not subscribed');
    await tenant.post(`/v2/journeys/${journeyId}/enroll`, { contactIds: [contactId] });
    await until(
      () => enrolmentsOf(tenant, journeyId),
      ([one]) => one !== undefined && hasEnded(one),
    );
    await say(contactId, news.topicId, 'unsubscribed');
    const { reasons, messages } = await until(explained, ({ messages }) =>
      messages.every(({ state }: { state: string }) => state === 'skipped' || state === 'sent'),
    );
    const words = `The contact is not subscribed to ${news.name} since ${today} (API).`;
    const skipped = messages.find(({ emailId }: { emailId: string }) => emailId === news.emailId);
    expect(skipped).toMatchObject({ state: 'skipped', reason: words });
    expect(reasons).toContainEqual({ at: expect.any(String), what: 'topic', holds: false, detail: words });
    const { evidence } = await why({ contactId, journeyId });
    expect(evidence).toContainEqual(expect.objectContaining({ kind: 'topic', text: words }));
  });
});

describe('GET /journeys/{id}/reach', () => {
  async function reach(contactIds: string[], steps: object[]) {
    const { body } = await tenant.post('/v2/lists', { name: `Reached ${++made}` });
    const { staticListId } = body.data;
    await tenant.post(`/v2/lists/${staticListId}/members`, { contactIds });
    const definition = { entry: { audience: { staticListId } }, steps };
    const id = await makeJourney(tenant, { type: 'batch', definition });
    return (await tenant.get(`/v2/journeys/${id}/reach`)).body.data;
  }

  it('counts who is left out by topic, after those who are suppressed', async () => {
    const { name, topicId, emailId } = await about('subscribed');
    const people = await Promise.all(['yes', 'no', 'open', 'gone'].map((one) => person(`${one}-reach`)));
    const [, no, open, gone] = people as [string, string, string, string];
    await say(no, topicId, 'unsubscribed');
    await say(gone, topicId, 'unsubscribed');
    await makePending(t, tenant, open, topicId);
    await tenant.put('/v2/suppressions/gone-reach@example.com', { reason: 'unsubscribed' });
    const told = await reach(people, [mail(emailId)]);
    expect(told).toMatchObject({ audience: 4, enters: 4, getsMail: 1 });
    expect(told.leftOut).toEqual([
      { from: 'mail', reason: 'unsubscribed', count: 1, text: '1 contact has unsubscribed.' },
      { from: 'mail', reason: 'topic', count: 2, text: `2 contacts are not subscribed to “${name}”.` },
    ]);
    // Some mail gets to them.
    expect(await reach(people, [mail(emailId), mail(tenant.emailId)])).toMatchObject({ getsMail: 3 });
    expect(await reach(people, [mail(emailId), mail(emailId, { id: 'again', transactional: true })])).toMatchObject({
      ...{ getsMail: 4, leftOut: [] },
    });
    const other = await about('unsubscribed');
    await say(no, other.topicId, 'subscribed');
    const either = await reach(people, [mail(emailId), mail(other.emailId)]);
    expect([either.getsMail, either.leftOut[1].text]).toEqual([
      2,
      expect.stringMatching(/^1 contact is not subscribed to “.*” or “.*”\.$/),
    ]);
  });
});
