// The edit of a dynamic list, as journeys see it: it makes no contact join, but a contact under way whose steps ask about the list looks again.
import { beforeAll, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { members, settled } from '../../../../test/audiences.js';
import { makeDynamicList } from '../../../../test/dynamic-lists.js';
import { enrolmentsOf, hasEnded, startJourney, untilEnrolment } from '../../../../test/enrolments.js';
import { makeContact } from '../../../../test/events.js';

const t = useApp({ work: true });
let tenant: TenantClient;
let contactId: string;
beforeAll(async () => {
  tenant = await t.tenant();
  contactId = await makeContact(tenant, 'a@x.io');
  await tenant.done(await tenant.patch(`/v1/contacts/${contactId}`, { properties: { plan: 'pro' } }));
});

let made = 0;
const pro = { property: 'plan', is: 'pro' };
const free = { property: 'plan', is: 'free' };
const makeList = async (filter: object) => {
  const listId = await makeDynamicList(tenant, filter, `List ${++made}`);
  await settled(t, tenant.tenantId);
  return listId;
};
const edit = async (listId: string, filter: object) =>
  expect((await tenant.patch(`/v2/dynamic-lists/${listId}`, { filter })).status).toBe(200);
const stay = [{ id: 'stay', type: 'delay', for: 'P1D' }];

/** A journey in which the contact waits. */
async function waitIn(definition: object): Promise<string> {
  const journeyId = await startJourney(tenant, { entry: { api: true }, ...definition });
  expect((await tenant.post(`/v2/journeys/${journeyId}/enroll`, { contactIds: [contactId] })).status).toBe(200);
  await untilEnrolment(tenant, journeyId, ({ stepId, dueAt }) => stepId !== null && dueAt !== null);
  return journeyId;
}

it('lets contacts leave whom exitWhen now means, those that the list has lost too', async () => {
  const gained = await makeList(free);
  const lost = await makeList(pro);
  const byGain = await waitIn({ steps: stay, exitWhen: { dynamicListId: gained } });
  const byLoss = await waitIn({ steps: stay, exitWhen: { none: [{ dynamicListId: lost }] } });
  await edit(gained, pro);
  await edit(lost, free);
  for (const journeyId of [byGain, byLoss])
    expect(await untilEnrolment(tenant, journeyId, hasEnded)).toMatchObject({ state: 'exited', reason: 'exitWhen' });
});

it('shows a goal as reached, and ends a wait for a filter', async () => {
  const list = await makeList(free);
  const filter = { dynamicListId: list };
  const wait = { id: 'wait', type: 'waitUntil', branches: [{ filter, next: 'yes' }], timeout: 'P1D', onTimeout: null };
  const waiting = await waitIn({ steps: [wait, { id: 'yes', type: 'exit', reason: 'yes' }] });
  const aiming = await waitIn({ steps: stay, goal: { filter, exit: true } });
  await edit(list, pro);
  expect(await untilEnrolment(tenant, waiting, hasEnded)).toMatchObject({ reason: 'yes' });
  expect(await untilEnrolment(tenant, aiming, hasEnded)).toMatchObject({ reason: 'goal' });
});

it('reaches journeys through a list that is made of the edited one', async () => {
  const inner = await makeList(free);
  const outer = await makeList({ dynamicListId: inner });
  const journeyId = await waitIn({ steps: stay, exitWhen: { dynamicListId: outer } });
  await edit(inner, pro);
  expect(await untilEnrolment(tenant, journeyId, hasEnded)).toMatchObject({ reason: 'exitWhen' });
});

it('starts no journey that begins with joining or leaving', async () => {
  const list = await makeList(free);
  const steps = [{ id: 'out', type: 'exit' }];
  const joined = await startJourney(tenant, { entry: { joined: { dynamicListId: list } }, steps });
  const left = await startJourney(tenant, { entry: { left: { dynamicListId: list } }, steps });
  const looking = await waitIn({ steps: stay, exitWhen: { dynamicListId: list } });
  await edit(list, pro);
  await untilEnrolment(tenant, looking, hasEnded);
  expect(await members(tenant, list)).toEqual(['a@x.io']);
  expect([await enrolmentsOf(tenant, joined), await enrolmentsOf(tenant, left)]).toEqual([[], []]);
});
