// Goals in the rollup: who reached them, and compared with the holdout.
import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { seedPassage } from '../../../test/figures.js';
import { makeActive } from '../../../test/journeys.js';

const t = useApp();
const morning = '2026-11-14T08:00:00Z';
let tenant: TenantClient;
let journeyId: string;

const steps = [{ id: 'end', type: 'exit' }];
const goal = { filter: { event: 'report_exported' } };

async function rollup(query = '') {
  const { status, body, text } = await tenant.get(`/v2/journeys/stats?${query}`);
  if (status !== 200) throw new Error(text);
  return body.data;
}
const rowOf = async (name: string, query = '') =>
  (await rollup(query)).journeys.find((row: { name: string }) => row.name === name);

beforeAll(async () => {
  tenant = await t.tenant();
  const definition = { entry: { api: true }, goal, holdout: 50, steps };
  journeyId = await makeActive(tenant, { name: 'With a goal', definition });
  await makeActive(tenant, { name: 'Nobody came', definition });
  await makeActive(tenant, { name: 'Without a goal', definition: { entry: { api: true }, steps } });
  await seedPassage(t, tenant, journeyId, morning, { '': { entered: 400, goal: 100, completed: 400 } });
  await seedPassage(t, tenant, journeyId, morning, { '': { entered: 200, goal: 20, completed: 200 } }, 'holdout');
});

describe.each(['', 'startTime=2026-11-14&endTime=2026-11-14T23:59:59.999Z'])('goals in the rollup, of %s', (window) => {
  it('count everybody who reached them, and compare with those who got no mail', async () => {
    expect(await rowOf('With a goal', window)).toMatchObject({
      ...{ entered: 400, completed: 400, inProgress: 0, reachedGoal: 100, goalRate: 0.25 },
      holdout: {
        treated: { entered: 200, reachedGoal: 80, goalRate: 0.4 },
        held: { entered: 200, reachedGoal: 20, goalRate: 0.1 },
        ...{ difference: expect.closeTo(0.3), lift: expect.closeTo(3), method: 'newcombe' },
      },
    });
    expect((await rollup(window)).totals).toMatchObject({ entered: 400, reachedGoal: 100 });
  });

  it('are what the journey says of itself', async () => {
    const { body } = await tenant.get(`/v2/journeys/${journeyId}/stats?${window}`);
    const { percent, ...holdout } = body.data.holdout;
    expect(percent).toBe(50);
    expect(await rowOf('With a goal', window)).toMatchObject({ reachedGoal: body.data.reachedGoal, holdout });
  });

  it('are 0 where there is one that no contact reached, and null where there is none', async () => {
    expect(await rowOf('Nobody came', window)).toMatchObject({ reachedGoal: 0, goalRate: 0, holdout: null });
    expect(await rowOf('Without a goal', window)).toMatchObject({ reachedGoal: 0, goalRate: null, holdout: null });
  });
});

describe('goals in another window', () => {
  it('are not counted', async () => {
    const query = 'startTime=2026-11-15&endTime=2026-11-16';
    expect(await rowOf('With a goal', query)).toMatchObject({ entered: 0, reachedGoal: 0, goalRate: 0, holdout: null });
  });
});

describe('the file of journeys', () => {
  it('has goals, conversion and the difference to the holdout', async () => {
    const { text } = await tenant.get('/exports/stats/journeys?headers=titles');
    const [header = '', ...lines] = text.split('\r\n');
    expect(header.split(',').slice(-5)).toEqual([
      ...['Reached the goal', 'Conversion', 'Held out', 'Conversion of the holdout', 'Difference to the holdout'],
    ]);
    const line = lines.find((each: string) => each.includes('With a goal')) ?? '';
    expect(line.split(',').slice(-5)).toEqual(['100', '0.25', '200', '0.1', '0.3']);
  });
});
