// What is stored about a message that more than one process held.
import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../../test/database.js';
import type { Runner } from '../../../db/database.js';
import { bytes, Sql, sql } from '../../../db/sql.js';
import { newMessageUuid, newUuid } from '../../../lib/ids.js';
import { putOff } from '../of-journeys/queries.js';
import { type Outcome, outcomeOf } from './outcome.js';
import { claimMessages, recordOutcomes, renewLeases, selectHeads, selectIsCounted, selectWaiting } from './queries.js';

const t = useDatabase();
const tenantId = 7;
const at = '2026-11-15T09:00:00.000Z';
const [mine, theirs] = [newUuid(), newUuid()];

async function insert(
  columns: { state?: string; lease?: string | null; reason?: string | null; bouncedAt?: string | null } = {},
) {
  const { state = 'queued', lease = null, reason = null, bouncedAt = null } = columns;
  const messageId = newMessageUuid();
  await t.db.run(sql`
    insert into message (tenant_id, message_id, kind, state, reason, contact_id, address, email_id, lease, bounced_at, queued_at, due_at)
    values (${tenantId}, ${messageId}, 'direct', ${state}, ${reason}, gen_random_uuid(), 'a@x.io', '\\x000000000000000000000001', ${lease},
      ${bouncedAt}, ${at}, ${at})`);
  return messageId;
}
const record = (messageId: string, what: Outcome['what'], more: Partial<Outcome> = {}) =>
  recordOutcomes(t.db, mine, [outcomeOf(tenantId, messageId, what, at, more)]);
const find = (messageId: string) =>
  t.db.row(sql<{ state: string; reason: string | null; lease: string | null; firstTriedAt: string | null }>`
    select state, reason, lease, first_tried_at as "firstTriedAt" from message where message_id = ${messageId}`);

describe('recordOutcomes', () => {
  it('leaves a message that another process claimed alone, unless it was sent', async () => {
    const messageId = await insert({ state: 'sending', lease: theirs });
    for (const what of ['later', 'postponed', 'failed', 'skipped'] as const) {
      expect(await record(messageId, what, { dueAt: at, reason: 'x', reply: '451 later' })).toEqual([]);
      expect(await find(messageId)).toMatchObject({ state: 'sending' });
    }
    await record(messageId, 'sent', { reply: '250 Ok' });
    expect(await find(messageId)).toMatchObject({ state: 'sent' });
    expect(await record(messageId, 'sent', { reply: '250 Ok' })).toEqual([]);
  });

  it('does not requeue a message that was cancelled after the lease expired', async () => {
    const messageId = await insert({ state: 'cancelled' });
    expect(await record(messageId, 'postponed', { dueAt: at })).toEqual([]);
    expect(await find(messageId)).toMatchObject({ state: 'cancelled' });
  });

  it('records a send even if another worker skipped the message or gave it up meanwhile', async () => {
    for (const state of ['skipped', 'failed', 'cancelled', 'queued']) {
      const messageId = await insert({ state, reason: state === 'skipped' ? 'unsubscribed' : null });
      expect(await record(messageId, 'sent', { reply: '250 Ok' })).toMatchObject([{ messageId, sentAt: at }]);
      expect(await find(messageId)).toMatchObject({ state: 'sent', reason: null });
    }
  });

  it('keeps the reason of a bounce that was reported before the send was recorded', async () => {
    const messageId = await insert({ state: 'sending', lease: mine, reason: '5.1.1 no', bouncedAt: at });
    await record(messageId, 'sent', { reply: '250 Ok' });
    expect(await find(messageId)).toMatchObject({ state: 'bounced', reason: '5.1.1 no' });
  });

  it('counts the retry hours from the first attempt, not from when it was first claimed', async () => {
    const messageId = await insert();
    const claim = () => claimMessages(t.db, tenantId, 1, { lease: mine, seconds: 60, onlyTransactional: false });
    expect(await claim()).toMatchObject([{ messageId }]);
    await record(messageId, 'postponed', { dueAt: at });
    expect(await find(messageId)).toMatchObject({ state: 'queued', firstTriedAt: null });
    await claim();
    await record(messageId, 'later', { dueAt: at, reply: '451 later' });
    expect(await claim()).toMatchObject([{ messageId, firstTriedAt: at }]);
    expect(await find(messageId)).toMatchObject({ firstTriedAt: at });
  });
});

describe('renewLeases', () => {
  it('renews the leases of this process, but none of other processes and none that it dropped', async () => {
    const [held, taken, ended] = [
      await insert({ state: 'sending', lease: mine }),
      await insert({ state: 'sending', lease: theirs }),
      await insert({ state: 'sent' }),
    ];
    const letGo = await insert({ state: 'sending', lease: mine });
    const kept = await renewLeases(
      t.db,
      mine,
      60,
      [held, taken, ended].map((id) => ({ tenantId, id })),
    );
    expect(kept).toEqual(new Set([held]));
    const rows = await t.db.rows(sql<{ id: string }>`
      select message_id as id from message where lease_until > now() and message_id = any(${[held, taken, ended, letGo]}::uuid[])`);
    expect(rows.map(({ id }) => id)).toEqual([held]);
  });
});

/** Keeps the plan of the statement instead of running it. */
async function planOf(run: (db: Runner) => Promise<unknown>): Promise<string> {
  let plan = '';
  const explain = async (statement: Sql) => {
    const lines = await t.db.background.rows(sql<Record<string, string>>`explain ${statement}`);
    plan = lines.map((line) => Object.values(line)[0]).join('\n');
    return [];
  };
  await run({ rows: explain, row: async () => undefined, run: async () => 0 } as Runner);
  return plan;
}

describe('with many messages that wait for their time', () => {
  const crowded = 8;
  beforeAll(async () => {
    await t.db.background.run(sql`
      insert into message (tenant_id, message_id, kind, contact_id, address, email_id, due_at, attempts)
      select ${crowded}, gen_random_uuid(), case when i % 10 = 0 then 'transactional' else 'direct' end, gen_random_uuid(), i || '@x.io',
        '\\x000000000000000000000001', now() + (i - 9000) * interval '1 s', i % 3 from generate_series(1, 30000) i`);
    await t.db.background.run(sql`analyze message`);
  });

  it('claims only by the keys of messages that are due', async () => {
    const plan = await planOf((db) =>
      claimMessages(db, crowded, 100, { lease: mine, seconds: 60, onlyTransactional: false }),
    );
    expect(plan).toMatch(/message_due\b/);
    expect(plan).toMatch(/message_due_transactional\b/);
    expect(plan).not.toMatch(/Seq Scan on message|Hash Join/);
  });

  it('claims the messages that have waited longest, transactional ones first', async () => {
    const own = { lease: mine, seconds: 60, onlyTransactional: false };
    const first = await claimMessages(t.db, crowded, 850, own);
    expect(first).toHaveLength(850);
    expect(first.every(({ kind }) => kind === 'transactional')).toBe(true);
    const kinds = (await claimMessages(t.db, crowded, 100, own)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'transactional')).toHaveLength(50);
    expect(kinds).toHaveLength(100);
  });

  it('counts due messages from the indexes of the queue', async () => {
    // A third of all messages is due here, so a sequential scan may be right.
    expect(await planOf((db) => selectWaiting(db))).not.toMatch(/message_in_state/);
    expect(await planOf((db) => selectHeads(db))).not.toMatch(/Seq Scan on message|message_in_state/);
    const waiting = (await selectWaiting(t.db)).find(({ tenantId: id }) => id === crowded);
    expect(waiting).toMatchObject({ kind: 'message', attempts: expect.any(Number), lastError: null, dueAt: null });
    expect(waiting?.count).toBeGreaterThanOrEqual(8050);
    expect(waiting?.count).toBeLessThan(9000);
  });
});

describe('with a journey that is held', () => {
  const held = 'aa'.padStart(24, '0');
  const own = { lease: mine, seconds: 60, onlyTransactional: false, held: [held] };
  const fill = (tenant: number, count: number, journeyId: string | null, minutesAgo: number) =>
    t.db.background.run(sql`
      insert into message (tenant_id, message_id, kind, contact_id, address, email_id, journey_id, due_at)
      select ${tenant}, gen_random_uuid(), 'journey', gen_random_uuid(), i || '@x.io', '\\x000000000000000000000001',
        ${journeyId === null ? null : bytes(journeyId)}::bytea, now() - ${minutesAgo}::integer * interval '1 minute'
      from generate_series(1, ${count}::integer) i`);

  it('claims the messages behind its own', async () => {
    await fill(9, 3000, held, 60);
    await fill(9, 5, null, 30);
    expect((await claimMessages(t.db, 9, 100, own)).map(({ journeyId }) => journeyId)).toEqual(new Array(5).fill(null));
    expect(await claimMessages(t.db, 9, 100, own)).toEqual([]);
    expect(await claimMessages(t.db, 9, 100, { ...own, held: [] })).toHaveLength(100);
  });

  it('reads only part of the queue, however long it is: messages further back wait until it is put off', async () => {
    await fill(10, 12_000, held, 60);
    await fill(10, 5, null, 30);
    await t.db.run(sql`analyze message`);
    const plan = await planOf((db) => claimMessages(db, 10, 100, own));
    expect(plan).toMatch(/Index.* Scan using message_due\b/);
    expect(plan).not.toMatch(/Sort|Seq Scan on message/);
    expect(await claimMessages(t.db, 10, 100, own)).toEqual([]);
    await t.db.run(sql`insert into message_hold (tenant_id, journey_id) values (10, ${bytes(held)})`);
    await putOff(t.db, 10, held, 8000);
    expect(await claimMessages(t.db, 10, 100, own)).toHaveLength(5);
  });

  it('claims from one long queue of a journey without reading the rest', async () => {
    const plan = await planOf((db) => claimMessages(db, 10, 100, { ...own, held: [] }));
    expect(plan).toMatch(/Index.* Scan using message_due\b/);
    expect(plan).not.toMatch(/Sort|Seq Scan on message/);
  });
});

it('may keep its plans once the table is analyzed, and then finds each message by its key', async ({ skip }) => {
  await t.db.run(sql`delete from message`);
  await t.db.run(sql`analyze message`);
  expect(await selectIsCounted(t.db)).toBe(false);
  await t.db.run(sql`
    insert into message (tenant_id, message_id, kind, address, email_id, due_at)
    select ${tenantId}, gen_random_uuid(), 'direct', 'a@x.io', '\\x000000000000000000000001', now() + interval '1 day'
    from generate_series(1, 2000)`);
  await t.db.run(sql`analyze message`);
  expect(await selectIsCounted(t.db)).toBe(true);
  const version = await t.db.row(sql<{ n: number }>`select current_setting('server_version_num')::integer as n`);
  skip((version?.n ?? 0) < 160_000, 'before PostgreSQL 16 a kept plan cannot be looked at');
  const said: Sql[] = [];
  const listening = {
    ...t.db,
    rows: async (statement: Sql): Promise<never[]> => {
      said.push(statement);
      return [];
    },
  };
  await recordOutcomes(listening, mine, [outcomeOf(tenantId, newMessageUuid(), 'sent', at)]);
  const [plan] = await t.db.background.transaction(
    (tx) => tx.rows(new Sql<object>(`explain (generic_plan, format json) ${said[0]?.text}`, '', [])),
    { isKeyed: true },
  );
  const ways = [
    ...JSON.stringify(plan).matchAll(/"(?:Index Name|Join Type|Node Type)":"([^"]*(?:message|Seq|Hash|Merge)[^"]*)"/g),
  ];
  expect(ways.map(([, way]) => way)).toEqual(['message_pkey', 'message_pkey']);
});
