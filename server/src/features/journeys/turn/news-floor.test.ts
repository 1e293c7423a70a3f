import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { tenantWithDomain } from '../../../../test/emails.js';
import { enrolmentsOf, startJourney } from '../../../../test/enrolments.js';
import { queueOf } from '../../../../test/journeys/queue.js';
import type { Runner } from '../../../db/database.js';
import { type Sql, sql } from '../../../db/sql.js';
import { Renderer } from '../../emails/index.js';
import { eventsStored } from '../../events/index.js';
import { selectDue } from './look/queries.js';
import { NewsFloor } from './news-floor.js';
import { selectNews } from './queries.js';

const t = useApp();
const renderer = new Renderer();
afterAll(() => renderer.close());
let tenant: TenantClient;
beforeEach(async () => {
  tenant = await tenantWithDomain(t);
});

const { worker, finish, happen, people } = queueOf(t, renderer, () => tenant);
const entered = {
  entry: { event: { eventName: 'go' } },
  steps: [{ id: 'a', type: 'updateProperty', property: 'p', value: 1 }],
};

/** Raises it until it has seen what was there. */
async function raised(floor: NewsFloor): Promise<NewsFloor> {
  for (let i = 0; i < 3; i++) await floor.raise(t.db.background);
  return floor;
}

async function isDue(floor: NewsFloor): Promise<boolean> {
  return (await selectDue(t.db.background, floor)).tenants.includes(tenant.tenantId);
}

/** How many pages a statement reads. */
async function pagesOf(statement: Sql): Promise<number> {
  const rows = await t.db.background.rows(sql<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>`
    explain (analyze, buffers, format json) ${statement}`);
  const plan = rows[0]?.['QUERY PLAN'][0]?.Plan ?? {};
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
}

/** The statement that a function asks. */
async function askedBy(ask: (db: Runner) => Promise<unknown>): Promise<Sql> {
  const asked: Sql[] = [];
  const rows = async (statement: Sql) => {
    asked.push(statement);
    return [];
  };
  await ask({ ...t.db.background, rows } as Runner);
  return asked[0] as Sql;
}

describe('the floor of news', () => {
  it('rises past what is done', async () => {
    const [contactId = ''] = await people(1);
    await startJourney(tenant, entered);
    await happen([{ contactId, eventName: 'go' }]);
    await finish(worker().queue);
    const floor = await raised(new NewsFloor());
    expect(floor.base).toBeGreaterThan(1);
    expect(floor.heads.filter(({ tenantId }) => tenantId === tenant.tenantId)).toEqual([]);
    await happen([{ contactId, eventName: 'go' }]);
    expect(await isDue(floor)).toBe(true);
  });

  it('stays below news whose transaction has not ended, though later ones have come', async () => {
    const [first = '', second = ''] = await people(2);
    const journeyId = await startJourney(tenant, entered);
    const { queue } = worker();
    const floor = await raised(new NewsFloor());
    const at = new Date().toISOString();
    const rest = { eventId: null, userId: null, orgId: null, email: null, properties: null, eventNo: 1, eventDate: at };
    await t.db.background.transaction(async (tx) => {
      const event = { ...rest, contactId: first, eventName: 'go', acknowledgedAt: at };
      await eventsStored.tell(tx, tenant.tenantId, at, () => [event]);
      await happen([{ contactId: second, eventName: 'go' }]);
      await finish(queue);
      await raised(floor);
      expect(await isDue(floor)).toBe(false);
    });
    await raised(floor);
    expect(await isDue(floor)).toBe(true);
    await finish(queue);
    const contacts = (await enrolmentsOf(tenant, journeyId)).map(({ contactId }) => contactId);
    expect(contacts.sort()).toEqual([first, second].sort());
  });

  it('stays at the first news of a journey that is paused, and rises for the others', async () => {
    const [contactId = ''] = await people(1);
    const paused = await startJourney(tenant, entered);
    await startJourney(tenant, entered);
    await tenant.post(`/v2/journeys/${paused}/pause`);
    await happen([{ contactId, eventName: 'go' }]);
    const { queue } = worker();
    await finish(queue);
    const floor = await raised(new NewsFloor());
    const own = floor.heads.filter(({ tenantId }) => tenantId === tenant.tenantId);
    expect(own).toHaveLength(1);
    expect(own[0]?.newsNo).toBeLessThan(floor.base);
    await tenant.post(`/v2/journeys/${paused}/resume`);
    expect(await isDue(floor)).toBe(true);
    await finish(queue);
    await raised(floor);
    expect(floor.heads.filter(({ tenantId }) => tenantId === tenant.tenantId)).toEqual([]);
    expect(await enrolmentsOf(tenant, paused)).toHaveLength(1);
  });

  it('begins anew where numbers do, as after a fail-over', async () => {
    const [contactId = ''] = await people(1);
    await startJourney(tenant, entered);
    const { queue } = worker();
    await happen([{ contactId, eventName: 'go' }]);
    await finish(queue);
    const floor = await raised(new NewsFloor());
    await t.db.background.run(sql`select setval(pg_get_serial_sequence('journey_news', 'news_no'), 1)`);
    await happen([{ contactId, eventName: 'go' }]);
    expect(await isDue(floor)).toBe(false);
    await raised(floor);
    expect(await isDue(floor)).toBe(true);
  });

  it('spares looks and turns what is done, while a snapshot keeps all of it', async () => {
    const ids = await people(2000);
    await startJourney(tenant, entered);
    const found = sql<{ no: number }>`select journey_no as no from journey where tenant_id = ${tenant.tenantId}`;
    const { no = 0 } = (await t.db.row(found)) ?? {};
    const { queue } = worker();
    const look = (floor: NewsFloor) => askedBy((db) => selectDue(db, floor));
    const read = (floor: NewsFloor) => askedBy((db) => selectNews(db as never, tenant.tenantId, [no], 1000, floor));
    await t.db.background.transaction(async (holder) => {
      await holder.run(sql`set transaction isolation level repeatable read`);
      await holder.run(sql`select from journey_news limit 1`);
      for (let i = 0; i < 3; i++) {
        await happen(ids.map((contactId) => ({ contactId, eventName: 'go' })));
        await finish(queue);
      }
      const floor = await raised(new NewsFloor());
      const [none, both] = [new NewsFloor(), [look, read]];
      for (const statement of both) {
        const [without, withFloor] = [await pagesOf(await statement(none)), await pagesOf(await statement(floor))];
        expect(withFloor).toBeLessThan(without / 4);
      }
    });
  });
});
