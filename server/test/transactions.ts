// Transactions of a kind that only tests use.

import type { Database } from '../src/db/database.js';
import { sql } from '../src/db/sql.js';
import { Acknowledger } from '../src/features/transactions/acknowledge.js';
import { type Applier, Appliers } from '../src/features/transactions/appliers.js';
import { readTransaction } from '../src/features/transactions/read-transaction.js';
import type { TestDatabase } from './database.js';

let tenants = 0;

/** An applier that records the order, and fails as the payload says. */
export function recorder(): { applier: Applier; applied: string[]; runs: number[] } {
  const applied: string[] = [];
  const runs: number[] = [];
  const applier: Applier = {
    kinds: ['test'],
    async apply(tx, tenantId, writes) {
      for (const { payload } of writes) {
        if (payload === 'poison') await tx.run(sql`select 1 / 0`);
        if (payload === 'bug') throw new Error(`no idea what to do with ${payload}`);
        if (payload === 'away') throw Object.assign(new Error('gone'), { code: '57P01' });
        await tx.run(sql`insert into counter_delta (tenant_id, counter, delta) values (${tenantId}, 'applied', 1)`);
      }
      runs.push(writes.length);
      tx.afterCommit(() => applied.push(...writes.map((write) => write.payload)));
      return writes.map(() => ({ results: { ok: true } }));
    },
    refuse: (write, error) => ({
      results: { ok: false },
      failures: [{ item: 0, email: null, error: `${write.payload}: ${error}` }],
    }),
  };
  return { applier, applied, runs };
}

export async function newTenant(db: Database): Promise<number> {
  const row = await db.row(
    sql<{ tenant_id: number }>`insert into tenant (name) values (${`T${tenants++}`}) returning tenant_id`,
  );
  return row?.tenant_id as number;
}

export function transactionsOn(t: TestDatabase) {
  const poll = (tenantId: number, transactionId: string) =>
    readTransaction(t.db, tenantId, transactionId, () => async (_db, _tenantId, { results }) => ({ shown: results }));

  function setUp() {
    const record = recorder();
    const appliers = new Appliers();
    appliers.onApply(record.applier);
    const acknowledger = new Acknowledger(t.db, () => undefined);
    const write = (tenantId: number, payload: string) =>
      acknowledger.acknowledge({ tenantId, kind: 'test', items: 1, payload });
    return { ...record, appliers, acknowledger, write };
  }

  return { poll, setUp };
}
