// Reads figures of messages in a window: whole hours as they were counted, the partial hours at its ends from the rows themselves.
import type { Runner } from '../../../db/database.js';
import type { Window } from '../../../db/tallies.js';
import type { Counts } from './counts.js';
import { type FigureSubject, type Grain, selectFigures, selectLinkFigures } from './queries.js';
import { partsOf, type SubjectParts } from './subjects.js';

/** `since`: the start of the hour or day in UTC; null if no intervals were requested. `url`: for a link. */
export type FigureRow = Counts & SubjectParts & { since: string | null; url?: string };

/**
 * One row per subject and interval with any counts, oldest first; for links, most clicked first. One statement, so all
 * rows are from the same moment.
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
