import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { tenantWithDomain } from '../../../../test/emails.js';
import { hasEnded, timelineOf, untilEnrolment } from '../../../../test/enrolments.js';
import { passagesOf, whats } from '../../../../test/journeys/passages.js';

const t = useApp({ work: true });
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await tenantWithDomain(t);
});

const { go } = passagesOf(() => tenant);

describe('waitUntil', () => {
  const steps = (more: object[] = []) => [
    {
      id: 'wait',
      type: 'waitUntil',
      branches: [
        {
          event: { eventName: 'paid', where: { eventProperty: 'order', is: { entry: 'order' } } },
          next: 'paid',
        },
        { filter: { property: 'vip', is: true }, next: 'vip' },
      ],
      timeout: 'PT1H',
      onTimeout: null,
    },
    { id: 'paid', type: 'exit', reason: 'paid' },
    { id: 'vip', type: 'exit', reason: 'vip' },
    ...more,
  ];
  const waits = (enrolment: { state: string; stepId: string | null; dueAt: string | null }) =>
    enrolment.stepId === 'wait' && enrolment.dueAt !== null;

  it('goes on by the event that means the same order, and by no other', async () => {
    const { journeyId, send } = await go(steps());
    await untilEnrolment(tenant, journeyId, waits);
    await send('paid', { order: 8 });
    await send('paid', { order: 7 });
    const ended = await untilEnrolment(tenant, journeyId, hasEnded);
    expect(ended.reason).toBe('paid');
  });

  it('goes on when a filter comes true because the contact changes', async () => {
    const { journeyId, contactId } = await go(steps());
    await untilEnrolment(tenant, journeyId, waits);
    await tenant.done(await tenant.patch(`/v1/contacts/${contactId}`, { properties: { vip: true } }));
    expect(await untilEnrolment(tenant, journeyId, hasEnded)).toMatchObject({ reason: 'vip' });
  });

  it('goes on after the timeout', async () => {
    const timed = [{ ...(steps()[0] as object), timeout: 'PT1S', onTimeout: 'late' }, ...steps().slice(1)];
    const { journeyId } = await go([...timed, { id: 'late', type: 'exit', reason: 'late' }]);
    expect(await untilEnrolment(tenant, journeyId, hasEnded)).toMatchObject({ reason: 'late' });
  });
});

describe('goal and exitWhen', () => {
  const wait = [{ id: 'wait', type: 'delay', for: 'P1D' }];

  it('exitWhen lets a contact leave as soon as it is true', async () => {
    const { journeyId, contactId } = await go(wait, { exitWhen: { property: 'gone', is: true } });
    await untilEnrolment(tenant, journeyId, ({ dueAt, stepId }) => stepId === 'wait' && dueAt !== null);
    await tenant.done(await tenant.patch(`/v1/contacts/${contactId}`, { properties: { gone: true } }));
    expect(await untilEnrolment(tenant, journeyId, hasEnded)).toMatchObject({ state: 'exited', reason: 'exitWhen' });
  });

  it('a goal is reached once, and with exit the contact leaves', async () => {
    const goal = { filter: { property: 'bought', is: true } };
    const stays = await go(wait, { goal });
    const leaves = await go(wait, { goal: { ...goal, exit: true } });
    for (const { contactId, journeyId } of [stays, leaves]) {
      await untilEnrolment(tenant, journeyId, ({ stepId }) => stepId === 'wait');
      await tenant.done(await tenant.patch(`/v1/contacts/${contactId}`, { properties: { bought: true } }));
    }
    expect(await untilEnrolment(tenant, leaves.journeyId, hasEnded)).toMatchObject({ reason: 'goal' });
    const still = await untilEnrolment(tenant, stays.journeyId, ({ goalAt }) => goalAt !== null);
    expect(still).toMatchObject({ state: 'active' });
    const timeline = await timelineOf(tenant, stays.journeyId, still.enrolmentId);
    expect(whats(timeline).filter((what) => what === 'goal')).toHaveLength(1);
  });
});
