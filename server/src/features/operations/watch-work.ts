import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Database } from '../../db/database.js';
import { systemClock } from '../../lib/clock.js';
import { errorCode } from '../../work/prospect.js';
import type { Queue, Watch } from '../../work/queue.js';
import { administration, listWaiting, type WaitingRow } from './list-waiting.js';

// About the time between two scrapes: counting a long backlog reads all of it.
const freshMs = 5000;
const patienceMs = 2000;

/** Counts how work ends, and logs what an operator should know. Depth and age are read when metrics are asked for. */
export function watchWork(db: Database, queues: readonly Queue[], registry: Registry, log: FastifyBaseLogger): Watch {
  const counter = (name: string, help: string) =>
    new Counter({ name: `rapport_work_${name}_total`, help, labelNames: ['kind'], registers: [registry] });
  const done = counter('done', 'Units of work that were done.');
  const retried = counter('retried', 'Attempts that failed and are made again.');
  const failed = counter('failed', 'Units of work that were ended without having been done.');
  addGauges(db, queues, registry);
  return {
    done: (kind, count) => done.inc({ kind }, count),
    retried: (kind, tenantId, error) => {
      retried.inc({ kind });
      log.warn({ tenantId, kind, error: errorCode(error), err: error }, 'work failed; it is tried again');
    },
    failed: (kind, tenantId, error) => {
      failed.inc({ kind });
      log.error({ tenantId, kind, error: errorCode(error), err: error }, 'work was given up: it ends as FAILED');
    },
  };
}

function addGauges(db: Database, queues: readonly Queue[], registry: Registry): void {
  const waiting = remembered(() => listWaiting(db.slow(administration), queues));
  const gauge = (name: string, help: string, read: (rows: readonly WaitingRow[]) => number) =>
    new Gauge({
      name: `rapport_work_${name}`,
      help,
      labelNames: ['queue', 'kind'],
      registers: [registry],
      async collect() {
        // A database that is away must not keep the other figures from being read.
        const rows = await waiting().catch(() => undefined);
        this.reset();
        for (const own of byKind(rows ?? [])) this.set({ queue: own[0].queue, kind: own[0].kind }, read(own));
      },
    });
  gauge('depth', 'Units of work that wait.', (rows) => rows.reduce((sum, row) => sum + row.waiting, 0));
  gauge('oldest_seconds', 'For how long the oldest has waited.', (rows) => {
    const oldest = Math.min(...rows.map(({ since }) => Date.parse(since)));
    return Math.max(0, (systemClock.now().getTime() - oldest) / 1000);
  });
}

/** Where slow reads are answered, on a node that has a replica. */
export function countReplicaReads({ slowReadsBy }: Database, registry: Registry): void {
  if (!slowReadsBy) return;
  new Counter({
    name: 'rapport_slow_reads_total',
    help: 'Slow reads, by the database that answered.',
    labelNames: ['database'],
    registers: [registry],
    collect() {
      this.reset();
      for (const [database, count] of Object.entries(slowReadsBy)) this.inc({ database }, count);
    },
  });
}

function byKind(rows: readonly WaitingRow[]): [WaitingRow, ...WaitingRow[]][] {
  const groups = new Map<string, [WaitingRow, ...WaitingRow[]]>();
  for (const row of rows) {
    const key = `${row.queue} ${row.kind}`;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()];
}

/**
 * One answer for all who ask within a moment. If counting takes too long, callers get the previous answer, if there is one: counting goes on,
 * and the other figures of a scrape are not lost.
 */
function remembered<T>(read: () => Promise<T>): () => Promise<T | undefined> {
  let known: T | undefined;
  let reading: Promise<T> | undefined;
  let staleAt = 0;
  return () => {
    const now = systemClock.elapsed();
    if (now < staleAt) return Promise.resolve(known);
    reading ??= read()
      .then((rows) => {
        staleAt = systemClock.elapsed() + freshMs;
        known = rows;
        return rows;
      })
      .finally(() => {
        reading = undefined;
      });
    return Promise.race([reading, sleep(patienceMs, undefined, { ref: false }).then(() => known)]);
  };
}
