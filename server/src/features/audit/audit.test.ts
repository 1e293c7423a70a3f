import fc from 'fast-check';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../test/database.js';
import type { Runner, Transaction } from '../../db/database.js';
import { bytes, sql } from '../../db/sql.js';
import { hashOf } from './chain.js';
import { type Actor, type AuditScope, recordAudit, type VerifiedLog, verifyAudit } from './index.js';

const t = useDatabase();

async function makeTenant(): Promise<number> {
  const row = await t.db.row(sql<{ tenantId: number }>`
    insert into tenant (name) values ('Audited') returning tenant_id as "tenantId"`);
  return (row as { tenantId: number }).tenantId;
}

const by = (tenantId: number): Actor => ({ tenantId, accountId: 7, address: '192.0.2.1' });

async function verified(db: Runner, asked: Partial<AuditScope> = {}): Promise<VerifiedLog[]> {
  const logs: VerifiedLog[] = [];
  await verifyAudit(db, (log) => logs.push(log), asked);
  return logs;
}

async function faultsOf(db: Runner, asked?: Partial<AuditScope>): Promise<string[]> {
  return (await verified(db, asked)).flatMap(({ tenantId, faults }) => faults.map((fault) => `${tenantId}: ${fault}`));
}

class Undo extends Error {}

/** Does what a person with all rights in the database could do, looks at what the walk says, and undoes it. */
async function whileTampered(
  tamper: (tx: Transaction) => Promise<unknown>,
  asked?: Partial<AuditScope>,
): Promise<string[]> {
  let told: string[] = [];
  const tampered = t.db.transaction(async (tx) => {
    await tx.run(sql`alter table audit_entry disable trigger all`);
    await tamper(tx);
    told = await faultsOf(tx, asked);
    throw new Undo();
  });
  await expect(tampered).rejects.toThrow(Undo);
  return told;
}

const length = 6;
let [one, two] = [0, 0];
beforeAll(async () => {
  [one, two] = [await makeTenant(), await makeTenant()];
  for (let i = 1; i <= length; i++) {
    await recordAudit(t.db, by(one), 'token.created', i, { name: `Zoë "${i}"\n`, scopes: ['READ'] });
    await recordAudit(t.db, { tenantId: two, accountId: null, address: null }, 'sign-in.failed');
  }
});

describe('an untouched log', () => {
  it('is whole, and its last hash is reported', async () => {
    const [first, second] = await verified(t.db);
    const hash = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(first).toEqual({ tenantId: one, entries: length, lastHash: hash, faults: [] });
    expect(second).toEqual({ tenantId: two, entries: length, lastHash: hash, faults: [] });
    expect(await verified(t.db, { tenantId: two, expected: String(second?.lastHash) })).toEqual([second]);
  });

  it('stays one chain when many append at once, and rolled back entries leave no gap', async () => {
    const tenantId = await makeTenant();
    await Promise.all(
      Array.from({ length: 120 }, (_, i) =>
        t.db
          .transaction(async (tx) => {
            await recordAudit(tx, by(tenantId), 'sign-in.succeeded', i);
            if (i % 5 === 0) throw new Undo();
          })
          .catch((error) => expect(error).toBeInstanceOf(Undo)),
      ),
    );
    expect(await verified(t.db, { tenantId })).toEqual([
      { tenantId, entries: 96, lastHash: expect.any(String), faults: [] },
    ]);
  });
});

it('the database refuses to change, delete or empty what was written', async () => {
  // As a plain client does, without anything of ours in between.
  const client = new pg.Client(t.connection);
  await client.connect();
  try {
    for (const statement of [
      `update audit_entry set action = 'sign-out'`,
      'update audit_entry set detail = detail where entry_no = 1',
      'delete from audit_entry where entry_no = 1',
      'truncate audit_entry',
      'truncate tenant cascade',
      'merge into audit_entry e using (values (1)) as v (n) on e.entry_no = v.n when matched then delete',
    ])
      await expect(client.query(statement), statement).rejects.toThrow('the audit log is append-only');
  } finally {
    await client.end();
  }
});

interface Row {
  entryNo: number;
  accountId: number | null;
  at: string;
  action: string;
  subject: string | null;
  detail: string;
  address: string | null;
}

const rowOf = async (db: Runner, entryNo: number): Promise<Row> =>
  (await db.row(sql<Row>`
    select entry_no as "entryNo", at, account_id as "accountId", action, subject, detail, address
    from audit_entry where tenant_id = ${one} and entry_no = ${entryNo}`)) as Row;

const hashBefore = async (db: Runner, entryNo: number): Promise<string> =>
  (
    await db.row(sql<{ hash: string }>`
    select hash from audit_entry where tenant_id = ${one} and entry_no = ${entryNo}`)
  )?.hash ?? '00';

const insert = (tx: Runner, row: Row, hash: string) =>
  tx.run(sql`
    insert into audit_entry (tenant_id, entry_no, at, account_id, action, subject, detail, address, hash)
    values (${one}, ${row.entryNo}, ${row.at}, ${row.accountId}, ${row.action}, ${row.subject}, ${row.detail},
      ${row.address}, ${bytes(hash)})`);

const remove = (tx: Runner, entryNo: number) =>
  tx.run(sql`delete from audit_entry where tenant_id = ${one} and entry_no = ${entryNo}`);

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((value) => !value.includes('\0'));
const entryNo = fc.integer({ min: 1, max: length });
const changed = fc.oneof(
  fc.record({ accountId: fc.option(fc.maxSafeNat()) }),
  fc.record({
    at: fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }).map((at) => at.toISOString()),
  }),
  fc.record({ action: text }),
  fc.record({ subject: fc.option(text) }),
  fc.record({ detail: text }),
  fc.record({ address: fc.option(text) }),
);

describe('a changed log', () => {
  it('shows any change of any field, even if its own hash was recomputed', async () => {
    const given = fc.tuple(entryNo, changed, fc.boolean());
    await fc.assert(
      fc.asyncProperty(given, async ([no, change, isClever]) => {
        const before = await rowOf(t.db, no);
        const after = { ...before, ...change };
        fc.pre(JSON.stringify(after) !== JSON.stringify(before));
        const told = await whileTampered(async (tx) => {
          const fitting = hashOf(await hashBefore(tx, no - 1), no, { tenantId: one, ...after });
          const own = await hashBefore(tx, no);
          await remove(tx, no);
          await insert(tx, after, isClever ? fitting : own);
        });
        expect(told).not.toEqual([]);
      }),
      { numRuns: 80 },
    );
  });

  it('shows an entry that was removed, alone or with neighbours', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(entryNo, { minLength: 1 }), async (gone) => {
        const told = await whileTampered(async (tx) => {
          for (const no of gone) await remove(tx, no);
        });
        expect(told.join()).toMatch(/is missing|are missing/);
      }),
      { numRuns: 40 },
    );
  });

  it('shows entries that changed places', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(entryNo, { minLength: 2, maxLength: 2 }),
        fc.boolean(),
        async ([a, b], withHash) => {
          const [from, to] = [a as number, b as number];
          const told = await whileTampered(async (tx) => {
            const [left, right] = [await rowOf(tx, from), await rowOf(tx, to)];
            const [leftHash, rightHash] = [await hashBefore(tx, from), await hashBefore(tx, to)];
            for (const no of [from, to]) await remove(tx, no);
            await insert(tx, { ...left, entryNo: to }, withHash ? leftHash : rightHash);
            await insert(tx, { ...right, entryNo: from }, withHash ? rightHash : leftHash);
          });
          expect(told.join()).toContain('does not fit its hash');
        },
      ),
      { numRuns: 40 },
    );
  });

  it('shows an entry that was inserted anywhere', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: -3, max: length + 3 }), text, async (no, subject) => {
        const told = await whileTampered(async (tx) => {
          // Those behind it make room.
          await tx.run(
            sql`update audit_entry set entry_no = -1000 - entry_no where tenant_id = ${one} and entry_no >= ${no}`,
          );
          await tx.run(
            sql`update audit_entry set entry_no = -entry_no - 999 where tenant_id = ${one} and entry_no < -999`,
          );
          const row = { ...(await rowOf(t.db, 1)), entryNo: no, subject };
          await insert(tx, row, hashOf(await hashBefore(tx, no - 1), no, { tenantId: one, ...row }));
        });
        expect(told).not.toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it('is reported in words that name the place', async () => {
    const change = (statement: (tx: Transaction) => Promise<unknown>, asked?: Partial<AuditScope>) =>
      whileTampered(statement, asked);
    expect(
      await change((tx) => tx.run(sql`update audit_entry set subject = 'x' where tenant_id = ${one} and entry_no = 3`)),
    ).toEqual([
      expect.stringMatching(
        new RegExp(
          `^${one}: Entry 3 \\(token.created, 20.*Z\\) does not fit its hash: it or the entry before it was changed`,
        ),
      ),
    ]);
    expect(
      await change((tx) => tx.run(sql`delete from audit_entry where tenant_id = ${one} and entry_no in (2, 3)`)),
    ).toEqual([`${one}: Entries 2 to 3 are missing.`]);
    expect(await change((tx) => remove(tx, length))).toEqual([`${one}: Entry ${length} is missing.`]);
    expect(await change((tx) => tx.run(sql`delete from audit_head where tenant_id = ${one}`))).toEqual([
      `${one}: The head is missing: nothing says which entry is the last one.`,
    ]);
    expect(await change((tx) => tx.run(sql`update audit_head set entry_no = 4 where tenant_id = ${one}`))).toEqual([
      `${one}: The head says that entry 4 is the last one, and there are entries up to ${length}.`,
    ]);
    expect(
      await change((tx) =>
        tx.run(sql`update audit_head set hash = ${bytes('00'.repeat(32))} where tenant_id = ${one}`),
      ),
    ).toEqual([`${one}: The head has another hash than entry ${length}: one of the two was changed.`]);
    expect(await change((tx) => tx.run(sql`delete from audit_entry where tenant_id = ${one}`))).toEqual([
      `${one}: Entries 1 to ${length} are missing.`,
    ]);
    const moved = await change(async (tx) => {
      await tx.run(
        sql`update audit_entry set tenant_id = ${two}, entry_no = ${length + 1} where tenant_id = ${one} and entry_no = 2`,
      );
      await tx.run(sql`update audit_head h set entry_no = e.entry_no, hash = e.hash from audit_entry e
        where h.tenant_id = ${two} and e.tenant_id = ${two} and e.entry_no = ${length + 1}`);
    });
    expect(moved).toEqual([
      `${one}: Entry 2 is missing.`,
      expect.stringContaining(`${two}: Entry ${length + 1} (token.created, `),
    ]);
  });

  it.each(['infinity', '-infinity', '2026-11-16 09:00:00.000+00 BC', '12026-11-16 09:00:00.000+00'])(
    'shows even a time such as %s',
    async (at) => {
      const told = await whileTampered((tx) =>
        tx.run(sql`update audit_entry set at = ${at}::timestamptz where tenant_id = ${one} and entry_no = 1`),
      );
      expect(told).toEqual([expect.stringContaining('Entry 1 ')]);
    },
  );

  it('shows a cut-off tail, if its head was changed too, only to those who kept a hash', async () => {
    const expected = (await verified(t.db, { tenantId: one }))[0]?.lastHash as string;
    const cut = async (tx: Transaction) => {
      await remove(tx, length);
      await tx.run(sql`update audit_head set entry_no = ${length - 1}, hash = ${bytes(await hashBefore(tx, length - 1))}
        where tenant_id = ${one}`);
    };
    expect(await whileTampered(cut)).toEqual([]);
    const told = expect.stringContaining(`${one}: No entry has the hash ${expected}: the log was cut off before it`);
    expect(await whileTampered(cut, { tenantId: one, expected })).toEqual([told]);
    const emptied = async (tx: Transaction) => {
      await tx.run(sql`delete from audit_entry where tenant_id = ${one}`);
      await tx.run(sql`delete from audit_head where tenant_id = ${one}`);
    };
    expect(await whileTampered(emptied, { tenantId: one, expected })).toEqual([told]);
    // A log that went on since is fine.
    expect(await whileTampered((tx) => recordAudit(tx, by(one), 'sign-out'), { tenantId: one, expected })).toEqual([]);
  });
});
