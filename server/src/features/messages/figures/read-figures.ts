// Reads figures of messages in a window: whole hours as they were counted, the parts of hours at its ends from the rows themselves.
import type { Runner } from '../../../db/database.js';
import type { Window } from '../../../db/tallies.js';
import type { Counts } from './counts.js';
import { type FigureSubject, type Grain, selectFigures, selectLinkFigures } from './queries.js';
import { partsOf, type SubjectParts } from './subjects.js';

/** `since`: the beginning of its hour or day in UTC; null where no parts of time were asked for. `url`: of a link. */
export type FigureRow = Counts & SubjectParts & { since: string | null; url?: string };

/**
 * A row for each subject and part of time in which something was counted, the oldest first; of links, the most clicked first. One
 * statement, so all of it is of one moment.
 */
export async function readFigures(
  db: Runner,
  tenantId: number,
  of: FigureSubject,
  window: Window,
  grain?: Grain,
): Promise<FigureRow[]> {
  if (of.kind === 'links') return selectLinkFigures(db, tenantId, of, window, grain ?? null);
  const rows = await selectFigures(db, tenantId, of, window, grain ?? null);
  return rows.map(({ subject, ...row }) => ({ ...row, ...partsOf(subject) }));
}
