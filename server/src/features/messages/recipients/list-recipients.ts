import type { DataValue, RecipientGroup, listRecipients as route } from '@rapport/contract';
import type { Database } from '../../../db/database.js';
import { invalid } from '../../../http/api-error.js';
import { parseInstant } from '../../../lib/instant.js';
import { getEmailName } from '../../emails/index.js';
import { type Place, selectRecipients } from './queries.js';

export interface Wanted {
  group: RecipientGroup | undefined;
  search: string | undefined;
}

/** The next ones after a cursor, newest first. A 404 if there is no such email. */
export async function listRecipients(
  db: Database,
  tenantId: number,
  emailId: string,
  { after, limit, ...wanted }: Wanted & { after: string | undefined; limit: number },
): Promise<DataValue<typeof route>> {
  const place = after === undefined ? undefined : readCursor(after);
  await getEmailName(db, tenantId, emailId);
  const { rows, next } = await readRecipients(db, tenantId, { ...wanted, emailId, after: place, limit });
  return { recipients: rows, cursor: next ? writeCursor(next) : null };
}

/** So many, and where to go on; undefined after the last. */
export async function readRecipients(
  db: Database,
  tenantId: number,
  { limit, ...asked }: Wanted & { emailId: string; after: Place | undefined; limit: number },
) {
  // One more says whether there are others.
  const found = await selectRecipients(db.slow(tenantId), tenantId, { ...asked, limit: limit + 1 });
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  return {
    rows: shown.map(({ at, ...row }) => row),
    next: last && { at: last.at, messageId: last.messageId },
  };
}

const writeCursor = ({ at, messageId }: Place) => Buffer.from(`${at} ${messageId}`).toString('base64url');

function readCursor(cursor: string): Place {
  const [at = '', messageId = '', ...more] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const instant = parseInstant(at);
  if (instant === undefined || !/^[0-9a-f]{32}$/.test(messageId) || more.length > 0)
    throw invalid('after', 'is not the cursor of an answer; leave it out to begin at the top');
  return { at: instant, messageId };
}
