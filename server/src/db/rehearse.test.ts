import { afterEach, describe, expect, it } from 'vitest';
import { useDatabase } from '../../test/database.js';
import { DatabaseBusy } from './connect.js';
import { type Database, openDatabase } from './database.js';
import { sql } from './sql.js';

const t = useDatabase();
const opened: Database[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close({ atOnce: true });
});

/** One after the other on the same connection, so that leftovers of a rehearsal would show. */
function open(slowReadMs = 10_000): Database {
  const db = openDatabase(t.connection, { slowReads: 2, slowReadMs });
  opened.push(db);
  return db;
}

const floor = sql<{ month: number }>`select month from event_floor`;

describe('a rehearsal', () => {
  it('uses its temporary tables, even if a statement was prepared before, and leaves none behind', async () => {
    const db = open();
    const before = await db.slow(1).row(floor);
    for (let i = 0; i < 3; i++) {
      const seen = await db.rehearse(
        1,
        async (tx) => {
          await tx.run(sql`create temp view event_floor as select 7 as month from event_floor`);
          return tx.row(floor);
        },
        'ask for less',
      );
      expect(seen).toEqual({ month: 7 });
      expect(await db.slow(1).row(floor)).toEqual(before);
    }
  });

  it('undoes what it did, when it ends well and when it fails', async () => {
    const db = open();
    const raise = sql`update event_floor set swept_to = 99`;
    await db.rehearse(1, (tx) => tx.run(raise), 'ask for less');
    const failed = db.rehearse(
      1,
      async (tx) => {
        await tx.run(raise);
        throw new Error('no more');
      },
      'ask for less',
    );
    await expect(failed).rejects.toThrow('no more');
    expect(await db.row(sql`select from event_floor where swept_to = 99`)).toBeUndefined();
  });

  it('may take as long in all as one statement, and says what to ask for instead', async () => {
    const db = open(300);
    const endless = db.rehearse(
      1,
      async (tx) => {
        for (;;) await tx.run(sql`select pg_sleep(0.05)`);
      },
      'ask for less',
    );
    await expect(endless).rejects.toThrow(DatabaseBusy);
    await expect(endless).rejects.toThrow('the read took longer than 0.3 s; ask for less, then try again');
    expect(await db.slow(1).row(floor)).toBeDefined();
  });
});
