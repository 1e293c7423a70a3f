import { describe, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { seedPassage } from '../../../../test/figures.js';
import { makeActive } from '../../../../test/journeys.js';
import { eventually, makeMailer } from '../../../../test/messages.js';
import { usePost } from '../../../../test/statistics.js';

const now = new Date('2026-11-16T09:30:00.000Z');
const t = useApp({ clock: { now: () => now, elapsed: () => performance.now() } });
const live = useApp(usePost().options);

describe('the funnel of a journey', () => {
  it('shows how many came to each step, how many are there, and how long people stayed', async () => {
    const tenant = await t.tenant();
    const id = await makeActive(tenant);
    const hour = '2026-11-14T08:00:00Z';
    await seedPassage(t, tenant, id, hour, {
      '': { entered: 10, completed: 4, exited: 1, goal: 2 },
      wait: { entered: 10, left: 5, 'took:80': 3, 'took:160': 2 },
      end: { entered: 5, left: 5, 'took:0': 5 },
    });
    const { body } = await tenant.get(`/v2/journeys/${id}/funnel`);
    expect(body.data).toEqual({
      ...{ journeyId: id, entered: 10, completed: 4, exited: 1, inProgress: 5, reachedGoal: 2 },
      steps: [
        {
          stepId: 'wait',
          type: 'delay',
          entered: 10,
          left: 5,
          inProgress: 5,
          share: 1,
          seconds: { p50: 1.024, p90: 1049 },
        },
        {
          stepId: 'end',
          type: 'exit',
          entered: 5,
          left: 5,
          inProgress: 0,
          share: 0.5,
          seconds: { p50: 0.001, p90: 0.001 },
        },
      ],
    });
    const later = await tenant.get(`/v2/journeys/${id}/funnel?startTime=2026-11-15`);
    expect(later.body.data).toMatchObject({ entered: 0, inProgress: 5, reachedGoal: 0 });
    expect(later.body.data.steps[0]).toMatchObject({
      stepId: 'wait',
      entered: 0,
      inProgress: 5,
      share: 0,
      seconds: null,
    });
  });

  it('follows people on their way', async () => {
    const tenant = await makeMailer(live);
    const id = await makeActive(tenant, {
      definition: {
        entry: { api: true },
        steps: [
          { id: 'mark', type: 'updateProperty', property: 'seen', value: true },
          { id: 'wait', type: 'delay', for: 'P1D' },
        ],
      },
    });
    const contactIds = [await tenant.contact('ada@one.example'), await tenant.contact('alan@one.example')];
    await tenant.post(`/v2/journeys/${id}/enroll`, { contactIds });
    const read = async () => (await tenant.get(`/v2/journeys/${id}/funnel`)).body.data;
    const funnel = await eventually(read, (data) => data.steps[1].inProgress === 2);
    expect(funnel).toMatchObject({ entered: 2, completed: 0, exited: 0, inProgress: 2 });
    expect(funnel.steps).toMatchObject([
      { stepId: 'mark', entered: 2, left: 2, inProgress: 0, share: 1, seconds: { p50: expect.any(Number) } },
      { stepId: 'wait', entered: 2, left: 0, inProgress: 2, share: 1, seconds: null },
    ]);
  });

  it('is not found if the journey is not', async () => {
    const [tenant, other] = [await t.tenant(), await t.tenant()];
    const id = await makeActive(tenant);
    for (const [client, path] of [
      [other, id],
      [tenant, 'nonsense'],
    ] as const) {
      const { status, body } = await client.get(`/v2/journeys/${path}/funnel`);
      expect([status, body.errors[0].message]).toEqual([404, 'No such journey.']);
    }
  });
});
