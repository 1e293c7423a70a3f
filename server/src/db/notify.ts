import type pg from 'pg';
import { type Connection, DatabaseClient, socketOf } from './connect.js';
import type { Runner } from './database.js';
import { sql } from './sql.js';

// Waking makes other processes prompt. Polling alone is enough for correctness, so a lost notification costs little.
const channel = 'rapport_writes';
const quietMs = 5;

/** Tells other processes which queue has work: one notification for many commits. */
export function notifier(db: Runner): (queue: string) => void {
  const scheduled = new Set<string>();
  return (queue) => {
    if (scheduled.has(queue)) return;
    scheduled.add(queue);
    setTimeout(() => {
      scheduled.delete(queue);
      db.run(sql`select pg_notify(${channel}, ${queue})`).catch(() => undefined);
    }, quietMs).unref();
  };
}

interface Listener {
  close(): Promise<void>;
}

/**
 * Calls back whenever a process announces work in a queue. Needs a connection of its own, not through a pooler. A notification from an
 * older build names no queue: it has only one.
 */
export function listen(connection: Connection, onWork: (queue: string) => void): Listener {
  let closed = false;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;

  function retry(): void {
    client = undefined;
    if (closed) return;
    timer = setTimeout(open, 1000);
    timer.unref();
  }

  async function open(): Promise<void> {
    const next = new DatabaseClient(connection);
    client = next;
    next.on('error', () => undefined);
    next.on('end', retry);
    next.on('notification', ({ payload }) => onWork(payload || 'writes'));
    try {
      await next.connect();
      await next.query(`listen ${channel}`);
      // For notifications sent while there was no listener.
      onWork('writes');
    } catch {
      await next.end().catch(() => undefined);
    }
  }

  void open();
  return {
    close: async () => {
      closed = true;
      clearTimeout(timer);
      // Nothing is lost, and a hanging database would not answer a terminate message either.
      if (client) socketOf(client).destroy();
    },
  };
}
