import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import { enrolmentsOf, startJourney, timelineOf } from '../../../../test/enrolments.js';
import { queueOf } from '../../../../test/journeys/queue.js';
import type { Runner } from '../../../db/database.js';
import { bytes, type Sql, sql } from '../../../db/sql.js';
import { Renderer } from '../../emails/index.js';
import { selectDue } from '../turn/look/queries.js';
import { NewsFloor } from '../turn/news-floor.js';

const t = useApp();
const renderer = new Renderer();
afterAll(() => renderer.close());
let tenant: TenantClient;
beforeEach(async () => {
  tenant = await tenantWithDomain(t);
});

const { worker, serve, finish, happen, people, count } = queueOf(t, renderer, () => tenant);

describe('a turn', () => {
  it('that is cut off anywhere leaves no trace, and the next one does everything once', async () => {
    const [contactId = ''] = await people(1);
    const emailId = await makeEmail(tenant);
    const journeyId = await startJourney(tenant, {
      entry: { event: { eventName: 'go' } },
      steps: [
        { id: 'mail', type: 'sendEmail', emailId },
        { id: 'which', type: 'branch', cases: [{ filter: { property: 'nth', is: 0 }, next: 'set' }], otherwise: null },
        { id: 'set', type: 'updateProperty', property: 'a', value: 1 },
      ],
    });
    await happen([{ contactId, eventName: 'go' }]);
    const { tenantId } = tenant;
    const traces = () =>
      Promise.all([
        count(sql`enrolment where tenant_id = ${tenantId}`),
        count(sql`message where tenant_id = ${tenantId}`),
        count(sql`enrolment_line where tenant_id = ${tenantId}`),
        count(sql`contact where tenant_id = ${tenantId} and properties ? 'a'`),
        count(sql`contact_change where tenant_id = ${tenantId} and source = 'journey'`),
        count(sql`journey_news where tenant_id = ${tenantId}`),
      ]);
    const { queue, db } = worker();
    let cuts = 0;
    for (db.failAt = 1; ; db.failAt++) {
      db.statements = 0;
      try {
        await serve(queue);
        break;
      } catch {
        cuts++;
        expect(await traces()).toEqual([0, 0, 0, 0, 0, 1]);
      }
    }
    expect(cuts).toBeGreaterThan(8);
    expect(await traces()).toEqual([1, 1, expect.any(Number), 1, 1, 0]);
    expect(await enrolmentsOf(tenant, journeyId)).toEqual([
      expect.objectContaining({ contactId, state: 'completed', stepId: 'set' }),
    ]);
  });

  it('takes 10,000 through a branch with a few statements for each thousand', async () => {
    const ids = await people(10_000);
    const list = await tenant.post('/v2/lists', { name: 'All' });
    const { staticListId } = list.body.data;
    await t.db.run(sql`
      insert into list_member (tenant_id, list_id, contact_id)
      select ${tenant.tenantId}, ${bytes(staticListId)}::bytea, unnest(${ids}::uuid[])`);
    const steps = [
      {
        id: 'which',
        type: 'branch',
        cases: [{ filter: { property: 'nth', lt: 5000 }, next: 'low' }],
        otherwise: 'high',
      },
      { id: 'low', type: 'exit', reason: 'low' },
      { id: 'high', type: 'exit', reason: 'high' },
    ];
    const journeyId = await startJourney(tenant, { entry: { audience: { staticListId } }, steps }, 'batch');
    const { queue, db } = worker();
    const turns = await finish(queue);
    expect(turns).toBeLessThanOrEqual(14);
    expect(db.statements).toBeLessThan(turns * 30);
    const of = async (state: string) =>
      (await tenant.get(`/v2/journeys/${journeyId}/enrolments?state=${state}`)).body.pagination.totalElements;
    expect([await of('active'), await of('exited')]).toEqual([0, 10_000]);
    expect(await count(sql`enrolment where tenant_id = ${tenant.tenantId} and reason = 'low'`)).toBe(5000);
    expect((await tenant.get(`/v2/journeys/${journeyId}`)).body.data.status).toBe('inactive');
  });

  it('ends an enrolment that fails alone with the reason, and the others go on', async () => {
    const ids = await people(20);
    const journeyId = await startJourney(tenant, {
      entry: { event: { eventName: 'go' } },
      steps: [{ id: 'out', type: 'exit', reason: 'fine' }],
    });
    await happen(ids.map((contactId) => ({ contactId, eventName: 'go' })));
    const { queue, db } = worker();
    // What is stored for this contact is refused whenever it has taken its step.
    const isBad = (values: readonly string[]) => values.includes(ids[7] as string) && values.includes('fine');
    db.failOn = ({ text, values }, rows) =>
      (/^copy enrolment /.test(text) && rows.split('\n').some((row) => isBad(row.split('\t')))) ||
      (/^\s*update enrolment/.test(text) && isBad(values.flat().map(String)))
        ? Object.assign(new Error('bad data'), { code: '22P02' })
        : undefined;
    await finish(queue);
    const all = await enrolmentsOf(tenant, journeyId);
    expect(all.filter(({ reason }) => reason === 'fine')).toHaveLength(19);
    const failed = all.find(({ reason }) => reason === 'error');
    expect(failed).toMatchObject({ contactId: ids[7], state: 'exited' });
    const timeline = await timelineOf(tenant, journeyId, failed?.enrolmentId as string);
    expect(timeline.at(-1)?.detail).toContain('22P02');
  });

  it('is one at a time for a tenant, however many workers there are', async () => {
    const ids = await people(3000);
    const journeyId = await startJourney(tenant, {
      entry: { event: { eventName: 'go' } },
      steps: [{ id: 'wait', type: 'delay', for: 'PT1S' }],
      reentry: 'never',
    });
    // Each twice.
    await happen([...ids, ...ids].map((contactId) => ({ contactId, eventName: 'go' })));
    const workers = [worker(), worker(), worker()];
    await Promise.all(workers.map(({ queue }) => finish(queue)));
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await Promise.all(workers.map(({ queue }) => finish(queue)));
    const own = sql`enrolment where tenant_id = ${tenant.tenantId}`;
    expect(await count(own)).toBe(3000);
    expect(await count(sql`${own} and state = 'completed'`)).toBe(3000);
    expect((await tenant.get(`/v2/journeys/${journeyId}/enrolments`)).body.pagination.totalElements).toBe(3000);
  });
});

describe('an event', () => {
  const waiting = (timeout: string) => ({
    entry: { event: { eventName: 'go' } },
    steps: [
      {
        id: 'wait',
        type: 'waitUntil',
        branches: [{ event: { eventName: 'come' }, next: 'came' }],
        timeout,
        onTimeout: 'late',
      },
      { id: 'came', type: 'exit', reason: 'came' },
      { id: 'late', type: 'exit', reason: 'late' },
    ],
  });

  it('that comes while the contact is about to reach the wait is not missed', async () => {
    const [contactId = ''] = await people(1);
    const journeyId = await startJourney(tenant, waiting('P1D'));
    await happen([{ contactId, eventName: 'go' }]);
    const { queue, db } = worker();
    // Told and committed after the turn has read what there is, before it has stored that somebody waits.
    let told: Promise<void> | undefined;
    db.failOn = ({ text }) => {
      if (/^copy enrolment \(/.test(text)) told ??= happen([{ contactId, eventName: 'come' }]);
      return undefined;
    };
    await serve(queue);
    await told;
    expect(told).toBeDefined();
    await finish(queue);
    expect(await enrolmentsOf(tenant, journeyId)).toEqual([expect.objectContaining({ reason: 'came' })]);
  });

  it('that was acknowledged before the timeout counts, however late it is looked at', async () => {
    const [contactId = ''] = await people(1);
    const journeyId = await startJourney(tenant, waiting('PT1S'));
    await happen([{ contactId, eventName: 'go' }]);
    const { queue } = worker();
    await finish(queue);
    await happen([{ contactId, eventName: 'come' }]);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await finish(queue);
    expect(await enrolmentsOf(tenant, journeyId)).toEqual([expect.objectContaining({ reason: 'came' })]);
  });

  it('that waits in the queue of writes since before the timeout keeps the wait open', async () => {
    const [contactId = ''] = await people(1);
    const journeyId = await startJourney(tenant, waiting('PT1S'));
    await happen([{ contactId, eventName: 'go' }]);
    const { queue } = worker();
    await finish(queue);
    await tenant.post('/v2/events', { events: [{ eventName: 'come', email: 'q0@x.io' }] });
    await new Promise((resolve) => setTimeout(resolve, 1100));
    await serve(queue);
    expect(await enrolmentsOf(tenant, journeyId)).toEqual([expect.objectContaining({ state: 'active' })]);
  });

  it('is found by the look without reading the others that wait, though the planner knows of none', async () => {
    const ids = await people(2000);
    const journeyId = await startJourney(tenant, waiting('P1D'));
    await tenant.post(`/v2/journeys/${journeyId}/pause`);
    await happen(ids.map((contactId) => ({ contactId, eventName: 'go' })));
    await tenant.post(`/v2/journeys/${journeyId}/resume`);
    const asked: Sql[] = [];
    const rows = async (statement: Sql) => {
      asked.push(statement);
      return [];
    };
    await selectDue({ ...t.db.background, rows } as Runner, new NewsFloor());
    const plan = await t.db.background.rows(sql<{ 'QUERY PLAN': string }>`explain (costs off) ${asked[0] as Sql}`);
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toMatch(/using journey_news_pkey on journey_news n\b/);
    expect(text).not.toMatch(/Seq Scan on journey_news n\b/);
    expect((await selectDue(t.db.background, new NewsFloor())).tenants).toContain(tenant.tenantId);
  });

  it('that no journey listens to leaves no news', async () => {
    const [contactId = ''] = await people(1);
    await startJourney(tenant, waiting('P1D'));
    await happen([{ contactId, eventName: 'other' }]);
    expect(await count(sql`journey_news where tenant_id = ${tenant.tenantId}`)).toBe(0);
  });
});
