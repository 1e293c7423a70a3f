// Each kind of step, live: through the very app, with its worker.
import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import {
  enrolmentsOf,
  hasEnded,
  type ShownEnrolment,
  startJourney,
  timelineOf,
  until,
  untilEnrolment,
} from '../../../../test/enrolments.js';
import { makeContact, readEvents, sendEvents } from '../../../../test/events.js';
import { made, passagesOf, whats } from '../../../../test/journeys/passages.js';

const t = useApp({ work: true });
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await tenantWithDomain(t);
});

const { go } = passagesOf(() => tenant);

describe('a step', () => {
  it('of the type exit ends the enrolment with its reason', async () => {
    const { journeyId, contactId } = await go([{ id: 'out', type: 'exit', reason: 'enough' }]);
    const ended = await untilEnrolment(tenant, journeyId, hasEnded);
    expect(ended).toMatchObject({
      contactId,
      state: 'exited',
      reason: 'enough',
      stepId: 'out',
      version: 1,
      dueAt: null,
    });
    expect(whats(await timelineOf(tenant, journeyId, ended.enrolmentId))).toEqual(['entered', 'step', 'exited']);
  });

  it('of the type sendEmail queues one message with its place in the journey, and goes on', async () => {
    const emailId = await makeEmail(tenant, { html: '<p>{{event.order}}</p><a href="{{unsubscribe_url}}">x</a>' });
    const { journeyId, contactId } = await go([{ id: 'mail', type: 'sendEmail', emailId }]);
    const ended = await untilEnrolment(tenant, journeyId, hasEnded);
    expect(ended).toMatchObject({ state: 'completed', reason: null });
    const { body } = await tenant.get(`/v2/messages?contactId=${contactId}`);
    expect(body.data).toEqual([
      expect.objectContaining({ kind: 'journey', journeyId, enrolmentId: ended.enrolmentId, stepId: 'mail', emailId }),
    ]);
  });

  it('of the type branch takes the first case that holds, or otherwise', async () => {
    const steps = [
      {
        id: 'which',
        type: 'branch',
        cases: [
          { filter: { property: 'plan', is: 'free' }, next: 'a' },
          { filter: { property: 'plan', is: 'pro' }, next: 'b' },
        ],
        otherwise: null,
      },
      { id: 'a', type: 'exit', reason: 'a' },
      { id: 'b', type: 'exit', reason: 'b' },
    ];
    const pro = await go(steps, {}, { plan: 'pro' });
    expect(await untilEnrolment(tenant, pro.journeyId, hasEnded)).toMatchObject({ reason: 'b' });
    const none = await go(steps);
    expect(await untilEnrolment(tenant, none.journeyId, hasEnded)).toMatchObject({
      state: 'completed',
      stepId: 'which',
    });
  });

  it('of the type updateProperty writes, and the next step sees it', async () => {
    const steps = [
      { id: 'set', type: 'updateProperty', property: 'orders', value: { entry: ['order'] } },
      { id: 'look', type: 'branch', cases: [{ filter: { property: 'orders', is: 7 }, next: 'yes' }], otherwise: null },
      { id: 'yes', type: 'exit', reason: 'seen' },
    ];
    const { journeyId, contactId } = await go(steps);
    expect(await untilEnrolment(tenant, journeyId, hasEnded)).toMatchObject({ reason: 'seen' });
    const { body } = await tenant.get(`/v2/contacts/${contactId}/activity-log`);
    expect(body.data[0]).toMatchObject({ field: 'orders', newValue: 7, source: 'journey' });
  });

  it('of the types addToList and removeFromList changes members, and the next step sees it', async () => {
    const list = async () =>
      (await tenant.post('/v2/lists', { name: `List ${made}-${Math.random()}` })).body.data.staticListId;
    const [added, removed] = [await list(), await list()];
    const steps = [
      { id: 'in', type: 'addToList', staticListId: added },
      { id: 'look', type: 'branch', cases: [{ filter: { staticListId: added }, next: 'out' }], otherwise: null },
      { id: 'out', type: 'removeFromList', staticListId: removed },
      { id: 'also', type: 'addToList', staticListId: removed },
      { id: 'again', type: 'removeFromList', staticListId: removed },
      { id: 'end', type: 'exit', reason: 'through' },
    ];
    const { journeyId, contactId } = await go(steps);
    expect(await untilEnrolment(tenant, journeyId, hasEnded)).toMatchObject({ reason: 'through' });
    const members = async (id: string) =>
      (await tenant.get(`/v2/lists/${id}/members`)).body.data.map((row: { contactId: string }) => row.contactId);
    expect([await members(added), await members(removed)]).toEqual([[contactId], []]);
  });

  it('of the type emitEvent stores an event of the contact, which the next step sees and another journey enters by', async () => {
    const name = `emitted_${made}`;
    const other = await startJourney(tenant, {
      entry: { event: { eventName: name } },
      steps: [{ id: 'x', type: 'exit' }],
    });
    const steps = [
      { id: 'say', type: 'emitEvent', eventName: name, properties: { from: 'here' } },
      { id: 'look', type: 'branch', cases: [{ filter: { event: name }, next: 'yes' }], otherwise: null },
      { id: 'yes', type: 'exit', reason: 'seen' },
    ];
    const { journeyId, contactId } = await go(steps);
    expect(await untilEnrolment(tenant, journeyId, hasEnded)).toMatchObject({ reason: 'seen' });
    expect((await readEvents(tenant, contactId))[0]).toMatchObject({
      eventName: name,
      eventProperties: { from: 'here' },
    });
    expect(await untilEnrolment(tenant, other, hasEnded)).toMatchObject({ contactId });
  });

  it('of the type startJourney enrols the contact there', async () => {
    const other = await startJourney(tenant, { entry: { api: true }, steps: [{ id: 'x', type: 'exit' }] });
    const { contactId } = await go([{ id: 'start', type: 'startJourney', journeyId: other }]);
    expect(await untilEnrolment(tenant, other, hasEnded)).toMatchObject({ contactId, reason: 'exit' });
  });

  describe('of the type leaveJourney', () => {
    const wait = { id: 'wait', type: 'delay', for: 'P1D' };
    const leaves = (journeyId: string) => ({ id: 'leave', type: 'leaveJourney', journeyId });
    const stands = ({ stepId, dueAt, enteredAt }: ShownEnrolment) =>
      stepId === 'wait' && dueAt !== null && dueAt > enteredAt;
    const details = async (journeyId: string, { enrolmentId }: ShownEnrolment) =>
      (await timelineOf(tenant, journeyId, enrolmentId)).map(({ detail }) => detail);

    it('takes the contact out of another journey, once, and says so where there is nothing to leave', async () => {
      const { journeyId: left, contactId, email } = await go([wait]);
      await untilEnrolment(tenant, left, stands);
      const eventName = `left_${made}`;
      const journeyId = await startJourney(tenant, {
        ...{ entry: { event: { eventName } }, reentry: 'always', steps: [leaves(left)] },
      });
      await sendEvents(tenant, [{ eventName, email }]);
      const out = await untilEnrolment(tenant, left, hasEnded);
      expect(out).toMatchObject({ contactId, state: 'exited', reason: 'takenOut', stepId: 'wait', dueAt: null });
      expect((await details(left, out)).at(-1)).toBe(`Taken out by the journey ${journeyId}.`);
      const [first] = await enrolmentsOf(tenant, journeyId);
      await sendEvents(tenant, [{ eventName, email }]);
      const second = await until(
        async () => (await enrolmentsOf(tenant, journeyId)).find((one) => one.enrolmentId !== first?.enrolmentId),
        (found) => found !== undefined,
      );
      const vain = await until(
        () => details(journeyId, second as ShownEnrolment),
        (all) => all.includes(`They were not in the journey ${left}.`),
      );
      expect(vain).toContain(`Took them out of the journey ${left}.`);
      expect(await details(journeyId, first as ShownEnrolment)).not.toContain(`They were not in the journey ${left}.`);
      expect((await details(left, out)).filter((detail) => detail?.startsWith('Taken out'))).toHaveLength(1);
    });

    it('comes after what the steps before it did to that journey', async () => {
      const other = await startJourney(tenant, { entry: { api: true }, steps: [wait] });
      const { contactId } = await go([{ id: 'start', type: 'startJourney', journeyId: other }, leaves(other)]);
      expect(await untilEnrolment(tenant, other, hasEnded)).toMatchObject({ contactId, reason: 'takenOut' });
    });

    it('tells at once that a journey is not active', async () => {
      const other = await startJourney(tenant, { entry: { api: true }, steps: [wait] });
      await tenant.post(`/v2/journeys/${other}/deactivate`);
      const { journeyId } = await go([leaves(other)]);
      const ended = await untilEnrolment(tenant, journeyId, hasEnded);
      expect(await details(journeyId, ended)).toContain(`They were not in the journey ${other}.`);
    });

    it('ends the other enrolments of a contact where a journey names itself', async () => {
      const { journeyId, send } = await go([wait], { reentry: 'always' });
      const first = await untilEnrolment(tenant, journeyId, stands);
      const { body } = await tenant.get(`/v2/journeys/${journeyId}`);
      const definition = { ...body.data.definition, steps: [leaves(journeyId), wait] };
      const reply = await tenant.patch(`/v2/journeys/${journeyId}`, { definition, inFlight: 'finish' });
      expect(reply.status).toBe(200);
      await send();
      const both = await until(
        () => enrolmentsOf(tenant, journeyId),
        (all) => all.length === 2 && all.some(hasEnded),
      );
      expect(both.find(hasEnded)).toMatchObject({ enrolmentId: first.enrolmentId, reason: 'takenOut' });
      expect(both.find((one) => !hasEnded(one))).toMatchObject({ state: 'active', stepId: 'wait' });
    });

    it('goes round no longer than any chain, where two journeys leave and start one another', async () => {
      const made = async () => startJourney(tenant, { entry: { api: true }, reentry: 'always', steps: [wait] });
      const [one, other] = [await made(), await made()];
      const edit = async (journeyId: string, target: string) => {
        const { body } = await tenant.get(`/v2/journeys/${journeyId}`);
        const steps = [leaves(target), { id: 'start', type: 'startJourney', journeyId: target }];
        const definition = { ...body.data.definition, steps };
        expect((await tenant.patch(`/v2/journeys/${journeyId}`, { definition, inFlight: 'finish' })).status).toBe(200);
      };
      await edit(one, other);
      await edit(other, one);
      const contactId = await makeContact(tenant, 'circle@x.io');
      await tenant.post(`/v2/journeys/${one}/enroll`, { contactIds: [contactId] });
      const all = async () => [...(await enrolmentsOf(tenant, one)), ...(await enrolmentsOf(tenant, other))];
      const chain = await until(all, (found) => found.length >= 10 && found.every(hasEnded));
      expect(chain).toHaveLength(10);
    });
  });

  it('of the type split gives the same contact the same arm', async () => {
    const arms = [
      { name: 'A', percent: 50, next: 'a' },
      { name: 'B', percent: 50, next: 'b' },
    ];
    const steps = [
      { id: 'half', type: 'split', arms },
      { id: 'a', type: 'exit', reason: 'A' },
      { id: 'b', type: 'exit', reason: 'B' },
    ];
    const { journeyId, send } = await go(steps, { reentry: 'always' });
    await send();
    const two = await until(
      () => enrolmentsOf(tenant, journeyId),
      (all) => all.length === 2 && all.every(hasEnded),
    );
    expect(new Set(two.map(({ reason }) => reason)).size).toBe(1);
  });

  it('of the type delay waits as long as it says', async () => {
    const { journeyId } = await go([{ id: 'wait', type: 'delay', for: 'PT1S' }]);
    const ended = await untilEnrolment(tenant, journeyId, hasEnded);
    expect(Date.parse(ended.endedAt as string) - Date.parse(ended.enteredAt)).toBeGreaterThanOrEqual(1000);
  });
});
