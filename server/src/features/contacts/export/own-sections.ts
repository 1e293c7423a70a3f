import type { Runner } from '../../../db/database.js';
import { inPages } from '../../../db/in-pages.js';
import { ApiError } from '../../../http/api-error.js';
import { formatTransactionId } from '../../../lib/ids.js';
import { parseJson } from '../../../lib/parse-json.js';
import { Turn } from '../../../lib/turns.js';
import { selectFailuresOf, selectPendingLong } from '../../transactions/index.js';
import { findChunkAfter, importKind } from '../import/queries.js';
import { findContact } from '../queries.js';
import { readItem } from '../read-item.js';
import { exporter, type Person, type SectionRow } from './exporter.js';
import { type NumberedChange, selectChangesAfter } from './queries.js';

const pageSize = 500;

/**
 * The sections that the contacts feature itself exports. The contact comes last: if the person is erased while this is read, there is no such
 * contact any more, or, if a part was sent already, the response is cut off.
 */
export const ownSections = [
  exporter('failedWrites', async function* (db, tenantId, { email }) {
    for (let after: Failure | undefined; ; ) {
      const failures = await selectFailuresOf(db, tenantId, email, after, pageSize);
      for (const { uuid, ...failure } of failures)
        yield { transactionId: formatTransactionId(tenantId, uuid), ...failure };
      after = failures.at(-1);
      if (!after) return;
    }
  }),
  exporter('importRows', importRows),
  exporter('propertyChanges', (db, tenantId, { id }) =>
    inPages(pageSize, (after: NumberedChange | undefined, size) =>
      selectChangesAfter(db, tenantId, id, after?.changeId, size),
    ),
  ),
  exporter('contact', async function* (db, tenantId, { id }) {
    const contact = await findContact(db, tenantId, id);
    if (!contact) throw new ApiError('BAS-E-002');
    yield contact;
  }),
];
type Failure = Awaited<ReturnType<typeof selectFailuresOf>>[number];

/** Waiting imports are read whole, chunk by chunk, because nothing indexes which people a file is about. */
async function* importRows(db: Runner, tenantId: number, { email }: Person): AsyncGenerator<SectionRow<'importRows'>> {
  const turn = new Turn();
  for (const uuid of await selectPendingLong(db, tenantId, importKind, Number.MAX_SAFE_INTEGER)) {
    const transactionId = formatTransactionId(tenantId, uuid);
    for (let after = -1; ; ) {
      const chunk = await findChunkAfter(db, { tenantId, uuid }, after);
      if (!chunk) break;
      after = chunk.chunk;
      for (const [i, row] of chunk.payload.split('\n').entries()) {
        if (turn.isOver) await turn.next();
        const content = mayName(row, email) ? parseJson(row) : undefined;
        if (content !== undefined && readItem(content).email === email)
          yield { transactionId, row: chunk.firstRow + i, content };
      }
    }
  }
}

/** Avoids parsing: parsing a million rows would take half a minute of CPU. Rows with escapes are always parsed. */
function mayName(row: string, email: string): boolean {
  return row.includes('\\') || row.toLowerCase().includes(email);
}
