import type { Runner } from '../../../db/database.js';
import { sql } from '../../../db/sql.js';
import type { ChangeRow } from '../queries.js';

export type NumberedChange = ChangeRow & { changeId: number };

/** Oldest first. */
export function selectChangesAfter(
  db: Runner,
  tenantId: number,
  contactId: string,
  after: number | undefined,
  limit: number,
): Promise<NumberedChange[]> {
  return db.rows(sql<NumberedChange>`
    select change_id as "changeId", field, old_value as "oldValue", new_value as "newValue", source, changed_at as "changedAt"
    from contact_change where tenant_id = ${tenantId} and contact_id = ${contactId} and change_id > ${after ?? 0}
    order by change_id limit ${limit}`);
}
