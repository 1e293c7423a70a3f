// What contacts agreed to, with its evidence, for those who have to show it.
import type { Runner } from '../../db/database.js';
import { inPages } from '../../db/in-pages.js';
import { csvLine } from '../../lib/csv.js';
import { type ConsentEvidence, selectEvidence } from './evidence/queries.js';

const columns = [
  ...['tenant_id', 'email', 'contact_id', 'topic_key', 'topic_name', 'state', 'since', 'source', 'form_id', 'text'],
  ...['said_at', 'account_id'],
];

/** Lines of CSV; the first has the names of the columns. */
export async function* consentLines(db: Runner, tenantId: number | undefined): AsyncIterable<string> {
  yield csvLine(columns);
  const rows = inPages(1000, (after: ConsentEvidence | undefined, size) => selectEvidence(db, tenantId, after, size));
  for await (const row of rows) yield csvLine(cellsOf(row));
}

function cellsOf(row: ConsentEvidence): (string | number | null)[] {
  const { tenantId, email, contactId, topicKey, topicName, state, since, source, formId, text, saidAt, accountId } =
    row;
  return [tenantId, email, contactId, topicKey, topicName, state, since, source, formId, text, saidAt, accountId];
}
