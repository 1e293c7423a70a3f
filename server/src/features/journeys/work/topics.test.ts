// Topics in journeys, through HTTP: what starts one, and what keeps a topic.
import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { logOf, makeContacts, makeTopic } from '../../../../test/consent.js';
import { engagementOf, html } from '../../../../test/engagement.js';
import {
  enrolmentsOf,
  hasEnded,
  startJourney,
  timelineOf,
  until,
  untilEnrolment,
} from '../../../../test/enrolments.js';
import { entriesOf, stay } from '../../../../test/journeys/entries.js';
import { makeJourney } from '../../../../test/journeys.js';
import { type Mailer, makeMailer } from '../../../../test/messages.js';

const t = useApp({ work: true });
let tenant: Mailer;
beforeAll(async () => {
  tenant = await makeMailer(t, { html: `${html}<a href="{{preferences_url}}">Preferences</a>` });
});
const { sent } = engagementOf(t, () => tenant);
const { person, settle, whoIn } = entriesOf(() => tenant);
const say = (contactId: string, topicId: string, state: string) =>
  tenant.put(`/v2/contacts/${contactId}/topics/${topicId}`, { state });
let made = 0;
const topic = (change = {}) => makeTopic(tenant, `Topic ${++made}`, change);
const set = (topicId: string, state: string, id = 'set') => ({ id, type: 'setTopic', topicId, state });
const enrol = (journeyId: string, ...contactIds: string[]) =>
  tenant.post(`/v2/journeys/${journeyId}/enroll`, { contactIds });

describe('an entry by topic', () => {
  it('takes who becomes so after the activation, once for each change', async () => {
    const topicId = await topic();
    const [early, late] = [await person(), await person()];
    await say(early.contactId, topicId, 'subscribed');
    const entry = { topic: { topicId, becomes: 'subscribed' } };
    const journeyId = await startJourney(tenant, { entry, steps: stay, reentry: 'always' });
    await say(early.contactId, topicId, 'subscribed');
    await say(late.contactId, topicId, 'unsubscribed');
    await settle();
    expect(await whoIn(journeyId)).toEqual([]);
    await say(late.contactId, topicId, 'subscribed');
    await say(late.contactId, topicId, 'subscribed');
    await settle();
    expect(await whoIn(journeyId)).toEqual([late.contactId]);
    await say(late.contactId, topicId, 'unsubscribed');
    await say(late.contactId, topicId, 'subscribed');
    await settle();
    expect(await whoIn(journeyId)).toEqual([late.contactId, late.contactId]);
    const [found] = await enrolmentsOf(tenant, journeyId);
    const [first] = await timelineOf(tenant, journeyId, found?.enrolmentId as string);
    expect(first).toMatchObject({
      ...{ what: 'entered', detail: `They became subscribed to ${topicId}.` },
      fact: { code: 'topicBecame', topicId, state: 'subscribed' },
    });
  });

  it('hears writes and links in mails too, and nothing of other topics or of what comes back with an address', async () => {
    const [topicId, other] = [await topic({ byDefault: 'subscribed' }), await topic()];
    const leave = await startJourney(tenant, { entry: { topic: { topicId, becomes: 'unsubscribed' } }, steps: stay });
    const key = (await tenant.get(`/v2/topics/${topicId}`)).body.data.key;
    const [written] = (await makeContacts(tenant, 'written@x.io')) as [string];
    const word = { email: 'written@x.io', topics: { [key]: 'unsubscribed' } };
    await tenant.done(await tenant.post('/v2/contacts/batch', { contacts: [word] }));
    await tenant.patch(`/v2/emails/${tenant.emailId}`, { topicId });
    const clicked = await sent('clicked@example.com');
    await t.anonymous.post(clicked.links.unsubscribe);
    await tenant.patch(`/v2/emails/${tenant.emailId}`, { topicId: null });
    await say((await person()).contactId, other, 'unsubscribed');
    await until(
      () => whoIn(leave),
      (who) => who.length === 2,
    );
    await tenant.done(await tenant.delete(`/v2/contacts/${written}`));
    const [back] = (await makeContacts(tenant, 'written@x.io')) as [string];
    expect(await logOf(tenant, back)).toEqual([['unsubscribed', 'api']]);
    await settle();
    expect((await enrolmentsOf(tenant, leave)).map(({ contactId }) => contactId)).not.toContain(back);
  });

  it('is explained: when they became so, or that they did not', async () => {
    const topicId = await topic();
    const [before, after, never] = [await person(), await person(), await person()];
    await say(before.contactId, topicId, 'subscribed');
    const journeyId = await startJourney(tenant, {
      entry: { topic: { topicId, becomes: 'subscribed' } },
      steps: stay,
    });
    await say(after.contactId, topicId, 'subscribed');
    await untilEnrolment(tenant, journeyId, () => true);
    const reasonOf = async (contactId: string) => {
      const { data } = (await tenant.get(`/v2/journeys/${journeyId}/explain?contactId=${contactId}`)).body;
      return data.reasons.find(({ what }: { what: string }) => what === 'entry');
    };
    const became = `became subscribed to the topic “Topic ${made}”`;
    expect(await reasonOf(after.contactId)).toMatchObject({ holds: true, detail: `They ${became} (API).` });
    expect(await reasonOf(before.contactId)).toMatchObject({
      ...{ holds: false, detail: `They ${became} before the journey was activated.` },
    });
    expect(await reasonOf(never.contactId)).toMatchObject({ holds: false, at: null, detail: `They never ${became}.` });
    const { data } = (await tenant.get(`/v2/journeys/${journeyId}/reach`)).body;
    expect(data).toMatchObject({ basis: 'last30Days', audience: 2, enters: 1 });
    expect(data.text).toContain('2 contacts became subscribed to the topic and stayed so');
  });
});

describe('a topic that a journey names', () => {
  const exit = { id: 'end', type: 'exit' };
  const places: [string, (topicId: string) => object][] = [
    ['entry.topic.topicId', (topicId) => ({ entry: { topic: { topicId, becomes: 'pending' } }, steps: [exit] })],
    ['steps[0].topicId', (topicId) => ({ entry: { api: true }, steps: [set(topicId, 'unsubscribed'), exit] })],
    [
      'exitWhen.none[0].topic',
      (topicId) => ({
        entry: { api: true },
        exitWhen: { none: [{ topic: topicId, is: 'subscribed' }] },
        steps: [exit],
      }),
    ],
    [
      'steps[0].cases[0].filter.topic',
      (topicId) => ({
        entry: { api: true },
        steps: [
          {
            id: 'ask',
            type: 'branch',
            cases: [{ filter: { topic: topicId, is: 'pending' }, next: 'end' }],
            otherwise: 'end',
          },
          exit,
        ],
      }),
    ],
  ];

  it.each(places)('has to be there, and stays as long as the journey names it: %s', async (place, definitionOf) => {
    const draft = await makeJourney(tenant, { definition: definitionOf('0'.repeat(24)) });
    const refused = await tenant.post(`/v2/journeys/${draft}/activate`);
    expect([refused.status, refused.body.errors[0].detail]).toEqual([
      400,
      expect.stringContaining(`definition.${place}: there is no such topic`),
    ]);
    const topicId = await topic();
    const id = await makeJourney(tenant, { name: 'The user', definition: definitionOf(topicId) });
    for (const move of ['activate', 'deactivate']) {
      const kept = await tenant.delete(`/v2/topics/${topicId}`);
      expect([kept.status, kept.body.errors[0]]).toMatchObject([
        409,
        { errorCode: 'INVALID_STATE', message: expect.stringContaining('the journey "The user"') },
      ]);
      expect((await tenant.post(`/v2/journeys/${id}/${move}`)).status).toBe(200);
    }
    expect((await tenant.delete(`/v2/topics/${topicId}`)).status).toBe(409);
    await tenant.patch(`/v2/journeys/${id}`, { definition: definitionOf(await topic()) });
    expect((await tenant.delete(`/v2/topics/${topicId}`)).status).toBe(200);
  });

  it.each([
    [{ topicId: 'x', state: 'subscribed' }, 'steps[0].topicId: nothing has this id'],
    [{ state: 'subscribed' }, 'steps[0]: "topicId" is wanted'],
    [{ topicId: '0'.repeat(24), state: 'pending' }, 'steps[0].state: "subscribed" or "unsubscribed" is wanted'],
  ])('is named in a step of two fields: %j', async (fields, fault) => {
    const definition = { entry: { api: true }, steps: [{ id: 'set', type: 'setTopic', ...fields }] };
    const { body } = await tenant.post('/v2/journeys/check', { type: 'trigger', definition });
    expect(body.data.faults.map(({ path, message }: Record<string, string>) => `${path}: ${message}`)).toContainEqual(
      expect.stringContaining(fault.replace(/^steps\[0\]: /, '')),
    );
  });

  it('is waited for: a wait and a goal hear when a contact says something', async () => {
    const topicId = await topic();
    const { contactId } = await person();
    const filter = { topic: topicId, is: 'subscribed' };
    const wait = {
      id: 'wait',
      type: 'waitUntil',
      branches: [{ filter, next: 'yes' }],
      timeout: 'P1D',
      onTimeout: null,
    };
    const journeyId = await startJourney(tenant, {
      ...{ entry: { api: true }, goal: { filter }, steps: [wait, { id: 'yes', type: 'exit', reason: 'yes' }] },
    });
    await enrol(journeyId, contactId);
    await untilEnrolment(tenant, journeyId, ({ dueAt }) => dueAt !== null);
    await say(contactId, topicId, 'subscribed');
    const ended = await untilEnrolment(tenant, journeyId, hasEnded);
    expect(ended).toMatchObject({ reason: 'yes', goalAt: expect.any(String) });
  });
});
