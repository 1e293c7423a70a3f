// What happens to those on the way when their journey is held, stopped or edited, and when they are erased.
import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeDynamicList } from '../../../../test/dynamic-lists.js';
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
import { makeContact, sendEvents } from '../../../../test/events.js';
import { sql } from '../../../db/sql.js';

const t = useApp({ work: true });
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await tenantWithDomain(t);
});

let made = 0;
const person = async () => {
  const email = `l${++made}@x.io`;
  return { email, contactId: await makeContact(tenant, email) };
};
const enroll = (journeyId: string, ...contactIds: string[]) =>
  tenant.post(`/v2/journeys/${journeyId}/enroll`, { contactIds });
/** It has begun to wait. */
const stands = ({ stepId, dueAt, enteredAt }: ShownEnrolment) =>
  stepId === 'wait' && dueAt !== null && Date.parse(dueAt) > Date.parse(enteredAt) + 60_000;
const wait = { id: 'wait', type: 'delay', for: 'P1D' };
const move = async (journeyId: string, definition: object, inFlight: string) => {
  const { body } = await tenant.get(`/v2/journeys/${journeyId}`);
  const headers = { 'if-match': `"${body.data.revision}"` };
  const reply = await tenant.patch(`/v2/journeys/${journeyId}`, { definition, inFlight }, headers);
  if (reply.status !== 200) throw new Error(reply.text);
};

const awaiting = (eventName: string) => [
  {
    ...{ id: 'wait', type: 'waitUntil', timeout: 'P1D', onTimeout: null },
    branches: [{ event: { eventName }, next: 'end' }],
  },
  { id: 'end', type: 'exit', reason: 'came' },
];

describe('a paused journey', () => {
  it('remembers events for those who entered it meanwhile, too', async () => {
    const { email, contactId } = await person();
    const eventName = `entered_${made}`;
    const journeyId = await startJourney(tenant, { entry: { api: true }, steps: awaiting(eventName) });
    await tenant.post(`/v2/journeys/${journeyId}/pause`);
    await enroll(journeyId, contactId);
    await sendEvents(tenant, [{ eventName, email }]);
    await tenant.post(`/v2/journeys/${journeyId}/resume`);
    expect(await untilEnrolment(tenant, journeyId, hasEnded)).toMatchObject({ state: 'exited', reason: 'came' });
  });

  it('moves no contact, remembers events, and goes on when it is resumed', async () => {
    const { email, contactId } = await person();
    const eventName = `resumed_${made}`;
    const steps = awaiting(eventName);
    const journeyId = await startJourney(tenant, { entry: { api: true }, steps });
    await enroll(journeyId, contactId);
    await untilEnrolment(tenant, journeyId, stands);
    await tenant.post(`/v2/journeys/${journeyId}/pause`);
    await sendEvents(tenant, [{ eventName, email }]);
    const other = await startJourney(tenant, { entry: { api: true }, steps: [{ id: 'x', type: 'exit' }] });
    await enroll(other, contactId);
    await untilEnrolment(tenant, other, hasEnded);
    expect(await untilEnrolment(tenant, journeyId, () => true)).toMatchObject({ state: 'active', stepId: 'wait' });
    await tenant.post(`/v2/journeys/${journeyId}/resume`);
    expect(await untilEnrolment(tenant, journeyId, hasEnded)).toMatchObject({ reason: 'came' });
  });
});

describe('a deactivated journey', () => {
  it('ends those on the way, and skips what has not been sent', async () => {
    const { contactId } = await person();
    const emailId = await makeEmail(tenant);
    // A window that is closed now, so that the message waits.
    const hour = new Date().getUTCHours();
    const from = `${String((hour + 4) % 24).padStart(2, '0')}:00`;
    const to = `${String((hour + 5) % 24).padStart(2, '0')}:00`;
    const journeyId = await startJourney(tenant, {
      entry: { api: true },
      steps: [{ id: 'mail', type: 'sendEmail', emailId }, wait],
      window: { from, to, timeZone: 'UTC' },
    });
    await enroll(journeyId, contactId);
    await untilEnrolment(tenant, journeyId, stands);
    await tenant.post(`/v2/journeys/${journeyId}/deactivate`);
    const ended = await untilEnrolment(tenant, journeyId, hasEnded);
    expect(ended).toMatchObject({ state: 'exited', reason: 'journeyStopped', dueAt: null });
    const { body } = await tenant.get(`/v2/messages?journeyId=${journeyId}`);
    expect(body.data).toEqual([expect.objectContaining({ state: 'skipped', reason: 'journeyStopped' })]);
    const { pagination } = (await tenant.get(`/v2/journeys/${journeyId}/enrolments?state=exited`)).body;
    expect(pagination.totalElements).toBe(1);
  });
});

describe('an edit of an active journey', () => {
  const definition = (steps: object[]) => ({ entry: { api: true }, steps });

  it('with move puts a contact on the step of the same id, and one whose step is gone stays', async () => {
    const [one, two] = [await person(), await person()];
    const journeyId = await startJourney(tenant, {
      ...definition([
        {
          id: 'who',
          type: 'branch',
          cases: [{ filter: { contact: 'email', is: two.email }, next: 'old' }],
          otherwise: 'wait',
        },
        { ...wait, next: null },
        { id: 'old', type: 'delay', for: 'P1D' },
      ]),
    });
    await enroll(journeyId, one.contactId, two.contactId);
    const both = await until(
      () => enrolmentsOf(tenant, journeyId),
      (all) => all.length === 2 && all.every(({ dueAt, stepId }) => dueAt !== null && stepId !== 'who'),
    );
    const entered = Date.parse(both.find(({ contactId }) => contactId === one.contactId)?.enteredAt as string);
    await move(journeyId, definition([{ id: 'wait', type: 'delay', for: 'P2D' }]), 'move');
    const moved = await until(
      () => enrolmentsOf(tenant, journeyId),
      (all) =>
        all.some(({ version, dueAt }) => version === 2 && Date.parse(dueAt as string) > entered + 47 * 3_600_000),
    );
    expect(moved.find(({ contactId }) => contactId === two.contactId)).toMatchObject({ version: 1, stepId: 'old' });
    const id = moved.find(({ version }) => version === 2)?.enrolmentId as string;
    expect((await timelineOf(tenant, journeyId, id)).map(({ what }) => what)).toContain('moved');
  });

  it('with finish lets those on the way finish their version', async () => {
    const { contactId } = await person();
    const journeyId = await startJourney(tenant, definition([wait]));
    await enroll(journeyId, contactId);
    const before = await untilEnrolment(tenant, journeyId, stands);
    await move(journeyId, definition([{ id: 'wait', type: 'exit' }]), 'finish');
    const other = await person();
    await enroll(journeyId, other.contactId);
    const all = await until(
      () => enrolmentsOf(tenant, journeyId, '&state=exited'),
      (ended) => ended.length === 1,
    );
    expect(all[0]).toMatchObject({ contactId: other.contactId, version: 2 });
    expect(await enrolmentsOf(tenant, journeyId, '&state=active')).toEqual([before]);
  });
});

describe('an erased contact', () => {
  it('leaves at once, and nothing says who it was', async () => {
    const { contactId, email } = await person();
    const eventName = `secret_${made}`;
    const journeyId = await startJourney(tenant, {
      entry: { event: { eventName } },
      steps: [{ id: 'set', type: 'updateProperty', property: 'note', value: { entry: 'note' } }, wait],
    });
    await sendEvents(tenant, [{ eventName, email, eventProperties: { note: 'a private note' } }]);
    await untilEnrolment(tenant, journeyId, stands);
    await tenant.done(await tenant.delete(`/v2/contacts/${contactId}`));
    const ended = await untilEnrolment(tenant, journeyId, hasEnded);
    expect(ended).toMatchObject({ contactId: null, state: 'exited', reason: 'erased', dueAt: null });
    await until(
      async () => t.db.rows(sql`select 1 from journey_news where tenant_id = ${tenant.tenantId} and journey_no = 0`),
      (marks) => marks.length === 0,
    );
    const timeline = await timelineOf(tenant, journeyId, ended.enrolmentId);
    expect(timeline.at(-1)).toMatchObject({ what: 'exited', detail: 'Reason: erased.' });
    expect(JSON.stringify(timeline)).not.toContain('private');
    const [row] = await t.db.rows(sql<{ words: unknown }>`
      select words from enrolment where tenant_id = ${tenant.tenantId} and enrolment_id = ${ended.enrolmentId}`);
    expect(row?.words).toBeNull();
    expect((await tenant.get(`/v2/journeys/${journeyId}/enrolments`)).body.data).toHaveLength(1);
  });
});

describe('what filters ask of journeys', () => {
  it('makes members of those who are or were there, as it changes', async () => {
    const { contactId } = await person();
    const eventName = `asked_${made}`;
    const journeyId = await startJourney(tenant, {
      entry: { api: true },
      steps: [
        {
          id: 'wait',
          type: 'waitUntil',
          branches: [{ event: { eventName }, next: null }],
          timeout: 'P1D',
          onTimeout: null,
        },
      ],
    });
    const states = ['entered', 'inProgress', 'completed', 'exited', 'goalReached'];
    const lists = new Map<string, string>();
    for (const state of states)
      lists.set(state, await makeDynamicList(tenant, { journeyId, state, withinLast: 'P1D' }, `${state} ${made}`));
    const holding = async () => {
      const found = [];
      for (const [state, id] of lists)
        if ((await tenant.get(`/v2/dynamic-lists/${id}`)).body.data.memberCount > 0) found.push(state);
      return found.join();
    };
    await enroll(journeyId, contactId);
    await until(holding, (found) => found === 'entered,inProgress');
    await sendEvents(tenant, [{ eventName, email: `l${made}@x.io` }]);
    await until(holding, (found) => found === 'entered,completed');
    const { body } = await tenant.get(`/v2/contacts/${contactId}/journeys`);
    expect(body.data).toEqual([expect.objectContaining({ journeyId, state: 'completed' })]);
  });

  it('is refused where there is no such journey', async () => {
    const reply = await tenant.post('/v2/dynamic-lists', {
      name: 'None',
      filter: { journeyId: '0'.repeat(24), state: 'entered' },
    });
    expect([reply.status, reply.body.errors[0].detail]).toEqual([400, 'filter.journeyId: there is no such journey']);
  });
});

describe('journeys that start one another', () => {
  it('end after ten, and the last of them says so', async () => {
    const { contactId, email } = await person();
    const eventName = `round_${made}`;
    const journeyId = await startJourney(tenant, {
      entry: { event: { eventName } },
      steps: [{ id: 'say', type: 'emitEvent', eventName }],
      reentry: 'always',
    });
    await sendEvents(tenant, [{ eventName, email }]);
    const all = await until(
      () => enrolmentsOf(tenant, journeyId, `&contactId=${contactId}`),
      (found) => found.length === 10 && found.every(hasEnded),
    );
    const last = await until(
      () => timelineOf(tenant, journeyId, all[0]?.enrolmentId as string),
      (timeline) => timeline.some(({ detail }) => detail?.includes('was not started') ?? false),
    );
    expect(last.filter(({ what }) => what === 'event')).toHaveLength(2);
    expect(await enrolmentsOf(tenant, journeyId)).toHaveLength(10);
  });
});

describe('a batch journey that has finished', () => {
  it('sends nothing more once it is deleted', async () => {
    const { contactId } = await person();
    const { staticListId } = (await tenant.post('/v2/lists', { name: `Finished ${made}` })).body.data;
    await tenant.post(`/v2/lists/${staticListId}/members`, { contactIds: [contactId] });
    const emailId = await makeEmail(tenant);
    // Not today: neither here nor anywhere.
    const day = ((new Date().getUTCDay() + 3) % 7) + 1;
    const window = { days: [day], from: '09:00', to: '10:00', timeZone: 'UTC' };
    const entry = { audience: { staticListId } };
    const journeyId = await startJourney(
      tenant,
      { entry, window, steps: [{ id: 'mail', type: 'sendEmail', emailId }] },
      'batch',
    );
    const status = async () => (await tenant.get(`/v2/journeys/${journeyId}`)).body.data.status;
    await until(status, (found) => found === 'inactive');
    const messages = async () => (await tenant.get(`/v2/messages?journeyId=${journeyId}`)).body.data;
    expect(await messages()).toMatchObject([{ state: 'queued' }]);
    expect((await tenant.delete(`/v2/journeys/${journeyId}`)).status).toBe(200);
    const [message] = await until(messages, ([found]) => found.state !== 'queued');
    expect(message).toMatchObject({ state: 'skipped', reason: 'journeyStopped' });
  });
});
