// "Why did this person (not) get this?", for every kind of thing, with what really happened.
import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { makeDynamicList } from '../../../test/dynamic-lists.js';
import { makeEmail } from '../../../test/emails.js';
import { enrolmentsOf } from '../../../test/enrolments.js';
import { sendEvents } from '../../../test/events.js';
import { makeActive, makeJourney } from '../../../test/journeys.js';
import { eventually, type Mailer, makeMailer } from '../../../test/messages.js';
import { usePost } from '../../../test/statistics.js';
import { newAssetId, newContactId } from '../../lib/ids.js';

const t = useApp(usePost().options);
const postless = useApp({ work: true });
let tenant: Mailer;
let ada: string;
beforeAll(async () => {
  tenant = await makeMailer(t, { subject: 'Hello' });
  ada = await tenant.contact('ada@x.io', { first_name: 'Ada', last_name: 'Lovelace' });
});

const ask = (query: Record<string, string>) => tenant.get(`/v2/why?${new URLSearchParams(query)}`);
const why = async (query: Record<string, string>) => {
  const { status, body, text } = await ask({ contactId: ada, ...query });
  if (status !== 200) throw new Error(text);
  return body.data;
};
const kinds = (told: { evidence: { kind: string; holds: boolean }[] }) =>
  told.evidence.map(({ kind, holds }) => `${holds ? '+' : '-'}${kind}`);
const today = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const on = (at: string) => today.format(Date.parse(at));
const wait = { id: 'wait', type: 'delay', for: 'P1D' };
let made = 0;

describe('a question', () => {
  it('names one contact and one thing, or is refused with what to say instead', async () => {
    const emailId = tenant.emailId;
    const faults = async (query: Record<string, string>) => {
      const { status, body } = await ask(query);
      return [status, body.errors[0].errorCode, body.errors[0].detail];
    };
    expect(await faults({ emailId })).toEqual([400, 'VALIDATION_ERROR', 'contactId']);
    expect(await faults({ contactId: ada, email: 'ada@x.io', emailId })).toEqual([400, 'VALIDATION_ERROR', 'email']);
    expect(await faults({ contactId: ada })).toEqual([400, 'VALIDATION_ERROR', 'journeyId']);
    expect(await faults({ contactId: ada, emailId, staticListId: newAssetId() })).toEqual([
      ...[400, 'VALIDATION_ERROR', 'staticListId'],
    ]);
  });

  it('about an unknown thing is a 404, about an unknown contact a 400', async () => {
    const thing = { emailId: tenant.emailId };
    for (const query of [{ contactId: newContactId() }, { contactId: 'x' }, { email: 'nobody@x.io' }, { email: '' }]) {
      const { status, body } = await ask({ ...query, ...thing });
      expect([status, body.errors[0].errorCode]).toEqual([400, 'BAS-E-002']);
    }
    for (const key of ['journeyId', 'emailId', 'messageId', 'dynamicListId', 'staticListId'])
      for (const id of [newAssetId(), newContactId(), 'x', ''])
        expect((await ask({ contactId: ada, [key]: id })).status).toBe(404);
  });

  it('takes the address of the contact in any case, and shows who that is', async () => {
    const { status, body } = await ask({ email: ' ADA@x.io', emailId: tenant.emailId });
    expect(status).toBe(200);
    expect(body.data.contact).toEqual({ contactId: ada, email: 'ada@x.io', name: 'Ada Lovelace' });
    const nameless = await tenant.contact('nameless@x.io');
    expect((await why({ contactId: nameless, emailId: tenant.emailId })).contact.name).toBe('nameless@x.io');
  });
});

describe('an email', () => {
  it('that arrived is told with what sent it', async () => {
    const emailId = await makeEmail(tenant, { name: `Direct ${++made}` });
    const messageId = await tenant.queue({ emailId, contactId: ada });
    const { sentAt } = await tenant.until(messageId, 'sent', 'delivered');
    const told = await why({ emailId });
    expect(told).toMatchObject({ holds: true, about: { kind: 'email', id: emailId, name: `Direct ${made}` } });
    expect(told.sentence).toBe(
      `Ada Lovelace got “Direct ${made}” on ${on(sentAt)}: it was sent to them directly, not by a journey.`,
    );
    expect(told.evidence[0]).toMatchObject({ kind: 'message', holds: true, ref: { kind: 'message', id: messageId } });
  });

  it('that a journey sent is told with what made the contact enter', async () => {
    const emailId = await makeEmail(tenant, { name: `Welcome ${++made}` });
    const eventName = `signed_up_${made}`;
    const steps = [{ id: 'mail', type: 'sendEmail', emailId }, wait];
    const id = await makeActive(tenant, { name: 'Onboarding', definition: { entry: { event: { eventName } }, steps } });
    const before = await why({ emailId });
    expect(before.holds).toBe(false);
    expect(before.sentence).toBe(
      `Ada Lovelace did not get “Welcome ${made}”: the journey “Onboarding” sends it, but they never did “${eventName}”.`,
    );
    expect(before.evidence[0]).toMatchObject({ kind: 'entry', holds: false, ref: { kind: 'journey', id } });
    await sendEvents(tenant, [{ email: 'ada@x.io', eventName }]);
    const told = await eventually(
      () => why({ emailId }),
      ({ holds }) => holds,
    );
    expect(told.sentence).toMatch(/: the journey “Onboarding” sent it, because they did “signed_up_\d+”\.$/);
    expect(kinds(told)).toEqual(['+message', '+enrolment']);
  });

  it('that was skipped, or would be, is told with the suppression', async () => {
    const bob = await tenant.contact('bob@x.io', { first_name: 'Bob' });
    await tenant.put('/v2/suppressions/bob@x.io', { reason: 'unsubscribed' });
    const emailId = await makeEmail(tenant, { name: `News ${++made}` });
    const never = await why({ contactId: bob, emailId });
    expect(never.sentence).toBe(
      `Bob did not get “News ${made}”: no journey sends this email, and it was not sent to them directly; also, they unsubscribed.`,
    );
    expect(kinds(never)).toEqual(['-email', '-suppression']);
    await tenant.until(await tenant.queue({ emailId, contactId: bob }), 'skipped');
    const told = await why({ contactId: bob, emailId });
    expect(told).toMatchObject({
      holds: false,
      sentence: `Bob did not get “News ${made}”: they unsubscribed.`,
    });
    expect(kinds(told)).toEqual(['-message', '-suppression', '+email']);
  });

  it('that waits is told as not there yet, and one that arrived before counts more', async () => {
    const emailId = await makeEmail(tenant, { name: `Later ${++made}` });
    await tenant.queue({ emailId, contactId: ada, sendAt: '2099-05-01T10:00:00Z' });
    expect((await why({ emailId })).sentence).toBe(
      `Ada Lovelace has not received “Later ${made}” yet: it is queued until 1 May 2099 at 10:00.`,
    );
    await tenant.until(await tenant.queue({ emailId, contactId: ada }), 'sent', 'delivered');
    const told = await why({ emailId });
    expect([told.holds, kinds(told).filter((kind) => kind.endsWith('message'))]).toEqual([
      true,
      ['+message', '-message'],
    ]);
  });

  it('is explained by an active journey before a draft, and by the step where the contact stands', async () => {
    const emailId = await makeEmail(tenant, { name: `Second ${++made}` });
    const steps = [wait, { id: 'mail', type: 'sendEmail', emailId }];
    const definition = { entry: { api: true }, steps };
    const draft = await makeJourney(tenant, { name: 'Draft', definition });
    expect((await why({ emailId })).sentence).toMatch(/“Draft” sends it, but the journey is a draft/);
    const id = await makeActive(tenant, { name: 'Active', definition });
    await tenant.post(`/v2/journeys/${id}/enroll`, { contactIds: [ada] });
    await eventually(
      () => enrolmentsOf(tenant, id),
      ([first]) => first?.stepId === 'wait',
    );
    const told = await why({ emailId });
    expect(told.sentence).toMatch(/“Active” sends it, but they are at the step “wait”\.$/);
    expect(told.evidence[0]).toMatchObject({ kind: 'step', holds: false, ref: { kind: 'journey', id } });
    expect(told.evidence.some(({ ref }: { ref?: { id: string } }) => ref?.id === draft)).toBe(true);
  });
});

describe('a message', () => {
  it('is named by its subject, and is not found for another contact', async () => {
    const messageId = await tenant.queue({ contactId: ada });
    await tenant.until(messageId, 'sent', 'delivered');
    expect(await why({ messageId })).toMatchObject({
      ...{ holds: true, about: { kind: 'message', id: messageId, name: 'Hello' } },
      sentence: expect.stringMatching(/^Ada Lovelace got “Hello” on /),
    });
    const other = await tenant.contact(`other${++made}@x.io`);
    const told = await why({ contactId: other, messageId });
    expect([told.holds, told.evidence.length]).toEqual([false, 1]);
    expect(told.sentence).toMatch(/did not get “Hello”: the message was for another contact\.$/);
  });
});

describe('a journey', () => {
  it('is told by what kept the contact out, then by how it entered', async () => {
    const definition = {
      entry: { api: true },
      steps: [{ id: 'mail', type: 'sendEmail', emailId: tenant.emailId }, wait],
    };
    const id = await makeJourney(tenant, { name: 'Tour', definition });
    const before = await why({ journeyId: id });
    expect(before).toMatchObject({ holds: false, about: { kind: 'journey', id, name: 'Tour' } });
    expect(before.sentence).toBe(
      'Ada Lovelace has not entered “Tour”: the journey is a draft: no one enters until it is activated.',
    );
    expect(kinds(before)).toEqual(['-journey', '-entry', '-step']);
    await tenant.post(`/v2/journeys/${id}/activate`);
    await tenant.post(`/v2/journeys/${id}/enroll`, { contactIds: [ada] });
    const told = await eventually(
      () => why({ journeyId: id }),
      ({ holds }) => holds,
    );
    expect(told.sentence).toMatch(/^Ada Lovelace entered “Tour” on \d+ \w+ \d{4}: /);
    expect(kinds(told)[0]).toBe('+enrolment');
  });
});

describe('a list', () => {
  it('that is static is told by when the contact was added', async () => {
    const { body } = await tenant.post('/v2/lists', { name: 'Friends' });
    const { staticListId } = body.data;
    expect(await why({ staticListId })).toMatchObject({
      ...{ holds: false, about: { kind: 'staticList', id: staticListId, name: 'Friends' } },
      sentence: 'Ada Lovelace is not in “Friends”: they were never added, or were removed.',
    });
    await tenant.post(`/v2/lists/${staticListId}/members`, { contactIds: [ada] });
    const told = await why({ staticListId });
    expect(told.sentence).toBe(`Ada Lovelace is in “Friends”: they were added on ${on(told.evidence[0].at)}.`);
  });

  it('that is dynamic is told by the part of its filter that decides', async () => {
    const filter = {
      all: [
        { property: 'first_name', is: 'Ada' },
        { property: 'plan', is: 'pro' },
      ],
    };
    const dynamicListId = await makeDynamicList(tenant, filter, 'Pros');
    const out = await why({ dynamicListId });
    expect(out.sentence).toBe(
      'Ada Lovelace is not in “Pros”: it is not true that the contact’s property “plan” is “pro”.',
    );
    expect(out.evidence[0]).toMatchObject({ holds: false, kind: 'filter', text: expect.stringContaining('“plan”') });
    await tenant.done(await tenant.patch(`/v2/contacts/${ada}`, { properties: { plan: 'pro' } }));
    const told = await eventually(
      () => why({ dynamicListId }),
      ({ holds }) => holds,
    );
    expect(told.sentence).toMatch(
      /^Ada Lovelace has been in “Pros” since .+: the contact’s property “first_name” is “Ada”, and /,
    );
    expect(kinds(told)).toEqual(['+filter', '+filter', '+filter', '+list']);
  });
});

describe('without a mail server', () => {
  it('says that mail in the outbox did not arrive, whichever way it is asked', async () => {
    const own = await makeMailer(postless, { subject: 'Kept' });
    const contactId = await own.contact('kept@x.io', { first_name: 'Kay' });
    const mail = { id: 'mail', type: 'sendEmail', emailId: own.emailId };
    const id = await makeActive(own, { definition: { entry: { api: true }, steps: [mail] } });
    await own.post(`/v2/journeys/${id}/enroll`, { contactIds: [contactId] });
    const [{ messageId }] = await eventually(
      async () => (await own.get(`/v2/messages?contactId=${contactId}`)).body.data,
      ([one]) => one?.state === 'sent',
    );
    const asked = async (thing: Record<string, string>) =>
      (await own.get(`/v2/why?${new URLSearchParams({ contactId, ...thing })}`)).body.data;
    for (const thing of [{ messageId }, { emailId: own.emailId }]) {
      const { holds, sentence, evidence } = await asked(thing);
      expect(holds).toBe(false);
      expect(sentence).toMatch(/^Kay did not get “.*”: no mail server is set up, so it is kept in the outbox\.$/);
      expect(evidence[0]).toMatchObject({
        holds: false,
        text: 'No mail server is set up, so it is kept in the outbox.',
      });
    }
    const { evidence } = await asked({ journeyId: id });
    expect(evidence.at(-1)).toMatchObject({
      kind: 'step',
      holds: false,
      text: expect.stringMatching(/^“.*”, which the step “mail” sends, is kept in the outbox\.$/),
    });
  });
});
