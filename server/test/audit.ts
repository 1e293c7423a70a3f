import { sql } from '../src/db/sql.js';
import { verifyAudit } from '../src/features/audit/index.js';
import type { TestApp } from './app.js';

interface Audited {
  action: string;
  subject: string | null;
  accountId: number | null;
  address: string | null;
  detail: string;
}

/** The recorded actions of a tenant with this prefix, in order. Throws if the chain is broken. */
export async function auditOf(t: Pick<TestApp, 'db'>, tenantId: number, of = ''): Promise<Audited[]> {
  await verifyAudit(
    t.db,
    ({ faults }) => {
      if (faults.length > 0) throw new Error(faults.join('\n'));
    },
    { tenantId },
  );
  return t.db.rows(sql<Audited>`
    select action, subject, account_id as "accountId", address, detail from audit_entry
    where tenant_id = ${tenantId} and starts_with(action, ${of}) order by entry_no`);
}
