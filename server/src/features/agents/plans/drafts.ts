// Drafts of live journeys: what an agent wrote and a person has not published.
import type { Database } from '../../../db/database.js';
import { type DraftRow, deleteDraft, findDraft, saveDraft } from './queries.js';

export type Drafts = ReturnType<typeof draftsOf>;

export function draftsOf(db: Database) {
  return {
    find: (tenantId: number, journeyId: string): Promise<DraftRow | undefined> => findDraft(db, tenantId, journeyId),
    save: (by: { tenantId: number; accountId: number }, journeyId: string, definition: object) =>
      saveDraft(db, by, journeyId, definition),
    drop: (tenantId: number, journeyId: string) => deleteDraft(db, tenantId, journeyId),
  };
}
