// Broadcasts that are stopped in time: by a pause that waits for nothing, and by a change while they are paused.
import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { inAnHour, later, makeSender, type Sender } from '../../../../test/broadcasts.js';
import { until } from '../../../../test/enrolments.js';
import { bytes, sql } from '../../../db/sql.js';
import { lockJourneys } from '../life/queries.js';
import { endBroadcasts } from './life.js';

// Nobody works: what is due stays so.
const t = useApp();
let { tenant, listOf, create, read, move } = {} as Sender;
beforeAll(async () => {
  ({ tenant, listOf, create, read, move } = await makeSender(t));
});

async function scheduled(): Promise<string> {
  const [staticListId] = await listOf(1);
  const id = await create({ audience: { staticListId }, when: later() });
  expect((await move(id, 'send')).body.data.status).toBe('scheduled');
  return id;
}

const pass = (id: string) =>
  t.db.run(sql`
    update journey set next_run_at = now() - interval '1 minute'
    where tenant_id = ${tenant.tenantId} and journey_id = ${bytes(id)}`);

describe('a broadcast', () => {
  it.each(['pause', 'rename'])('answers to %s without counting its messages in the transaction', async (what) => {
    const id = await scheduled();
    const act = () => (what === 'pause' ? move(id, what) : tenant.patch(`/v2/broadcasts/${id}`, { name: 'Other' }));
    const isDone = sql<{ done: boolean }>`
      select paused_at is not null or name = 'Other' as done from journey
      where tenant_id = ${tenant.tenantId} and journey_id = ${bytes(id)}`;
    let answer: ReturnType<typeof act> | undefined;
    await t.db.background.transaction(async (tx) => {
      // What a count among millions is: long.
      await tx.run(sql`lock table message in access exclusive mode`);
      answer = act();
      await until(
        () => t.db.row(isDone),
        (row) => row?.done === true,
      );
    });
    expect((await answer)?.body.data).toMatchObject({ broadcastId: id, progress: { sent: 0 } });
  });

  it('changes while it is paused, also after the time at which it was to begin', async () => {
    const id = await scheduled();
    await move(id, 'pause');
    await pass(id);
    expect(await read(id)).toMatchObject({ status: 'paused', startedAt: null });
    const change = (body: object) => tenant.patch(`/v2/broadcasts/${id}`, body);
    const when = { kind: 'at', at: inAnHour() };
    expect((await change({ when })).body.data).toMatchObject({ status: 'paused', when });
    expect((await change({ when: { kind: 'now' } })).body.data.when).toEqual({ kind: 'now' });
    // It has not begun yet: second thoughts.
    expect((await change({ when })).body.data.when).toEqual(when);
    expect((await move(id, 'resume')).body.data).toMatchObject({ status: 'scheduled', sendsAt: when.at });
  });

  it('is over though the journeys of another workspace are locked all the time', async () => {
    const other = await makeSender(t);
    const over = async (sender: Sender) => {
      const id = await sender.create({ audience: { staticListId: (await sender.listOf(1))[0] } });
      await sender.move(id, 'send');
      await t.db.run(sql`
        update journey set next_run_at = null where tenant_id = ${sender.tenant.tenantId} and journey_id = ${bytes(id)}`);
      return id;
    };
    const [busy, free] = [await over({ tenant, listOf, create, read, move } as Sender), await over(other)];
    await t.db.background.transaction(async (tx) => {
      await lockJourneys(tx, tenant.tenantId);
      await endBroadcasts(t.db.background, new AbortController().signal);
      expect((await other.read(free)).status).toBe('sent');
      expect((await read(busy)).status).toBe('sending');
    });
    await endBroadcasts(t.db.background, new AbortController().signal);
    expect((await read(busy)).status).toBe('sent');
  });

  it('keeps its audience if it is sent while somebody chooses another', async () => {
    const filter = { property: 'edition', is: 'chosen' };
    const id = await create({ audience: { filter } });
    const { audienceListId } = await read(id);
    let change: ReturnType<Sender['move']> | undefined;
    await t.db.background.transaction(async (tx) => {
      const own = sql`tenant_id = ${tenant.tenantId} and journey_id = ${bytes(id)}`;
      await tx.run(sql`select 1 from journey where ${own} for update`);
      change = tenant.patch(`/v2/broadcasts/${id}`, { audience: { filter: { property: 'edition', is: 'another' } } });
      const waits = sql<{ n: number }>`
        select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
      await until(
        () => t.db.row(waits),
        (row) => row?.n === 1,
      );
      // What sending does, just before.
      await tx.run(sql`update journey set state = 'active', version = 1, next_run_at = now() where ${own}`);
    });
    expect((await change)?.status).toBe(409);
    expect((await read(id)).audience).toEqual({ filter });
    expect((await tenant.get(`/v2/dynamic-lists/${audienceListId}`)).body.data.filter).toEqual(filter);
  });

  it('does not change while it is about to begin', async () => {
    const id = await scheduled();
    await pass(id);
    const { status, body } = await tenant.patch(`/v2/broadcasts/${id}`, { when: later() });
    expect([status, body.errors[0].message]).toEqual([409, expect.stringContaining('has begun')]);
  });
});
