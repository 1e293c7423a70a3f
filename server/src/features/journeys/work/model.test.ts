// The live engine with one to three workers, on a virtual clock, against a simple interpreter: visit by visit.
import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { seedContacts } from '../../../../test/dynamic-lists.js';
import { startJourney } from '../../../../test/enrolments.js';
import { interpret, type SentDefinition, type SentStep } from '../../../../test/journeys/interpreter.js';
import type { Transaction } from '../../../db/database.js';
import { locks, lockTenant } from '../../../db/locks.js';
import { bytes, sql } from '../../../db/sql.js';
import type { Runs } from '../../../work/take-turn.js';
import { contactsChanged } from '../../contacts/index.js';
import { Subjects } from '../../dynamic-lists/index.js';
import { Renderer } from '../../emails/index.js';
import { eventsStored } from '../../events/index.js';
import { Acknowledger } from '../../transactions/index.js';
import { readDefinition } from '../definition/read.js';
import { Interests } from '../news/interests.js';
import { effectsApplier, effectsKind } from './apply-effects.js';
import { journeyRuns } from './queue.js';

const t = useApp();
const renderer = new Renderer();
afterAll(() => renderer.close());
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await t.tenant();
});

const seconds = fc.integer({ min: 1, max: 30 });
/** Milliseconds after the start: events come at one of a second, filters change at two, so that no two happen at once. */
const momentsAt = (ms: number) =>
  fc.uniqueArray(
    seconds.map((s) => s * 1000 + ms),
    { maxLength: 4 },
  );

/** Steps that only lead on, so that everybody comes to an end. Each filter reads a property of its own. */
function stepArbitrary(index: number, count: number): fc.Arbitrary<SentStep> {
  const next = fc.constantFrom<string | null>(
    ...Array.from({ length: count - index - 1 }, (_, i) => `s${index + 1 + i}`),
    null,
  );
  const base = { id: fc.constant(`s${index}`) };
  const place = `definition.steps[${index}]`;
  const filter = (path: string) => fc.constant({ property: keyOf(`${place}.${path}`), is: true });
  const duration = seconds.map((s) => `PT${s}S`);
  const event = fc.record({ eventName: fc.constantFrom('e0', 'e1') });
  const branch = (i: number) =>
    fc.oneof(fc.record({ event, next }), fc.record({ filter: filter(`branches[${i}].filter`), next }));
  return fc.oneof(
    fc.record({ ...base, type: fc.constant('delay'), for: duration, next }),
    fc.record({
      ...base,
      type: fc.constant('waitUntil'),
      branches: fc.tuple(branch(0), branch(1)),
      timeout: duration,
      onTimeout: next,
    }),
    fc.record({
      ...base,
      type: fc.constant('branch'),
      cases: fc.tuple(
        fc.record({ filter: filter('cases[0].filter'), next }),
        fc.record({ filter: filter('cases[1].filter'), next }),
      ),
      otherwise: next,
    }),
    fc.record({
      ...base,
      type: fc.constant('updateProperty'),
      property: fc.constant('w'),
      value: fc.constant(index),
      next,
    }),
    fc.record({ ...base, type: fc.constant('exit'), reason: fc.constantFrom('a', 'b') }),
  ) as fc.Arbitrary<SentStep>;
}

/** The property that the filter at a place reads. */
function keyOf(place: string): string {
  return place.replaceAll(/[^a-z0-9]+/gi, '_').toLowerCase();
}

function placesOf({ steps, exitWhen, goal }: SentDefinition): string[] {
  return [
    ...(exitWhen ? ['definition.exitWhen'] : []),
    ...(goal ? ['definition.goal.filter'] : []),
    ...steps.flatMap(({ cases = [], branches = [] }, i) => [
      ...cases.map((_, j) => `definition.steps[${i}].cases[${j}].filter`),
      ...branches.flatMap(({ filter }, j) => (filter ? [`definition.steps[${i}].branches[${j}].filter`] : [])),
    ]),
  ];
}

const watchedBy = (place: string) => fc.constant({ property: keyOf(place), is: true });
const definitionArbitrary: fc.Arbitrary<SentDefinition> = fc
  .integer({ min: 2, max: 6 })
  .chain((count) =>
    fc.record(
      {
        steps: fc.tuple(...Array.from({ length: count }, (_, i) => stepArbitrary(i, count))),
        exitWhen: watchedBy('definition.exitWhen'),
        goal: fc.record({ filter: watchedBy('definition.goal.filter'), exit: fc.boolean() }),
      },
      { requiredKeys: ['steps'] },
    ),
  )
  .filter((definition) => isReadable(definition));

/** Not every draw can be activated: a step that nobody reaches cannot. */
function isReadable(definition: SentDefinition): boolean {
  try {
    readDefinition({ entry: { event: { eventName: 'go' } }, ...definition }, 'trigger', new Subjects([]));
    return true;
  } catch {
    return false;
  }
}

interface Tale {
  events: { at: number; eventName: string }[];
  changes: Record<string, number[]>;
}

function taleArbitrary(definition: SentDefinition): fc.Arbitrary<Tale> {
  const sorted = (moments: number[]) => [...moments].sort((a, b) => a - b);
  return fc.record({
    events: momentsAt(1).chain((moments) =>
      fc.tuple(
        ...sorted(moments).map((at) => fc.record({ at: fc.constant(at), eventName: fc.constantFrom('e0', 'e1') })),
      ),
    ),
    changes: fc.record(
      Object.fromEntries(placesOf(definition).map((place) => [place, momentsAt(2).map(sorted)])),
    ) as fc.Arbitrary<Record<string, number[]>>,
  });
}

const sampleArbitrary = definitionArbitrary.chain((definition) =>
  fc.record({
    definition: fc.constant(definition),
    tales: fc.array(taleArbitrary(definition), { minLength: 1, maxLength: 3 }),
    workers: fc.integer({ min: 1, max: 3 }),
    atMost: fc.constantFrom(1, 2, 2000),
  }),
);

const latency = 5;
const iso = (ms: number) => new Date(ms).toISOString();

class Live {
  private readonly runs: Runs[];
  private writes: { due: number; payload: string; at: number }[] = [];
  private seq = 1;

  constructor(
    workers: number,
    private readonly atMost: number,
  ) {
    this.runs = Array.from({ length: workers }, () => {
      const interests = new Interests((json, type) => readDefinition(json, type, new Subjects([])));
      const acknowledger = new Acknowledger(t.db, () => undefined);
      const rest = { renderer, acknowledger, wakeMessages: () => undefined, log: pino({ level: 'silent' }) };
      return journeyRuns({ db: t.db.background, interests, ...rest });
    });
  }

  get nextWrite(): number {
    return Math.min(...this.writes.map(({ due }) => due), Number.POSITIVE_INFINITY);
  }

  /** Everything that is due at a moment, by all workers at once; then what they acknowledged is taken out, to be applied later. */
  async work(now: number): Promise<void> {
    await Promise.all(this.runs.map((runs) => this.serve(runs, now)));
    const rows = await t.db.rows(sql<{ payload: string }>`
      delete from write_transaction where tenant_id = ${tenant.tenantId} and kind = ${effectsKind} returning payload`);
    this.writes.push(...rows.map(({ payload }) => ({ due: now + latency, payload, at: now })));
  }

  private async serve(runs: Runs, now: number): Promise<void> {
    for (;;) {
      const did = await t.db.background.transaction(async (tx) => {
        if ((await lockTenant(tx, tenant.tenantId, locks.journeyWork)) === undefined) return 'busy';
        const batch = await runs.take(tx, tenant.tenantId, this.atMost, iso(now));
        await batch?.apply();
        return batch ? 'some' : 'none';
      });
      if (did === 'none') return;
      if (did === 'busy') await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }

  async applyWrites(now: number): Promise<void> {
    const due = this.writes.filter((write) => write.due <= now);
    this.writes = this.writes.filter((write) => write.due > now);
    const acknowledger = new Acknowledger(t.db, () => undefined);
    const applier = effectsApplier({ acknowledger, onMonths: () => undefined, wake: () => undefined });
    const pending = due.map(({ payload, at }) => ({
      ...{ seq: this.seq++, uuid: '0'.repeat(32), kind: effectsKind, items: 1, payload, attempts: 0, dueAt: null },
      createdAt: iso(at),
    }));
    if (pending.length > 0)
      await t.db.background.transaction((tx) => applier.apply(tx, tenant.tenantId, pending, iso(now)));
  }
}

const tellEvent = (tx: Transaction, contactId: string, eventName: string, now: number) => {
  const rest = { eventId: null, userId: null, orgId: null, email: null, properties: null, eventNo: 1 };
  return eventsStored.tell(tx, tenant.tenantId, iso(now), () => [
    { ...rest, contactId, eventName, eventDate: iso(now), acknowledgedAt: iso(now) },
  ]);
};

async function toggle(tx: Transaction, contactId: string, field: string, isTrue: boolean, now: number): Promise<void> {
  await tx.run(sql`
    update contact set properties = properties || ${JSON.stringify({ [field]: isTrue })}::jsonb
    where tenant_id = ${tenant.tenantId} and contact_id = ${contactId}`);
  const change = { field, oldValue: !isTrue, newValue: isTrue, at: iso(now) };
  await contactsChanged.tell(tx, tenant.tenantId, iso(now), () => [
    { contactId, what: 'changed', changes: [change], logged: [change] },
  ]);
}

let made = 0;

it('goes where the interpreter goes, at the same moments', { timeout: 240_000 }, async () => {
  const property = fc.asyncProperty(sampleArbitrary, async ({ definition, tales, workers, atMost }) => {
    const ids = await seedContacts(
      t,
      tenant,
      tales.map(() => ({ email: `m${++made}@x.io` })),
    );
    const journeyId = await startJourney(tenant, { entry: { event: { eventName: 'go' } }, ...definition });
    const start = Math.ceil(Date.now() / 1000) * 1000 + 60_000;
    const live = new Live(workers, atMost);
    const happenings = tales.flatMap(({ events, changes }, i) => {
      const contactId = ids[i] as string;
      return [
        { at: 0, happen: (tx: Transaction) => tellEvent(tx, contactId, 'go', start) },
        ...events.map(({ at, eventName }) => ({
          at,
          happen: (tx: Transaction) => tellEvent(tx, contactId, eventName, start + at),
        })),
        ...Object.entries(changes).flatMap(([place, moments]) =>
          moments.map((at, nth) => ({
            at,
            happen: (tx: Transaction) => toggle(tx, contactId, keyOf(place), nth % 2 === 0, start + at),
          })),
        ),
      ];
    });
    let left = happenings.sort((a, b) => a.at - b.at);
    for (;;) {
      const due = await t.db.row(sql<{ at: number | null }>`
        select (extract(epoch from min(due_at)) * 1000)::float8 as at from enrolment
        where tenant_id = ${tenant.tenantId} and state = 'active'`);
      const now = Math.min(
        start + (left[0]?.at ?? Number.POSITIVE_INFINITY),
        live.nextWrite,
        due?.at ?? Number.POSITIVE_INFINITY,
      );
      if (now === Number.POSITIVE_INFINITY) break;
      for (const { happen } of left.filter(({ at }) => start + at <= now)) await t.db.background.transaction(happen);
      left = left.filter(({ at }) => start + at > now);
      await live.applyWrites(now);
      await live.work(now);
    }
    for (const [i, tale] of tales.entries()) {
      const contactId = ids[i] as string;
      const told = interpret(definition, {
        ...{ journeyId, contactId, enrolmentId: '', start, end: start + 86_400_000, mostVisits: 1000 },
        ...{ properties: {}, entry: {}, latency, answers: true, winners: {} },
        events: tale.events.map(({ at, eventName }) => ({ at: start + at, eventName, properties: {} })),
        changes: Object.fromEntries(
          Object.entries(tale.changes).map(([place, moments]) => [place, moments.map((at) => start + at)]),
        ),
      });
      expect(await trip(journeyId, contactId)).toEqual({ visits: told.visits, ended: told.ended });
    }
  });
  await fc.assert(property, { numRuns: 12 });
});

/** What became of a contact, as the interpreter tells it. */
async function trip(journeyId: string, contactId: string): Promise<{ visits: string[]; ended: string | null }> {
  const row = await t.db.row(sql<{ id: string; state: string; reason: string | null; at: number }>`
    select e.enrolment_id as id, e.state, e.reason, (extract(epoch from e.ended_at) * 1000)::float8 as at
    from enrolment e join journey j on j.tenant_id = e.tenant_id and j.journey_no = e.journey_no
    where e.tenant_id = ${tenant.tenantId} and j.journey_id = ${bytes(journeyId)} and e.contact_id = ${contactId}`);
  const steps = await t.db.rows(sql<{ stepId: string; at: number }>`
    select step_id as "stepId", (extract(epoch from at) * 1000)::float8 as at from enrolment_event
    where tenant_id = ${tenant.tenantId} and enrolment_id = ${row?.id} and what = 'step' order by event_no`);
  const how = row?.reason === null ? row.state : `${row?.state} ${row?.reason}`;
  return {
    visits: steps.map(({ stepId, at }, i) => `${i + 1} ${stepId} ${at}`),
    ended: row?.state === 'active' ? null : `${how} at ${row?.at}`,
  };
}
