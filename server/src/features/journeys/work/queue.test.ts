// Turns that are cut off, that fail, that race: nothing is lost, nothing happens twice, and many cost few statements.

import { pino } from 'pino';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { seedContacts } from '../../../../test/dynamic-lists.js';
import { makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import { enrolmentsOf, startJourney, timelineOf } from '../../../../test/enrolments.js';
import { type WatchedBackground, watched } from '../../../../test/watched-database.js';
import type { Runner } from '../../../db/database.js';
import { bytes, type Sql, sql } from '../../../db/sql.js';
import { type Queue, unwatched } from '../../../work/queue.js';
import { Renderer } from '../../emails/index.js';
import { eventsStored } from '../../events/index.js';
import { Subjects } from '../../filter-language/index.js';
import { Acknowledger } from '../../transactions/index.js';
import { readDefinition } from '../definition/read.js';
import { eraseFromJourneys } from '../enrolments/erase.js';
import { Interests } from '../news/interests.js';
import { insertNews } from '../news/queries.js';
import { recountJourneys } from '../passage/recount/queries.js';
import { turnContextOf } from '../turn/context.js';
import { TurnEnrolments } from '../turn/enrolments.js';
import { findActive, selectDue } from '../turn/queries.js';
import { storeEnrolments } from '../turn/store/store.js';
import { journeyQueue } from './queue.js';

const t = useApp();
const renderer = new Renderer();
afterAll(() => renderer.close());
let tenant: TenantClient;
beforeEach(async () => {
  tenant = await tenantWithDomain(t);
});

/** A worker of its own. Nobody else works here: the app has none. */
function worker(): { queue: Queue; db: WatchedBackground; interests: Interests } {
  const db = watched(t.db.background);
  const interests = new Interests((json, type) => readDefinition(json, type, new Subjects([])));
  const acknowledger = new Acknowledger(t.db, () => undefined);
  const rest = { renderer, acknowledger, wakeMessages: () => undefined, log: pino({ level: 'silent' }) };
  return { queue: journeyQueue({ db, interests, ...rest }), db, interests };
}

const serve = (queue: Queue) => queue.serve(tenant.tenantId, unwatched, new AbortController().signal);

/** Until there is nothing to do. Answers in how many turns. */
async function finish(queue: Queue): Promise<number> {
  for (let turns = 0; ; turns++) {
    const { tenants } = await queue.due();
    if (!tenants.includes(tenant.tenantId)) return turns;
    if ((await serve(queue)) === 'busy') await new Promise((resolve) => setTimeout(resolve, 20));
    if (turns > 500) throw new Error('It never comes to an end');
  }
}

/** As the applier of events does. */
async function happen(events: readonly { contactId: string; eventName: string }[]): Promise<void> {
  const at = new Date().toISOString();
  const rest = { eventId: null, userId: null, orgId: null, email: null, properties: null, eventNo: 1, eventDate: at };
  await t.db.background.transaction((tx) =>
    eventsStored.tell(tx, tenant.tenantId, at, () =>
      events.map((event) => ({ ...rest, ...event, acknowledgedAt: at })),
    ),
  );
}
const people = (count: number, prefix = 'q') =>
  seedContacts(
    t,
    tenant,
    Array.from({ length: count }, (_, i) => ({ email: `${prefix}${i}@x.io`, properties: { nth: i } })),
  );
const count = async (what: Sql) => (await t.db.row(sql<{ n: number }>`select count(*) as n from ${what}`))?.n ?? 0;

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
        count(sql`enrolment_event where tenant_id = ${tenantId}`),
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
    await selectDue({ ...t.db.background, rows } as Runner);
    const plan = await t.db.background.rows(sql<{ 'QUERY PLAN': string }>`explain (costs off) ${asked[0] as Sql}`);
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toMatch(/using journey_news_of on journey_news n\b/);
    expect(text).not.toMatch(/Seq Scan on journey_news n\b/);
    expect((await selectDue(t.db.background)).tenants).toContain(tenant.tenantId);
  });

  it('that nobody listens to leaves no news', async () => {
    const [contactId = ''] = await people(1);
    await startJourney(tenant, waiting('P1D'));
    await happen([{ contactId, eventName: 'other' }]);
    expect(await count(sql`journey_news where tenant_id = ${tenant.tenantId}`)).toBe(0);
  });
});

describe('news', () => {
  it('of a contact that is gone are dropped', async () => {
    const journeyId = await startJourney(tenant, { entry: { api: true }, steps: [{ id: 'x', type: 'exit' }] });
    const row = await t.db.row(sql<{ no: number }>`
      select journey_no as no from journey where tenant_id = ${tenant.tenantId} and journey_id = ${bytes(journeyId)}`);
    const gone = { contactId: 'f'.repeat(32), at: new Date().toISOString() };
    await t.db.background.transaction((tx) =>
      insertNews(tx, tenant.tenantId, [{ journeyNo: row?.no ?? 0, kind: 'started', ...gone }]),
    );
    await finish(worker().queue);
    expect(await enrolmentsOf(tenant, journeyId)).toEqual([]);
    expect(await count(sql`journey_news where tenant_id = ${tenant.tenantId}`)).toBe(0);
  });
});

describe('an erasure', () => {
  it('beside a turn leaves nothing of the contact, whatever the turn stores after it', async () => {
    const [contactId = ''] = await people(1);
    const journeyId = await startJourney(tenant, {
      entry: { event: { eventName: 'go' } },
      steps: [{ id: 'wait', type: 'delay', for: 'P1D' }],
    });
    await happen([{ contactId, eventName: 'go' }]);
    const { queue, db, interests } = worker();
    const erase = eraseFromJourneys(interests, () => undefined);
    let erased: Promise<void> | undefined;
    db.failOn = ({ text }) => {
      if (/^copy enrolment \(/.test(text))
        erased ??= t.db.background.transaction(async (tx) => {
          await erase(tx, tenant.tenantId, { id: contactId, email: 'q0@x.io' }, new Date().toISOString());
          await tx.run(sql`delete from contact where tenant_id = ${tenant.tenantId} and contact_id = ${contactId}`);
        });
      return undefined;
    };
    await serve(queue);
    await erased;
    await finish(queue);
    expect(await enrolmentsOf(tenant, journeyId)).toEqual([
      expect.objectContaining({ contactId: null, state: 'exited', reason: 'erased' }),
    ]);
    expect(await count(sql`journey_news where tenant_id = ${tenant.tenantId}`)).toBe(0);
    const { pagination } = (await tenant.get(`/v2/journeys/${journeyId}/enrolments?state=exited`)).body;
    expect(pagination.totalElements).toBe(1);
    expect(await recountJourneys(t.db, tenant.tenantId)).toEqual([]);
  });

  it('of somebody whom a turn has in hand is counted once, and nothing of the turn', async () => {
    const [contactId = ''] = await people(1);
    const journeyId = await startJourney(tenant, {
      entry: { event: { eventName: 'go' } },
      steps: [{ id: 'wait', type: 'delay', for: 'P1D' }],
    });
    await happen([{ contactId, eventName: 'go' }]);
    const { queue, interests } = worker();
    await finish(queue);
    const [{ enrolmentId } = { enrolmentId: '' }] = await enrolmentsOf(tenant, journeyId);
    const erase = eraseFromJourneys(interests, () => undefined);
    await t.db.background.transaction(async (tx) => {
      const context = await turnContextOf(interests, tx, tenant.tenantId, new Date().toISOString());
      const enrolments = new TurnEnrolments(context);
      const row = await findActive(tx, tenant.tenantId, enrolmentId);
      for (const one of await enrolments.add(row ? [row] : [])) one.fail('It failed.', context.now);
      await t.db.background.transaction((other) =>
        erase(other, tenant.tenantId, { id: contactId, email: 'q0@x.io' }, context.at),
      );
      await storeEnrolments(context, enrolments, []);
    });
    expect(await recountJourneys(t.db, tenant.tenantId)).toEqual([]);
    const timeline = await timelineOf(tenant, journeyId, enrolmentId);
    expect(timeline.filter(({ what }) => what === 'exited').map(({ detail }) => detail)).toEqual(['Reason: erased.']);
    for (const [state, total] of Object.entries({ active: 0, exited: 1 })) {
      const { pagination } = (await tenant.get(`/v2/journeys/${journeyId}/enrolments?state=${state}`)).body;
      expect([state, pagination.totalElements]).toEqual([state, total]);
    }
  });
});
