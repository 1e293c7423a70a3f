// The live engine with one to three workers, on a virtual clock, against a simple interpreter: visit by visit. With circles, while the
// journey is paused and goes on, and while it is edited. And what was counted of it, in any window, around midnight.

import fc from 'fast-check';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { seedContacts } from '../../../../test/dynamic-lists.js';
import { startJourney } from '../../../../test/enrolments.js';
import { countIn, type Happened, happenedTo, keyOfPassage } from '../../../../test/journeys/count-passage.js';
import { interpret } from '../../../../test/journeys/interpreter.js';
import {
  day,
  entry,
  full,
  keyOf,
  type Sample,
  sampleArbitrary,
  type Tale,
} from '../../../../test/journeys/sample-arbitrary.js';
import { runs } from '../../../../test/runs.js';
import type { Transaction } from '../../../db/database.js';
import { locks, lockTenant } from '../../../db/locks.js';
import { bytes, sql } from '../../../db/sql.js';
import type { Window } from '../../../db/tallies.js';
import type { Runs } from '../../../work/take-turn.js';
import { topicSetter } from '../../consent/set-topics.js';
import { contactsChanged } from '../../contacts/index.js';
import { Renderer } from '../../emails/index.js';
import { eventsStored } from '../../events/index.js';
import { Subjects } from '../../filter-language/index.js';
import { Acknowledger } from '../../transactions/index.js';
import { readDefinition } from '../definition/read.js';
import { eraseFromJourneys } from '../enrolments/erase.js';
import { findJourneyNo } from '../enrolments/queries.js';
import { Interests } from '../news/interests.js';
import { foldPassage, readPassage } from '../passage/queries.js';
import { recountJourneys } from '../passage/recount/queries.js';
import { effectsApplier, effectsKind } from './apply-effects.js';
import { journeyRuns } from './queue.js';

const t = useApp();
const renderer = new Renderer();
afterAll(() => renderer.close());
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await t.tenant();
});

const latency = 5;
/** Who goes round in circles never ends: what happens later is not compared. */
const horizon = 45_000;
const iso = (ms: number) => new Date(ms).toISOString();

class Live {
  private readonly runs: Runs[];
  private writes: { due: number; payload: string; at: number }[] = [];
  private seq = 1;

  constructor(
    workers: number,
    private readonly atMost: number,
    private readonly folded: number,
  ) {
    this.runs = Array.from({ length: workers }, () => {
      const interests = new Interests((json, type) => readDefinition(json, type, new Subjects([])));
      const acknowledger = new Acknowledger(t.db, () => undefined);
      const rest = { renderer, acknowledger, wakeMessages: () => undefined, log: pino({ level: 'silent' }) };
      return journeyRuns({ db: t.db.background, interests, setTopics: topicSetter(acknowledger), ...rest });
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
    if (this.folded > 0) await foldPassage(t.db.background, this.folded);
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

/** Does something to the journey, as somebody does it over HTTP. */
async function change(method: 'POST' | 'PATCH', path: string, body?: object, headers = {}): Promise<void> {
  const { status, text } = await tenant.send(method, path, body, headers);
  if (status !== 200) throw new Error(text);
}

interface Happening {
  at: number;
  happen(): Promise<void>;
}

function taleHappenings({ events, changes }: Tale, contactId: string, start: number): Happening[] {
  const inTransaction = (at: number, work: (tx: Transaction) => Promise<void>) => ({
    at,
    happen: () => t.db.background.transaction(work),
  });
  return [
    inTransaction(0, (tx) => tellEvent(tx, contactId, 'go', start)),
    ...events.map(({ at, eventName }) => inTransaction(at, (tx) => tellEvent(tx, contactId, eventName, start + at))),
    ...Object.entries(changes).flatMap(([place, moments]) =>
      moments.map((at, nth) =>
        inTransaction(at, (tx) => toggle(tx, contactId, keyOf(place), nth % 2 === 0, start + at)),
      ),
    ),
  ];
}

/** Lets everything happen in its order, and the workers work whenever something has happened or is due. */
async function play(
  live: Live,
  happenings: readonly Happening[],
  start: number,
  pause: Sample['pause'],
): Promise<void> {
  let left = [...happenings].sort((a, b) => a.at - b.at);
  for (let now = start; ; ) {
    const isPaused = pause && now - start >= pause.from && now - start < pause.to;
    const due = await t.db.row(sql<{ at: number | null }>`
      select (extract(epoch from min(due_at)) * 1000)::float8 as at from enrolment
      where tenant_id = ${tenant.tenantId} and state = 'active'`);
    const dueAt = isPaused ? null : (due?.at ?? null);
    const next = Math.min(
      start + (left[0]?.at ?? Number.POSITIVE_INFINITY),
      live.nextWrite,
      dueAt ?? Number.POSITIVE_INFINITY,
    );
    now = Math.max(now, next);
    if (now > start + horizon) return;
    for (const { happen } of left.filter(({ at }) => start + at <= now)) await happen();
    left = left.filter(({ at }) => start + at > now);
    await live.applyWrites(now);
    await live.work(now);
  }
}

async function compare(sample: Sample): Promise<void> {
  const { definition, edit, pause, tales, workers, atMost, beforeMidnight, folded, windows } = sample;
  const people = tales.map(() => ({ email: `m${++made}@x.io` }));
  const ids = await seedContacts(t, tenant, people);
  const journeyId = await startJourney(tenant, { entry, ...definition });
  const path = `/v2/journeys/${journeyId}`;
  const start = Math.ceil(Date.now() / day + 0.1) * day - beforeMidnight;
  const edited = async () => {
    const revision = (await tenant.get(path)).body.data.revision;
    const body = { definition: { entry, ...edit?.definition }, inFlight: edit?.inFlight };
    await change('PATCH', path, body, { 'if-match': String(revision) });
  };
  const live = new Live(workers, atMost, folded);
  await play(
    live,
    [
      ...tales.flatMap((tale, i) => taleHappenings(tale, ids[i] as string, start)),
      ...(edit ? [{ at: edit.at, happen: edited }] : []),
      ...(pause ? [{ at: pause.from, happen: () => change('POST', `${path}/pause`) }] : []),
      ...(pause ? [{ at: pause.to, happen: () => change('POST', `${path}/resume`) }] : []),
    ],
    start,
    pause,
  );
  const after = (at: number) => start + at;
  const happened: (Happened[] | undefined)[] = [];
  for (const [i, { events, changes }] of tales.entries()) {
    const contactId = ids[i] as string;
    // How soon somebody at rest looks again depends on how much of what happens at one moment a turn takes: not compared.
    let compared = Number.POSITIVE_INFINITY;
    const told = interpret(definition, {
      onRest: (visits) => {
        compared = Math.min(compared, visits);
      },
      ...{ journeyId, contactId, enrolmentId: '', start, end: start + horizon, mostVisits: 1000 },
      ...{ properties: {}, entry: {}, latency, answers: true, winners: {} },
      propertyLatency: atMost === full ? 0 : latency,
      events: events.map(({ at, eventName }) => ({ at: after(at), eventName, properties: {} })),
      changes: Object.fromEntries(Object.entries(changes).map(([place, moments]) => [place, moments.map(after)])),
      pauses: pause ? [{ from: after(pause.from), to: after(pause.to) }] : [],
      ...(edit?.inFlight === 'move' ? { move: { at: after(edit.at), definition: edit.definition } } : {}),
    });
    const lived = await trip(journeyId, contactId);
    expect(lived.visits.slice(0, compared)).toEqual(told.visits.slice(0, compared));
    if (compared === Number.POSITIVE_INFINITY) expect(lived.ended).toBe(told.ended);
    const isTold = compared === Number.POSITIVE_INFINITY;
    happened.push(isTold ? happenedTo(told, start, lived.isHoldout) : undefined);
  }
  expect(await recountJourneys(t.db, tenant.tenantId)).toEqual([]);
  const bound = (at: number | null) => (at === null ? null : iso(start + at));
  for (const { from, to } of happened.includes(undefined) ? [] : windows)
    await compareFigures(
      journeyId,
      happened.flatMap((each) => each ?? []),
      { from: bound(from), to: bound(to) },
    );
  await endAll(sample.ending, path, ids);
}

/** Ends what is left in bulk, as the API does: that is counted too. */
async function endAll(ending: Sample['ending'], path: string, contactIds: readonly string[]): Promise<void> {
  const interests = new Interests((json, type) => readDefinition(json, type, new Subjects([])));
  const erase = eraseFromJourneys(interests, () => undefined);
  if (ending === 'stopped') await change('POST', `${path}/deactivate`);
  else if (ending === 'erased')
    for (const id of contactIds)
      await t.db.background.transaction((tx) => erase(tx, tenant.tenantId, { id, email: '' }, iso(Date.now())));
  expect(await recountJourneys(t.db, tenant.tenantId)).toEqual([]);
}

async function compareFigures(journeyId: string, happened: readonly Happened[], window: Window): Promise<void> {
  const journeyNo = (await findJourneyNo(t.db, tenant.tenantId, journeyId)) ?? 0;
  const rows = await readPassage(t.db, tenant.tenantId, [journeyNo], window);
  const counted = Object.fromEntries(rows.map(({ stepId, part, what, n }) => [keyOfPassage(stepId, part, what), n]));
  expect(counted).toEqual(countIn(happened, window));
}

/** Whatever came of a sample, its contacts must not be on their way in the next one. */
async function clear(): Promise<void> {
  await t.db.run(sql`delete from journey_news where tenant_id = ${tenant.tenantId}`);
  await t.db.run(sql`delete from write_transaction where tenant_id = ${tenant.tenantId}`);
  await t.db.run(sql`
    update enrolment set state = 'exited', due_at = null where tenant_id = ${tenant.tenantId} and state = 'active'`);
  await t.db.run(sql`update journey set state = 'inactive', moves = '{}' where tenant_id = ${tenant.tenantId}`);
}

const numRuns = runs(12);
const limitMs = 60_000 + numRuns * 10_000;

it('goes where the interpreter goes, at the same moments', { timeout: limitMs }, async () => {
  const property = fc.asyncProperty(sampleArbitrary, compare).afterEach(clear);
  // A machine that is busy takes fewer samples; a fault that takes long to be made small is told as it is.
  await fc.assert(property, { numRuns, interruptAfterTimeLimit: limitMs - 30_000 });
});

/** What became of a contact, as the interpreter tells it. */
async function trip(
  journeyId: string,
  contactId: string,
): Promise<{ visits: string[]; ended: string | null; isHoldout: boolean }> {
  const row = await t.db.row(sql<{ id: string; state: string; reason: string | null; at: number; isHoldout: boolean }>`
    select e.enrolment_id as id, e.state, e.reason, e.is_holdout as "isHoldout", (extract(epoch from e.ended_at) * 1000)::float8 as at
    from enrolment e join journey j on j.tenant_id = e.tenant_id and j.journey_no = e.journey_no
    where e.tenant_id = ${tenant.tenantId} and j.journey_id = ${bytes(journeyId)} and e.contact_id = ${contactId}`);
  const steps = await t.db.rows(sql<{ stepId: string; at: number }>`
    select step_id as "stepId", (extract(epoch from at) * 1000)::float8 as at from enrolment_line
    where tenant_id = ${tenant.tenantId} and enrolment_id = ${row?.id} and what = 'step' order by no, place`);
  const how = row?.reason === null ? row.state : `${row?.state} ${row?.reason}`;
  return {
    visits: steps.map(({ stepId, at }, i) => `${i + 1} ${stepId} ${at}`),
    ended: row?.state === 'active' ? null : `${how} at ${row?.at}`,
    isHoldout: row?.isHoldout ?? false,
  };
}
