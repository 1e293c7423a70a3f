// A person takes somebody out of a journey, or past a wait.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../../test/app.js';
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

const t = useApp({ work: true });
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await tenantWithDomain(t);
});

let made = 0;
/** They have begun to wait: who has only just entered is due at once. */
const isWaiting = ({ dueAt }: ShownEnrolment) => dueAt !== null && Date.parse(dueAt) > Date.now() + 86_400_000;

/** Somebody who has come to the step of this id in a new journey. */
async function someoneAt(stepId: string, steps: readonly object[], more: object = {}) {
  const email = `moved${++made}@example.com`;
  const contactId = await makeContact(tenant, email);
  const journeyId = await startJourney(tenant, { entry: { api: true }, steps, ...more });
  await tenant.post(`/v2/journeys/${journeyId}/enroll`, { contactIds: [contactId] });
  const { enrolmentId } = await untilEnrolment(tenant, journeyId, (one) => one.stepId === stepId && isWaiting(one));
  const path = `/v2/journeys/${journeyId}/enrolments/${enrolmentId}`;
  return { email, contactId, journeyId, enrolmentId, path };
}

const takeOut = (path: string, by = tenant) => by.post(`${path}/take-out`);
const skip = (path: string, stepId: string, by = tenant) => by.post(`${path}/skip-wait`, { stepId });
const told = ({ status, body }: Reply) => [status, body.errors[0]?.errorCode];
const lines = async (journeyId: string, enrolmentId: string) =>
  (await timelineOf(tenant, journeyId, enrolmentId)).map(({ what, detail = '' }) => `${what} ${detail}`.trim());
const figures = async (journeyId: string) => (await tenant.get(`/v2/journeys/${journeyId}/stats`)).body.data;

const wait = { id: 'wait', type: 'delay', for: 'P9D' };

describe('somebody who is taken out of a journey by a person', () => {
  it('leaves at once where they stand, with a line that says who did it', async () => {
    const { contactId, journeyId, enrolmentId, path } = await someoneAt('wait', [wait]);
    const { status, body } = await takeOut(path);
    expect([status, body.data]).toMatchObject([
      200,
      { enrolmentId, state: 'exited', reason: 'takenOut', stepId: 'wait', dueAt: null },
    ]);
    const last = (await lines(journeyId, enrolmentId)).at(-1);
    expect(last).toMatch(/^exited Taken out by .+ with a token\.$/);
    expect(await figures(journeyId)).toMatchObject({
      ...{ entered: 1, exited: 1, inProgress: 0 },
      steps: [{ stepId: 'wait', entered: 1, left: 1, inProgress: 0 }],
    });
    // A second click, and another person who had the page open.
    expect(told(await takeOut(path))).toEqual([409, 'INVALID_STATE']);
    expect(told(await skip(path, 'wait'))).toEqual([409, 'INVALID_STATE']);
    const log = await tenant.get(`/v2/audit-log?action=contact.taken-out`);
    expect(log.body.data.filter(({ subject }: { subject: string }) => subject === contactId)).toHaveLength(1);
  });

  it('gets no mail that still waits to leave', async () => {
    const emailId = await makeEmail(tenant);
    // Open for a minute at the other end of the day: whatever the time is, it is not inside.
    const hour = String((new Date().getUTCHours() + 12) % 24).padStart(2, '0');
    const window = { from: `${hour}:00`, to: `${hour}:01`, timeZone: 'UTC' };
    const { contactId, path } = await someoneAt('wait', [{ id: 'mail', type: 'sendEmail', emailId }, wait], { window });
    const mail = async () => (await tenant.get(`/v2/messages?contactId=${contactId}`)).body.data[0];
    expect(await mail()).toMatchObject({ state: 'queued' });
    expect((await takeOut(path)).status).toBe(200);
    expect(await mail()).toMatchObject({ state: 'skipped', reason: 'takenOut' });
  });

  it('can be taken out of a paused journey, and ends a batch that has no one else', async () => {
    const list = (await tenant.post('/v1/lists', { name: 'One person', folder: 'Moved' })).body.data;
    const contactId = await makeContact(tenant, 'batch@example.com');
    await tenant.post(`/v1/lists/${list.staticListId}/members`, { contactIds: [contactId] });
    const entry = { audience: { staticListId: list.staticListId } };
    const journeyId = await startJourney(tenant, { entry, steps: [wait] }, 'batch');
    const { enrolmentId } = await untilEnrolment(tenant, journeyId, isWaiting);
    await until(
      async () => (await tenant.get(`/v2/journeys/${journeyId}/runs`)).body.data[0],
      (run) => run.endedAt !== null,
    );
    expect((await tenant.post(`/v2/journeys/${journeyId}/pause`)).status).toBe(200);
    expect((await takeOut(`/v2/journeys/${journeyId}/enrolments/${enrolmentId}`)).status).toBe(200);
    expect((await tenant.get(`/v2/journeys/${journeyId}`)).body.data.status).toBe('inactive');
  });
});

describe('somebody who is taken past a wait', () => {
  it('goes on as if its time were up', async () => {
    const steps = [
      wait,
      {
        ...{ id: 'answer', type: 'waitUntil', timeout: 'P9D', onTimeout: 'late' },
        branches: [{ event: { eventName: 'answered' }, next: null }],
      },
      { id: 'late', type: 'exit', reason: 'late' },
    ];
    const { journeyId, enrolmentId, path } = await someoneAt('wait', steps);
    expect((await skip(path, 'wait')).body.data).toMatchObject({ state: 'active', stepId: 'wait' });
    await untilEnrolment(tenant, journeyId, (one) => one.stepId === 'answer' && isWaiting(one));
    // What the first page showed is not where they are now.
    expect(told(await skip(path, 'wait'))).toEqual([409, 'INVALID_STATE']);
    expect((await skip(path, 'answer')).status).toBe(200);
    const ended = await untilEnrolment(tenant, journeyId, hasEnded);
    expect(ended).toMatchObject({ state: 'exited', reason: 'late', stepId: 'late' });
    const said = await lines(journeyId, enrolmentId);
    expect(said.filter((line) => /^waiting Moved past this wait by .+ with a token\.$/.test(line))).toHaveLength(2);
    expect((await figures(journeyId)).steps).toMatchObject([
      { stepId: 'wait', entered: 1, left: 1 },
      { stepId: 'answer', entered: 1, left: 1 },
      { stepId: 'late', entered: 1, left: 1 },
    ]);
  });

  it('stays in a paused journey until it is resumed, and is taken past the wait once', async () => {
    const { journeyId, path } = await someoneAt('wait', [wait]);
    await tenant.post(`/v2/journeys/${journeyId}/pause`);
    const both = await Promise.all([skip(path, 'wait'), skip(path, 'wait')]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await enrolmentsOf(tenant, journeyId)).toMatchObject([{ state: 'active', stepId: 'wait' }]);
    await tenant.post(`/v2/journeys/${journeyId}/resume`);
    expect(await untilEnrolment(tenant, journeyId, hasEnded)).toMatchObject({ state: 'completed' });
  });

  it('reaches the goal all the same, if that came first', async () => {
    const goal = { filter: { event: 'bought' }, exit: true };
    const { email, journeyId, path } = await someoneAt('wait', [wait], { goal });
    await tenant.post(`/v2/journeys/${journeyId}/pause`);
    await sendEvents(tenant, [{ email, eventName: 'bought' }]);
    expect((await skip(path, 'wait')).status).toBe(200);
    await tenant.post(`/v2/journeys/${journeyId}/resume`);
    expect(await untilEnrolment(tenant, journeyId, hasEnded)).toMatchObject({ state: 'exited', reason: 'goal' });
  });
});

it('needs the scope WRITE, an enrolment of that journey, and a step that is named', async () => {
  const { enrolmentId, path } = await someoneAt('wait', [wait]);
  const other = await startJourney(tenant, { entry: { api: true }, steps: [wait] });
  const issued = await t.admin.post(`/admin/tenants/${tenant.tenantId}/tokens`, { name: 'reader', scopes: ['READ'] });
  const reader = { ...tenant, ...t.withToken(issued.body.data.token) };
  for (const reply of [await takeOut(path, reader), await skip(path, 'wait', reader)]) expect(reply.status).toBe(403);
  const elsewhere = `/v2/journeys/${other}/enrolments/${enrolmentId}`;
  for (const reply of [await takeOut(elsewhere), await skip(elsewhere, 'wait')])
    expect(told(reply)).toEqual([404, 'NOT_FOUND']);
  expect(told(await tenant.post(`${path}/skip-wait`, {}))).toEqual([400, 'VALIDATION_ERROR']);
  expect((await takeOut(path)).status).toBe(200);
});
