// What a step sets is written in the turn itself or by way of the queue, and both come to the same.

import { pino } from 'pino';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { seedContacts } from '../../../../test/dynamic-lists.js';
import { tenantWithDomain } from '../../../../test/emails.js';
import { enrolmentsOf, startJourney, timelineOf } from '../../../../test/enrolments.js';
import { type WatchedBackground, watched } from '../../../../test/watched-database.js';
import { locks, lockTenant } from '../../../db/locks.js';
import { sql } from '../../../db/sql.js';
import { type Queue, unwatched } from '../../../work/queue.js';
import { topicSetter } from '../../consent/set-topics.js';
import { contactApplier } from '../../contacts/apply-writes.js';
import { Renderer } from '../../emails/index.js';
import { eventApplier } from '../../events/apply-events.js';
import { eventsStored } from '../../events/index.js';
import { Subjects } from '../../filter-language/index.js';
import { Acknowledger, Appliers, serveTenant } from '../../transactions/index.js';
import { readDefinition } from '../definition/read.js';
import { Interests } from '../news/interests.js';
import { effectsApplier, effectsKind, writesOf } from './apply-effects.js';
import { journeyQueue } from './queue.js';

const t = useApp();
const renderer = new Renderer();
afterAll(() => renderer.close());
let tenant: TenantClient;
beforeEach(async () => {
  tenant = await tenantWithDomain(t);
});

const nothing = () => undefined;

/** A worker of journeys and one of writes, that work when they are told to. */
function workers(): {
  journeys: Queue;
  db: WatchedBackground;
  acknowledger: Acknowledger;
  applyWrites(): Promise<void>;
} {
  const db = watched(t.db.background);
  const interests = new Interests((json, type) => readDefinition(json, type, new Subjects([])));
  const acknowledger = new Acknowledger(t.db, nothing);
  const setTopics = topicSetter(acknowledger);
  const rest = { renderer, acknowledger, setTopics, wakeMessages: nothing, log: pino({ level: 'silent' }) };
  const appliers = new Appliers();
  appliers.onApply(effectsApplier({ acknowledger, onMonths: nothing, wake: nothing }));
  appliers.onApply(eventApplier(nothing));
  appliers.onApply(contactApplier([]));
  return {
    ...{ db, acknowledger, journeys: journeyQueue({ db, interests, ...rest }) },
    applyWrites: async () => {
      while (Number(await serveTenant(t.db.background, appliers, tenant.tenantId)) > 0);
    },
  };
}

const serve = (queue: Queue) => queue.serve(tenant.tenantId, unwatched, new AbortController().signal);

const people = (count: number) =>
  seedContacts(
    t,
    tenant,
    Array.from({ length: count }, (_, i) => ({ email: `w${i}@x.io`, properties: {} })),
  );

/** Everybody gets the plan that the event names, and leaves. */
const settingPlan = () =>
  startJourney(tenant, {
    entry: { event: { eventName: 'bought' } },
    steps: [
      { id: 'set', type: 'updateProperty', property: 'plan', value: { entry: 'plan' } },
      { id: 'out', type: 'exit' },
    ],
    reentry: 'always',
  });

async function buy(contactIds: readonly string[], plan: string): Promise<void> {
  const at = new Date().toISOString();
  const rest = { eventId: null, userId: null, orgId: null, email: null, eventNo: 1, eventDate: at };
  await t.db.background.transaction((tx) =>
    eventsStored.tell(tx, tenant.tenantId, at, () =>
      contactIds.map((contactId) => ({
        ...{ ...rest, contactId, eventName: 'bought', acknowledgedAt: at, properties: JSON.stringify({ plan }) },
      })),
    ),
  );
}

const planOf = async (contactId: string) => (await tenant.get(`/v1/contacts/${contactId}`)).body.data.properties.plan;
const statesOf = async (journeyId: string) => (await enrolmentsOf(tenant, journeyId)).map(({ state }) => state).sort();
const queued = async () =>
  (
    await t.db.row(sql<{ n: number }>`
      select count(*) as n from write_transaction
      where tenant_id = ${tenant.tenantId} and kind = ${effectsKind} and status = 'PENDING'`)
  )?.n;

describe('what a step sets', () => {
  it('is written in the turn where nothing waits: logged as any write, told in the timeline, and the contact goes on', async () => {
    const [contactId = ''] = await people(1);
    const journeyId = await settingPlan();
    const { journeys } = workers();
    await buy([contactId], 'pro');
    await serve(journeys);
    const [enrolment] = await enrolmentsOf(tenant, journeyId);
    expect(enrolment).toMatchObject({ contactId, state: 'exited', reason: 'exit' });
    expect(await planOf(contactId)).toBe('pro');
    expect(await queued()).toBe(0);
    const log = (await tenant.get(`/v2/contacts/${contactId}/activity-log`)).body.data;
    expect(log).toMatchObject([{ field: 'plan', newValue: 'pro', source: 'journey' }]);
    const timeline = await timelineOf(tenant, journeyId, enrolment?.enrolmentId as string);
    expect(timeline.map(({ what, stepId }) => [what, stepId])).toEqual([
      ['entered', undefined],
      ['step', 'set'],
      ['property', 'set'],
      ['step', 'out'],
      ['exited', 'out'],
    ]);
  });

  it('goes behind a write that was acknowledged before it, and waits for its own', async () => {
    const [contactId = ''] = await people(1);
    const journeyId = await settingPlan();
    const { journeys, applyWrites } = workers();
    await tenant.patch(`/v1/contacts/${contactId}`, { properties: { plan: 'free' } });
    await buy([contactId], 'pro');
    await serve(journeys);
    expect(await statesOf(journeyId)).toEqual(['active']);
    expect(await queued()).toBe(1);
    await applyWrites();
    expect(await planOf(contactId)).toBe('pro');
    await serve(journeys);
    expect(await statesOf(journeyId)).toEqual(['exited']);
  });

  it('overtakes waiting events: they change no contact', async () => {
    const [contactId = ''] = await people(1);
    const journeyId = await settingPlan();
    const { journeys } = workers();
    await tenant.post('/v2/events', { events: [{ eventName: 'other', email: 'w0@x.io' }] });
    await buy([contactId], 'pro');
    await serve(journeys);
    expect(await statesOf(journeyId)).toEqual(['exited']);
    expect(await planOf(contactId)).toBe('pro');
  });

  it('goes behind what a step set before, where that is of the same contact', async () => {
    const [first = '', second = ''] = await people(2);
    const journeyId = await settingPlan();
    const { journeys, acknowledger, applyWrites } = workers();
    const earlier = { kind: 'property', property: 'plan', value: 'free', visit: 1, journeyNo: 1 } as const;
    const write = { ...earlier, enrolmentId: 'f'.repeat(32), contactId: first };
    await t.db.background.transaction((tx) => acknowledger.enqueue(tx, writesOf(tenant.tenantId, [write])));
    await buy([first, second], 'pro');
    await serve(journeys);
    expect(await statesOf(journeyId)).toEqual(['active', 'exited']);
    expect([await planOf(first), await planOf(second)]).toEqual([undefined, 'pro']);
    await applyWrites();
    await serve(journeys);
    expect(await statesOf(journeyId)).toEqual(['exited', 'exited']);
    expect([await planOf(first), await planOf(second)]).toEqual(['pro', 'pro']);
  });

  it('waits for a worker that applies writes, but not for long', async () => {
    const [contactId = ''] = await people(1);
    const journeyId = await settingPlan();
    const { journeys } = workers();
    const holding = (ms: number, beside: () => Promise<unknown>) =>
      t.db.background.transaction(async (tx) => {
        await lockTenant(tx, tenant.tenantId, locks.writes);
        const others = beside();
        await Promise.race([others, new Promise((resolve) => setTimeout(resolve, ms))]);
        return { others };
      });
    await buy([contactId], 'pro');
    const { others } = await holding(50, () => serve(journeys));
    await others;
    expect(await statesOf(journeyId)).toEqual(['exited']);
    await buy([contactId], 'team');
    await holding(60_000, () => serve(journeys));
    expect(await queued()).toBe(1);
    expect(await planOf(contactId)).toBe('pro');
  });

  it('keeps writes that change contacts waiting until the turn is through, and events not', async () => {
    const [contactId = ''] = await people(1);
    const { acknowledger, applyWrites } = workers();
    const pending = async () =>
      (
        await t.db.rows(sql<{ kind: string }>`
          select kind from write_transaction where tenant_id = ${tenant.tenantId} and status = 'PENDING' order by seq`)
      ).map(({ kind }) => kind);
    await t.db.background.transaction(async (tx) => {
      expect(await acknowledger.mayApply(tx, tenant.tenantId, [])).toBe(true);
      await tenant.post('/v2/events', { events: [{ eventName: 'other', email: 'w0@x.io' }] });
      await tenant.patch(`/v1/contacts/${contactId}`, { properties: { plan: 'free' } });
      await tenant.post('/v2/events', { events: [{ eventName: 'later', email: 'w0@x.io' }] });
      await applyWrites();
      expect(await pending()).toEqual(['contact.update', 'event.batch']);
    });
    await applyWrites();
    expect([await pending(), await planOf(contactId)]).toEqual([[], 'free']);
  });

  it('is known to later steps of the same turn', async () => {
    const [contactId = ''] = await people(1);
    const journeyId = await startJourney(tenant, {
      entry: { event: { eventName: 'bought' } },
      steps: [
        { id: 'set', type: 'updateProperty', property: 'plan', value: '2999-01-01T00:00:00Z' },
        {
          id: 'which',
          type: 'branch',
          cases: [{ filter: { property: 'plan', exists: true }, next: 'wait' }],
          otherwise: null,
        },
        { id: 'wait', type: 'delay', untilProperty: 'plan' },
      ],
    });
    const { journeys } = workers();
    await buy([contactId], 'pro');
    await serve(journeys);
    expect(await enrolmentsOf(tenant, journeyId)).toMatchObject([
      { state: 'active', stepId: 'wait', dueAt: '2999-01-01T00:00:00.000Z' },
    ]);
  });

  it('and cannot be stored fails alone, by way of the queue', async () => {
    const ids = await people(6);
    const journeyId = await settingPlan();
    const { journeys, db, applyWrites } = workers();
    db.failOn = ({ text, values }) =>
      /^\s*update contact/.test(text) && String(values.flat()).includes(ids[3] as string)
        ? Object.assign(new Error('bad data'), { code: '22P02' })
        : undefined;
    await buy(ids, 'pro');
    while (Number(await serve(journeys)) > 0) await applyWrites();
    // In the queue nothing was wrong with it.
    expect(await statesOf(journeyId)).toEqual(ids.map(() => 'exited'));
    expect(await Promise.all(ids.map(planOf))).toEqual(ids.map(() => 'pro'));
  });
});

describe('a turn', () => {
  it('reads no enrolments for an event that no contact waits for, if contacts may always enter', async () => {
    const [contactId = ''] = await people(1);
    await settingPlan();
    const { journeys, db } = workers();
    await buy([contactId], 'pro');
    await serve(journeys);
    await buy([contactId], 'team');
    db.texts = [];
    await serve(journeys);
    const looks = db.texts.filter((text) => /from enrolment/.test(text) && !/due_at <= /.test(text));
    expect(looks).toEqual([]);
    expect(await planOf(contactId)).toBe('team');
  });
});
