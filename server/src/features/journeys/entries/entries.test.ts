// Who enters a journey, and who does not: every kind of entry, who may enter again, enrolment by hand, runs and dates.
import { beforeAll, describe, expect, it } from 'vitest';
import { browserToken, makePerson, signedIn } from '../../../../test/accounts.js';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeDynamicList } from '../../../../test/dynamic-lists.js';
import { enrolmentsOf, startJourney, timelineOf, until, untilEnrolment } from '../../../../test/enrolments.js';
import { sendEvents } from '../../../../test/events.js';
import { entriesOf, made, out, stay } from '../../../../test/journeys/entries.js';

const t = useApp({ work: true });
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await t.tenant();
});

const { person, change, makeList, addTo, settle, whoIn } = entriesOf(() => tenant);

describe('an entry', () => {
  it('by event takes those that fit, acknowledged after the activation', async () => {
    const { email, contactId } = await person();
    const eventName = `ordered_${made}`;
    const send = (total: number) => sendEvents(tenant, [{ eventName, email, eventProperties: { total } }]);
    await send(100);
    const journeyId = await startJourney(tenant, {
      entry: { event: { eventName, where: { eventProperty: 'total', gte: 50 } } },
      steps: stay,
      reentry: 'always',
    });
    await send(10);
    await settle();
    expect(await whoIn(journeyId)).toEqual([]);
    await send(60);
    await settle();
    expect(await whoIn(journeyId)).toEqual([contactId]);
  });

  it('by joining takes those who join a static or a dynamic list, and not those who are in it', async () => {
    const [before, after] = [await person({ tier: 'gold' }), await person()];
    const staticListId = await makeList();
    const dynamicListId = await makeDynamicList(tenant, { property: 'tier', is: 'gold' }, `Gold ${made}`);
    await until(
      async () => (await tenant.get(`/v2/dynamic-lists/${dynamicListId}`)).body.data.state,
      (state) => state === 'ready',
    );
    await addTo(staticListId, before.contactId);
    const ofStatic = await startJourney(tenant, { entry: { joined: { staticListId } }, steps: stay });
    const ofDynamic = await startJourney(tenant, { entry: { joined: { dynamicListId } }, steps: stay });
    await addTo(staticListId, before.contactId, after.contactId);
    await change(after.contactId, { tier: 'gold' });
    expect(await untilEnrolment(tenant, ofStatic, () => true)).toMatchObject({ contactId: after.contactId });
    expect(await untilEnrolment(tenant, ofDynamic, () => true)).toMatchObject({ contactId: after.contactId });
  });

  it('by leaving takes those who leave a dynamic list', async () => {
    const { contactId } = await person({ rank: 'one' });
    const dynamicListId = await makeDynamicList(tenant, { property: 'rank', is: 'one' }, `One ${made}`);
    await until(
      async () => (await tenant.get(`/v2/dynamic-lists/${dynamicListId}`)).body.data.memberCount,
      (count) => count === 1,
    );
    const journeyId = await startJourney(tenant, { entry: { left: { dynamicListId } }, steps: stay });
    await change(contactId, { rank: 'two' });
    expect(await untilEnrolment(tenant, journeyId, () => true)).toMatchObject({ contactId });
  });

  it('by a changed property takes changes from and to what it says, and not what a contact is made with', async () => {
    const { contactId } = await person({ plan: 'free' });
    const entry = { propertyChanged: { property: 'plan', from: 'free', to: 'pro' } };
    const journeyId = await startJourney(tenant, { entry, steps: stay, reentry: 'always' });
    const madeSo = { email: `made${made}@x.io`, properties: { plan: 'pro' } };
    await tenant.done(await tenant.post('/v1/contacts', madeSo));
    await change(contactId, { plan: 'team' });
    await change(contactId, { plan: 'pro' });
    await settle();
    expect(await whoIn(journeyId)).toEqual([]);
    await change(contactId, { plan: 'free' });
    await change(contactId, { plan: 'pro' });
    await settle();
    expect(await whoIn(journeyId)).toEqual([contactId]);
  });
});

describe('who may enter again', () => {
  it.each([
    ['never', 1],
    ['always', 3],
    ['afterExit', 1],
    [{ after: 'P1D' }, 1],
  ])('%j: of three events at once, so many start one who stays: %i', async (reentry, expected) => {
    const { email } = await person();
    const eventName = `again_${made}`;
    const journeyId = await startJourney(tenant, { entry: { event: { eventName } }, steps: stay, reentry });
    await sendEvents(
      tenant,
      [1, 2, 3].map(() => ({ eventName, email })),
    );
    await settle();
    expect(await enrolmentsOf(tenant, journeyId)).toHaveLength(expected);
  });

  it('afterExit: each of three events starts one who leaves at once', async () => {
    const { email } = await person();
    const eventName = `left_${made}`;
    const entry = { event: { eventName } };
    const journeyId = await startJourney(tenant, { entry, steps: out, reentry: 'afterExit' });
    await sendEvents(
      tenant,
      [1, 2, 3].map(() => ({ eventName, email })),
    );
    await settle();
    expect(await enrolmentsOf(tenant, journeyId)).toHaveLength(3);
  });
});

describe('POST /v2/journeys/{id}/enroll', () => {
  it('enrols contacts, and names strangers and those who may not enter again', async () => {
    const [one, two] = [await person(), await person()];
    const journeyId = await startJourney(tenant, { entry: { api: true }, steps: stay });
    const first = await tenant.post(`/v2/journeys/${journeyId}/enroll`, { contactIds: [one.contactId, one.contactId] });
    expect(first.body).toMatchObject({ data: { enrolled: 1, skipped: 0 }, errors: [] });
    const stranger = '0'.repeat(32);
    const contactIds = [one.contactId, two.contactId, stranger, 'nobody'];
    const { status, body } = await tenant.post(`/v2/journeys/${journeyId}/enroll`, { contactIds });
    expect([status, body.data]).toEqual([200, { enrolled: 1, skipped: 1 }]);
    expect(body.errors.map((e: { errorCode: string; detail: string }) => [e.errorCode, e.detail])).toEqual([
      ['INVALID_STATE', one.contactId],
      ['CONTACTS_NOT_FOUND', stranger],
      ['CONTACTS_NOT_FOUND', 'nobody'],
    ]);
    const both = await until(
      () => enrolmentsOf(tenant, journeyId),
      (all) => all.every(({ stepId, dueAt }) => stepId === 'stay' && dueAt !== null),
    );
    expect(both).toHaveLength(2);
    const timeline = await timelineOf(tenant, journeyId, both[0]?.enrolmentId as string);
    expect(timeline[0]).toMatchObject({
      what: 'entered',
      detail: expect.stringMatching(/^They were enrolled by .+ with a token\.$/),
    });
  });

  it('says who did it in the console', async () => {
    const { contactId } = await person();
    const journeyId = await startJourney(tenant, { entry: { api: true }, steps: stay });
    const ada = await makePerson(t, { tenantId: tenant.tenantId, name: 'Ada Lovelace' });
    const token = await browserToken(await signedIn(t, ada));
    const { statusCode } = await t.app.http.inject({
      ...{ method: 'POST', url: `/v2/journeys/${journeyId}/enroll`, payload: { contactIds: [contactId] } },
      headers: { authorization: `Bearer ${token}` },
    });
    expect(statusCode).toBe(200);
    const { enrolmentId } = await untilEnrolment(tenant, journeyId, ({ stepId }) => stepId === 'stay');
    const [entered] = await timelineOf(tenant, journeyId, enrolmentId);
    expect(entered).toMatchObject({ what: 'entered', detail: 'They were enrolled by Ada Lovelace in the console.' });
  });

  it('is refused unless it is an active trigger journey', async () => {
    const { contactId } = await person();
    const draft = await tenant.post('/v2/journeys', { name: 'Draft', type: 'trigger' });
    const list = await makeList();
    const batch = await startJourney(
      tenant,
      { entry: { audience: { staticListId: list }, schedule: { cron: '0 9 * * *', timeZone: 'UTC' } }, steps: out },
      'batch',
    );
    for (const id of [draft.body.data.journeyId, batch]) {
      const { status, body } = await tenant.post(`/v2/journeys/${id}/enroll`, { contactIds: [contactId] });
      expect([status, body.errors[0].errorCode]).toEqual([409, 'INVALID_STATE']);
    }
    expect((await tenant.post(`/v2/journeys/${'0'.repeat(24)}/enroll`, { contactIds: [contactId] })).status).toBe(404);
  });

  it('is exact when many ask at once', async () => {
    const people = await Promise.all([1, 2, 3].map(() => person()));
    const journeyId = await startJourney(tenant, { entry: { api: true }, steps: stay });
    const contactIds = people.map(({ contactId }) => contactId);
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => tenant.post(`/v2/journeys/${journeyId}/enroll`, { contactIds })),
    );
    expect(replies.reduce((sum, { body }) => sum + body.data.enrolled, 0)).toBe(3);
    expect(await whoIn(journeyId)).toEqual([...contactIds].sort());
  });
});
