import { expect, it } from 'vitest';
import { useDatabase } from '../../../test/database.js';
import { sql } from '../../db/sql.js';
import { auditGroups, recordAudit, type VerifiedLog, verifyAudit } from './index.js';

const t = useDatabase();
const by = (tenantId: number) => ({ tenantId, accountId: 7, address: '192.0.2.1' });

async function verified(tenantId: number): Promise<VerifiedLog[]> {
  const logs: VerifiedLog[] = [];
  await verifyAudit(t.db, (log) => logs.push(log), { tenantId });
  return logs;
}

it('the log stays one chain when entries are appended in groups, beside single ones', async () => {
  const made = await t.db.row(sql<{ tenantId: number }>`
    insert into tenant (name) values ('Audited') returning tenant_id as "tenantId"`);
  const tenantId = made?.tenantId as number;
  const append = auditGroups(t.db);
  const subjects = Array.from({ length: 60 }, (_, i) => i);
  await Promise.all(
    subjects.map((i) =>
      i % 7 === 0
        ? recordAudit(t.db, by(tenantId), 'sign-in.succeeded', i)
        : append(by(tenantId), 'agent.called', i, { app: 'Zoë' }),
    ),
  );
  expect(await verified(tenantId)).toEqual([{ tenantId, entries: 60, lastHash: expect.any(String), faults: [] }]);
  const rows = await t.db.rows(sql<{ subject: string }>`
    select subject from audit_entry where tenant_id = ${tenantId} and account_id = 7`);
  expect(rows.map(({ subject }) => Number(subject)).sort((a, b) => a - b)).toEqual(subjects);
});
