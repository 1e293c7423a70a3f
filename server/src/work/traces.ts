// Which trace a unit of work came from, while it waits. There are rows only while traces are recorded.
import type { Runner } from '../db/database.js';
import { sql } from '../db/sql.js';
import { currentTrace, inSpan, isTracing, type SpanFacts, type TraceParent } from '../lib/tracing.js';

/** `trace`: undefined: what is recorded now; null: nothing. */
interface Traceable {
  tenantId: number;
  /** 32 hex digits. */
  workId: string;
  trace?: TraceParent | null | undefined;
}

/**
 * Before the work itself: a row without work is swept, and work without its row would leave its trace. While nothing is recorded,
 * nothing is described either.
 */
export async function keepTraces<W>(db: Runner, works: readonly W[], describe: (work: W) => Traceable): Promise<void> {
  if (!isTracing()) return;
  const now = currentTrace();
  const traced = works.map(describe).flatMap((work) => {
    const trace = work.trace === undefined ? now : work.trace;
    return trace ? { ...work, trace } : [];
  });
  if (traced.length === 0) return;
  await db.run(sql`
    insert into work_trace (tenant_id, work_id, traceparent)
    select * from unnest(${traced.map(({ tenantId }) => tenantId)}::bigint[],
      ${traced.map(({ workId }) => workId)}::uuid[], ${traced.map(({ trace }) => trace)}::text[])
    on conflict do nothing`);
}

/** By the work's id. It may be done again after a failure, so they stay until they are swept. */
export async function tracesOf(
  db: Runner,
  tenantId: number,
  workIds: readonly string[],
): Promise<ReadonlyMap<string, TraceParent>> {
  if (!isTracing() || workIds.length === 0) return none;
  const rows = await db.rows(sql<{ workId: string; trace: string }>`
    select work_id as "workId", traceparent as trace from work_trace
    where tenant_id = ${tenantId} and work_id = any(${workIds}::uuid[])`);
  return new Map(rows.map(({ workId, trace }) => [workId, trace]));
}

const none: ReadonlyMap<string, TraceParent> = new Map();

/** Runs work as a span that comes from where its units came from. */
export async function inSpanOf<T>(
  db: Runner,
  tenantId: number,
  workIds: readonly string[],
  facts: Omit<SpanFacts, 'origins' | 'kind'>,
  work: () => Promise<T>,
): Promise<T> {
  if (!isTracing()) return work();
  const origins = [...new Set((await tracesOf(db, tenantId, workIds)).values())];
  return inSpan({ ...facts, kind: 'consumer', origins }, work);
}

/** What every span of work says. */
export function tenantOfSpan(tenantId: number): Record<string, number> {
  return { 'rapport.tenant_id': tenantId };
}

/** Returns how many were removed. */
export function sweepTraces(db: Runner, atMost: number): Promise<number> {
  return db.run(sql`
    /* all tenants */ delete from work_trace where ctid = any(array(
      select ctid from work_trace where created_at < now() - interval '1 day' limit ${atMost}))`);
}
