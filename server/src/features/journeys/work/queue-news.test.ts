import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { tenantWithDomain } from '../../../../test/emails.js';
import { enrolmentsOf, startJourney, timelineOf } from '../../../../test/enrolments.js';
import { queueOf } from '../../../../test/journeys/queue.js';
import { bytes, sql } from '../../../db/sql.js';
import { Renderer } from '../../emails/index.js';
import { eraseFromJourneys } from '../enrolments/erase.js';
import { insertNews } from '../news/queries.js';
import { recountJourneys } from '../passage/recount/queries.js';
import { turnContextOf } from '../turn/context.js';
import { TurnEnrolments } from '../turn/enrolments.js';
import { findActive, selectDueEnrolments } from '../turn/queries.js';
import { storeEnrolments } from '../turn/store/store.js';

const t = useApp();
const renderer = new Renderer();
afterAll(() => renderer.close());
let tenant: TenantClient;
beforeEach(async () => {
  tenant = await tenantWithDomain(t);
});

const { worker, serve, finish, happen, people, count } = queueOf(t, renderer, () => tenant);

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

describe('an event that starts a journey', () => {
  const delay = { id: 'wait', type: 'delay', for: 'P1D' };
  const waitUntil = {
    ...{ id: 'wait', type: 'waitUntil', branches: [{ event: { eventName: 'go' }, next: null }] },
    ...{ timeout: 'P1D', onTimeout: null },
  };
  it.each([
    ['leaves enrolments of the contact alone', { steps: [delay], reentry: 'always' }, true],
    ['leaves them alone where contacts do not enter twice', { steps: [delay] }, true],
    ['concerns them where who has left may enter again', { steps: [delay], reentry: 'afterExit' }, false],
    ['concerns them where they may wait for it', { steps: [waitUntil], reentry: 'always' }, false],
  ])('%s', async (_, definition, isEntry) => {
    const [contactId = ''] = await people(1);
    await startJourney(tenant, { entry: { event: { eventName: 'go' } }, ...definition });
    await happen([{ contactId, eventName: 'go' }]);
    const news = await t.db.rows(sql`
      select is_entry as "isEntry" from journey_news where tenant_id = ${tenant.tenantId}`);
    expect(news).toEqual([{ isEntry }]);
  });

  it('does not keep one that is due from going on, and does where it may concern it', async () => {
    const [contactId = ''] = await people(1);
    const journeyId = await startJourney(tenant, {
      ...{ entry: { event: { eventName: 'go' } }, steps: [delay], reentry: 'always' },
    });
    const { queue } = worker();
    await happen([{ contactId, eventName: 'go' }]);
    await finish(queue);
    await t.db.run(sql`update enrolment set due_at = now(), wait_until = now() where tenant_id = ${tenant.tenantId}`);
    await happen([{ contactId, eventName: 'go' }]);
    const due = () =>
      t.db.background.transaction(async (tx) => {
        const { no = 0 } =
          (await tx.row(sql<{ no: number }>`
            select journey_no as no from journey where tenant_id = ${tenant.tenantId} and journey_id = ${bytes(journeyId)}`)) ??
          {};
        return selectDueEnrolments(tx, tenant.tenantId, [no], 10, new Date().toISOString());
      });
    expect(await due()).toHaveLength(1);
    await t.db.run(sql`update journey_news set is_entry = false where tenant_id = ${tenant.tenantId}`);
    expect(await due()).toHaveLength(0);
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
