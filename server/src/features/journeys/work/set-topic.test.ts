// What a step does to topics, through HTTP, and whom it never overrules.
import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { countsOf, leftTopics, logOf, makeContacts, makePending, makeTopic } from '../../../../test/consent.js';
import { engagementOf, html } from '../../../../test/engagement.js';
import {
  enrolmentsOf,
  hasEnded,
  startJourney,
  timelineOf,
  until,
  untilEnrolment,
} from '../../../../test/enrolments.js';
import { entriesOf } from '../../../../test/journeys/entries.js';
import { makeJourney } from '../../../../test/journeys.js';
import { type Mailer, makeMailer } from '../../../../test/messages.js';

const t = useApp({ work: true });
let tenant: Mailer;
beforeAll(async () => {
  tenant = await makeMailer(t, { html: `${html}<a href="{{preferences_url}}">Preferences</a>` });
});
const { sent } = engagementOf(t, () => tenant);
const { person, settle } = entriesOf(() => tenant);
const say = (contactId: string, topicId: string, state: string) =>
  tenant.put(`/v2/contacts/${contactId}/topics/${topicId}`, { state });
let made = 0;
const topic = (change = {}) => makeTopic(tenant, `Topic ${++made}`, change);
const set = (topicId: string, state: string, id = 'set') => ({ id, type: 'setTopic', topicId, state });
const enrol = (journeyId: string, ...contactIds: string[]) =>
  tenant.post(`/v2/journeys/${journeyId}/enroll`, { contactIds });
const details = async (journeyId: string, contactId: string) => {
  const [found] = await until(
    () => enrolmentsOf(tenant, journeyId, `&contactId=${contactId}`),
    ([one]) => one !== undefined && hasEnded(one),
  );
  const timeline = await timelineOf(tenant, journeyId, found?.enrolmentId as string);
  return timeline.flatMap(({ detail }) => detail ?? []);
};

describe('a step of the type setTopic', () => {
  it('changes states in bulk with the source journey, and later steps see it', async () => {
    const [topicId, other] = [await topic(), await topic({ byDefault: 'subscribed' })];
    const ids = await makeContacts(tenant, ...Array.from({ length: 60 }, (_, i) => `bulk${i}@x.io`));
    const steps = [
      set(topicId, 'subscribed'),
      set(other, 'unsubscribed', 'other'),
      {
        ...{ id: 'look', type: 'branch', otherwise: null },
        cases: [
          {
            filter: {
              all: [
                { topic: topicId, is: 'subscribed' },
                { topic: other, isNot: 'subscribed' },
              ],
            },
            next: 'yes',
          },
        ],
      },
      { id: 'yes', type: 'exit', reason: 'seen' },
    ];
    const journeyId = await startJourney(tenant, { entry: { api: true }, steps });
    await enrol(journeyId, ...ids);
    const ended = await until(
      () => enrolmentsOf(tenant, journeyId),
      (all) => all.length === 60 && all.every(hasEnded),
    );
    expect(new Set(ended.map(({ reason }) => reason))).toEqual(new Set(['seen']));
    expect([await countsOf(tenant, topicId), await countsOf(tenant, other)]).toEqual([
      [60, 0, 0],
      [0, 60, 0],
    ]);
    const [first] = ids as [string];
    expect(await logOf(tenant, first)).toEqual([
      ['subscribed', 'journey'],
      ['unsubscribed', 'journey'],
    ]);
    await expect.poll(() => leftTopics(tenant, first)).toEqual([other]);
    expect(await details(journeyId, first)).toEqual(
      expect.arrayContaining([`Subscribed to ${topicId}.`, `Unsubscribed from ${other}.`]),
    );
  });

  it('says so where it was said before', async () => {
    const topicId = await topic();
    const { contactId } = await person();
    await say(contactId, topicId, 'subscribed');
    const journeyId = await startJourney(tenant, { entry: { api: true }, steps: [set(topicId, 'subscribed')] });
    await enrol(journeyId, contactId);
    expect(await details(journeyId, contactId)).toContain(`Was already subscribed to ${topicId}.`);
    expect(await logOf(tenant, contactId)).toHaveLength(1);
  });

  it.each(['page', 'oneClick'])('never overrules what was said by %s, also while they are asked again', async (how) => {
    const topicId = await topic({ byDefault: 'subscribed' });
    await tenant.patch(`/v2/emails/${tenant.emailId}`, { topicId });
    const { contactId, links } = await sent(`${how.toLowerCase()}@example.com`);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    await t.anonymous.post(links.unsubscribe, how === 'oneClick' ? 'List-Unsubscribe=One-Click' : '', form);
    await tenant.patch(`/v2/emails/${tenant.emailId}`, { topicId: null });
    expect(await logOf(tenant, contactId)).toEqual([['unsubscribed', how]]);
    const asked = await person();
    await makePending(t, tenant, asked.contactId, topicId, how);
    const journeyId = await startJourney(tenant, {
      entry: { api: true },
      steps: [set(topicId, 'subscribed'), { id: 'out', type: 'exit', reason: 'went on' }],
    });
    await enrol(journeyId, contactId, asked.contactId);
    for (const id of [contactId, asked.contactId]) {
      expect(await details(journeyId, id)).toContain(`Not subscribed to ${topicId}: they unsubscribed on their own.`);
    }
    expect(await countsOf(tenant, topicId)).toEqual([0, 1, 1]);
    expect((await enrolmentsOf(tenant, journeyId)).map(({ reason }) => reason)).toEqual(['went on', 'went on']);
  });

  it('never overrules a person who said so after it had been said for them', async () => {
    const topicId = await topic({ byDefault: 'subscribed' });
    await tenant.patch(`/v2/emails/${tenant.emailId}`, { topicId });
    const { contactId, links } = await sent('later@example.com');
    await tenant.patch(`/v2/emails/${tenant.emailId}`, { topicId: null });
    await say(contactId, topicId, 'unsubscribed');
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    await t.anonymous.post(links.unsubscribe, 'List-Unsubscribe=One-Click', form);
    const journeyId = await startJourney(tenant, { entry: { api: true }, steps: [set(topicId, 'subscribed')] });
    await enrol(journeyId, contactId);
    expect(await details(journeyId, contactId)).toContain(
      `Not subscribed to ${topicId}: they unsubscribed on their own.`,
    );
    // It was no change.
    expect(await logOf(tenant, contactId)).toEqual([['unsubscribed', 'api']]);
    expect(await countsOf(tenant, topicId)).toEqual([0, 1, 0]);
  });

  it.each([
    ['said by the API', null],
    ['pending after nothing was said', 'pending'],
  ])('overrules what was %s', async (_, state) => {
    const topicId = await topic();
    const { contactId } = await person();
    if (state) await makePending(t, tenant, contactId, topicId);
    else await say(contactId, topicId, 'unsubscribed');
    const journeyId = await startJourney(tenant, { entry: { api: true }, steps: [set(topicId, 'subscribed')] });
    await enrol(journeyId, contactId);
    await untilEnrolment(tenant, journeyId, hasEnded);
    expect(await countsOf(tenant, topicId)).toEqual([1, 0, 0]);
  });

  it('may start journeys, which end as all chains do', async () => {
    const topicId = await topic();
    const { contactId } = await person();
    const entry = (becomes: string) => ({ topic: { topicId, becomes } });
    const rest = { reentry: 'always' };
    const on = await startJourney(tenant, {
      entry: entry('subscribed'),
      steps: [set(topicId, 'unsubscribed')],
      ...rest,
    });
    const off = await startJourney(tenant, {
      entry: entry('unsubscribed'),
      steps: [set(topicId, 'subscribed')],
      ...rest,
    });
    await say(contactId, topicId, 'subscribed');
    await until(
      async () => [...(await enrolmentsOf(tenant, on)), ...(await enrolmentsOf(tenant, off))],
      (all) => all.length === 10 && all.every(hasEnded),
    );
    await settle();
    expect((await enrolmentsOf(tenant, on)).length + (await enrolmentsOf(tenant, off)).length).toBe(10);
  });

  it('is simulated: nothing is written, later steps see it, and what was said on a page stands', async () => {
    const topicId = await topic();
    const [free, bound] = [await person(), await person()];
    await makePending(t, tenant, bound.contactId, topicId, 'page');
    const definition = {
      entry: { api: true },
      steps: [
        set(topicId, 'subscribed'),
        {
          id: 'look',
          type: 'branch',
          cases: [{ filter: { topic: topicId, is: 'subscribed' }, next: 'yes' }],
          otherwise: null,
        },
        { id: 'yes', type: 'exit', reason: 'seen' },
      ],
    };
    const id = await makeJourney(tenant, { definition });
    const { status, body, text } = await tenant.post(`/v2/journeys/${id}/simulate`, {
      contactIds: [free.contactId, bound.contactId],
    });
    expect(status, text).toBe(200);
    expect(body.data.contacts.map(({ endedAs }: { endedAs: string }) => endedAs)).toEqual(['exited', 'completed']);
    const [, second] = body.data.contacts;
    expect(second.timeline.map(({ detail }: { detail?: string }) => detail)).toContain(
      `Not subscribed to ${topicId}: they unsubscribed on their own.`,
    );
    expect(await countsOf(tenant, topicId)).toEqual([0, 0, 1]);
  });
});
