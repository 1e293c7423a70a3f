import type { DataValue, getEmailRevision, listEmailHistory } from '@rapport/contract';
import type { Database } from '../../../db/database.js';
import type { Page, PageOf } from '../../../db/paged.js';
import { notFound } from '../../../http/api-error.js';
import { isAssetId } from '../../../lib/ids.js';
import { selectAccountNames } from '../../tenants/index.js';
import { presentTranslations } from '../present-email.js';
import { findRevisionNow } from '../queries.js';
import { findRevision, type RevisionRow, selectRevisions } from './queries.js';

type Row = DataValue<typeof listEmailHistory>;
type Whole = DataValue<typeof getEmailRevision>;

export async function listHistory(db: Database, tenantId: number, id: string, page: PageOf): Promise<Page<Row>> {
  const current = await getRevisionNow(db, tenantId, id);
  const { rows, total } = await selectRevisions(db, tenantId, id, page);
  const names = await namesOf(db, tenantId, rows);
  return { rows: rows.map((row) => present(row, names, current)), total };
}

/** `revision` as it is in the path. Anything that is not the number of a save is a 404. */
export async function getRevision(db: Database, tenantId: number, id: string, revision: string): Promise<Whole> {
  const current = await getRevisionNow(db, tenantId, id);
  const number = /^[1-9]\d{0,8}$/.test(revision) ? Number(revision) : undefined;
  const found = number === undefined ? undefined : await findRevision(db, tenantId, id, number);
  if (!found) throw notFound('revision');
  const { preheader, html, design, translations, senderEmail, senderName, replyTo, topicId } = found;
  return {
    ...present(found, await namesOf(db, tenantId, [found]), current),
    ...{
      preheader,
      html,
      design,
      fromEmail: { email: senderEmail, name: senderName },
      replyTo: replyTo ?? senderEmail,
      topicId,
    },
    ...presentTranslations({ ...found, translations: translations ?? {} }),
  };
}

async function getRevisionNow(db: Database, tenantId: number, id: string): Promise<number> {
  const revision = isAssetId(id) ? await findRevisionNow(db, tenantId, id) : undefined;
  if (revision === undefined) throw notFound('email');
  return revision;
}

function namesOf(db: Database, tenantId: number, rows: readonly RevisionRow[]): Promise<Map<number, string>> {
  return selectAccountNames(db, tenantId, [...new Set(rows.map(({ savedBy }) => savedBy))]);
}

function present(row: RevisionRow, names: ReadonlyMap<number, string>, current: number): Row {
  const { revision, savedAt, savedBy, name, subject, changed, restoredFrom } = row;
  const savedByName = names.get(savedBy);
  return {
    ...{ revision, savedAt, name, subject, changed, restoredFrom },
    savedBy: savedByName === undefined ? null : { accountId: savedBy, name: savedByName },
    isCurrent: revision === current,
  };
}
