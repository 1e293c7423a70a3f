import type { Database, Runner } from '../../db/database.js';
import type { Eraser } from '../contacts/index.js';
import type { Filter } from '../filter-language/index.js';
import { forgetKeys } from '../idempotency/index.js';
import { Authoring, type AuthoringNeeds } from './authoring.js';
import { findMissing } from './check-references.js';
import { staticListUse, topicUse } from './delete-list.js';
import { audienceEngine } from './engine/index.js';
import { explain } from './explain.js';
import { dynamicListEndpoints } from './routes.js';
import { contactSelection } from './select-contacts.js';

export type { DynamicListUseCheck, OwnerCheck } from './authoring.js';
// For filters outside lists.
export { findMissing } from './check-references.js';
export {
  audiencesChanged,
  audiencesRedrawn,
  byContact,
  hearInputs,
  type InputReader,
  type Inputs,
  inputsChanged,
  type MarkChanged,
  type RedrawnNews,
} from './engine/index.js';
export { findJoined, hasAllMembers, type ListRef, membersSql } from './members/queries.js';
export { dynamicListing, dynamicListTable } from './queries.js';
export { selectDynamicNames } from './references/queries.js';

interface DynamicListNeeds extends AuthoringNeeds {
  db: Database;
}

export function dynamicLists({ db, ...needs }: DynamicListNeeds) {
  const authoring = new Authoring(needs);
  const engine = audienceEngine({ db, subjects: () => authoring.subjects, wake: needs.onEdit });
  return {
    ...engine,
    /** What filters may be about, once the app is made. */
    filterSubjects: () => authoring.subjects,
    /** What filters and lists select, for listing and exporting contacts. */
    contactSelection: contactSelection(db, authoring),
    endpoints: dynamicListEndpoints(db, authoring),
    findMissing: async (runner: Runner, tenantId: number, filter: Filter) =>
      (await findMissing(runner, tenantId, filter)).missing,
    explain: (tenantId: number, listId: string, contactId: string) =>
      explain(db, tenantId, listId, contactId, authoring.subjects),
    listUses: [staticListUse],
    topicUses: [topicUse],
    erasers: [forgetPreviews, ...engine.erasers],
    exporters: engine.exporters,
  };
}

/** Answers that can be replayed show contacts. */
const forgetPreviews: Eraser = (tx, tenantId) => forgetKeys(tx, tenantId, ['previewDynamicList']);
