import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import {
  enrolmentsOf,
  hasEnded,
  startJourney,
  timelineOf,
  until,
  untilEnrolment,
} from '../../../../test/enrolments.js';
import { entriesOf, out, stay } from '../../../../test/journeys/entries.js';

const t = useApp({ work: true });
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await t.tenant();
});
/** Ten journeys after the first, and no more. */
const untilTheyRest = (journeyIds: readonly string[]) =>
  until(
    async () => (await Promise.all(journeyIds.map((id) => enrolmentsOf(tenant, id)))).flat(),
    (all) => all.length >= 10 && all.every(hasEnded),
  );

const { person, change, makeList, addTo, settle, whoIn } = entriesOf(() => tenant);

describe('a batch journey', () => {
  it('enrols the members of the moment once, and is inactive when the last has ended', async () => {
    const people = await Promise.all([1, 2, 3].map(() => person()));
    const staticListId = await makeList();
    await addTo(staticListId, ...people.map(({ contactId }) => contactId));
    const journeyId = await startJourney(tenant, { entry: { audience: { staticListId } }, steps: out }, 'batch');
    await until(
      async () => (await tenant.get(`/v2/journeys/${journeyId}`)).body.data.status,
      (status) => status === 'inactive',
    );
    expect(await whoIn(journeyId)).toEqual(people.map(({ contactId }) => contactId).sort());
  });

  it('runs at its time, and is over at once where the list is empty', async () => {
    const staticListId = await makeList();
    const at = new Date(Date.now() + 1500).toISOString();
    const entry = { audience: { staticListId }, schedule: { at } };
    const journeyId = await startJourney(tenant, { entry, steps: out }, 'batch');
    expect((await tenant.get(`/v2/journeys/${journeyId}`)).body.data).toMatchObject({
      status: 'active',
      nextRunTime: at,
    });
    await until(
      async () => (await tenant.get(`/v2/journeys/${journeyId}`)).body.data.status,
      (status) => status === 'inactive',
    );
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(at));
  });

  it('with a cron stays active for its next run', async () => {
    const { contactId } = await person();
    const staticListId = await makeList();
    await addTo(staticListId, contactId);
    const entry = { audience: { staticListId }, schedule: { cron: '* * * * *', timeZone: 'UTC' } };
    const journeyId = await startJourney(tenant, { entry, steps: out }, 'batch');
    const { data } = (await tenant.get(`/v2/journeys/${journeyId}`)).body;
    expect(Date.parse(data.nextRunTime)).toBeGreaterThan(Date.now() - 1000);
    expect(data.status).toBe('active');
  });
});

describe('an entry by date', () => {
  it('takes contacts when their date comes: those who were there, and those whose date changes', async () => {
    let leadMs = 1500;
    /** Tries with later dates until one is still ahead when it is done: a busy machine may take longer. */
    const before = async <T>(act: (date: string) => Promise<T>): Promise<T> => {
      for (; ; leadMs *= 2) {
        const date = Date.now() + leadMs;
        const done = await act(new Date(date).toISOString());
        if (Date.now() < date) return done;
      }
    };
    const past = await person({ renews: '2020-01-01' });
    const { there, journeyId } = await before(async (renews) => ({
      there: await person({ renews }),
      journeyId: await startJourney(tenant, { entry: { date: { property: 'renews' } }, steps: stay }),
    }));
    const later = await person();
    await before((renews) => change(later.contactId, { renews }));
    await until(
      () => whoIn(journeyId),
      (who) => who.length === 2,
    );
    expect(await whoIn(journeyId)).toEqual([there.contactId, later.contactId].sort());
    expect(await whoIn(journeyId)).not.toContain(past.contactId);
  });
});

describe('journeys that start one another without ever waiting', () => {
  it('by a property come to rest, and say so', async () => {
    const { contactId } = await person({ ball: 0 });
    const hit = (to: number, value: number) =>
      startJourney(tenant, {
        entry: { propertyChanged: { property: 'ball', to } },
        reentry: 'always',
        steps: [{ id: 'hit', type: 'updateProperty', property: 'ball', value }],
      });
    const both = [await hit(1, 2), await hit(2, 1)] as const;
    await change(contactId, { ball: 1 });
    await untilTheyRest(both);
    await settle();
    expect(await untilTheyRest(both)).toHaveLength(10);
    const [last] = await enrolmentsOf(tenant, both[1]);
    const told = await timelineOf(tenant, both[1], last?.enrolmentId ?? '');
    expect(told.map(({ detail }) => detail)).toContain(
      `The journey ${both[0]} was not started: 10 journeys have already started each other.`,
    );
  });

  it('by lists come to rest', async () => {
    const { contactId } = await person();
    const lists = [await makeList(), await makeList()] as const;
    const hit = (from: string, to: string) =>
      startJourney(tenant, {
        entry: { joined: { staticListId: from } },
        reentry: 'always',
        steps: [
          { id: 'out', type: 'removeFromList', staticListId: from },
          { id: 'in', type: 'addToList', staticListId: to },
        ],
      });
    const both = [await hit(lists[0], lists[1]), await hit(lists[1], lists[0])];
    await addTo(lists[0], contactId);
    await untilTheyRest(both);
    await settle();
    expect(await untilTheyRest(both)).toHaveLength(10);
  });

  it('but go on where they wait: a slow circle is meant', async () => {
    const { contactId } = await person({ step_of_twelve: 0 });
    const ids: string[] = [];
    for (let i = 1; i <= 12; i++)
      ids.push(
        await startJourney(tenant, {
          entry: { propertyChanged: { property: 'step_of_twelve', to: i } },
          steps: [
            { id: 'wait', type: 'delay', for: 'PT1S' },
            { id: 'next', type: 'updateProperty', property: 'step_of_twelve', value: i + 1 },
          ],
        }),
      );
    await change(contactId, { step_of_twelve: 1 });
    await untilEnrolment(tenant, ids[11] as string, hasEnded);
  }, 240_000);
});
