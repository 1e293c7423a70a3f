import type { Database } from '../../db/database.js';
import type { Eraser } from '../contacts/index.js';
import { forgetKeys } from '../idempotency/index.js';
import { Authoring, type AuthoringNeeds } from './authoring.js';
import { staticListUse } from './delete-list.js';
import { audienceEngine } from './engine/index.js';
import { explain } from './explain.js';
import { dynamicListEndpoints } from './routes.js';
import { contactSelection } from './select-contacts.js';

export { type DynamicListUseCheck, faulty, type OwnerCheck } from './authoring.js';
// Filters in other things than lists: to read them, to find what they name, and what they come to for some contacts.
export { findMissing, type ListNames, namesIn } from './check-references.js';
export {
  type AudienceNews,
  audiencesChanged,
  audiencesRedrawn,
  byContact,
  type Changed,
  hearInputs,
  type InputReader,
  type Inputs,
  inputsChanged,
  type MarkChanged,
  type OrgChanged,
  type RedrawnNews,
} from './engine/index.js';
export { evaluateFilters } from './evaluate-filters.js';
export type { Verdict } from './evaluation/queries.js';
// What a feature needs that brings a subject of its own: to read, say and compile a condition, and what is counted in it.
export type { Log } from './filter/compile/event-filters.js';
export { countIn } from './filter/compile/events.js';
export { bucketSql } from './filter/compile/people.js';
export { parseDuration } from './filter/duration.js';
export { type EventTest, readEventTest, type TestedAt, type TestedEvent } from './filter/event-test.js';
export { type Fault, FilterFault, FilterFaults, placeOf } from './filter/fault.js';
export { readFilter } from './filter/read.js';
export {
  type Fields,
  readAssetId,
  readBoolean,
  readDuration,
  readKey,
  readList,
  readNumber,
  readObject,
  readOneOf,
  readPath,
  readScalar,
  readText,
  readTime,
  readWanted,
  readWhole,
  refuseOthers,
} from './filter/read-value.js';
export { countedKeys, readCounted } from './filter/read-window.js';
export { type Reads, readsOf } from './filter/reads.js';
export { say } from './filter/say.js';
export { quote } from './filter/say-test.js';
export { sayCounted } from './filter/say-time.js';
export type { Ground, Piece, Subject } from './filter/subject.js';
export { Subjects } from './filter/subjects.js';
export { type Counted, type Duration, type Filter, isGroup, type Scalar } from './filter/tree.js';
export { findJoined, hasAllMembers, type ListRef, membersSql } from './members/queries.js';
export { matchingSql, sampleContacts } from './preview.js';
export { selectDynamicNames } from './references/queries.js';

export interface DynamicListNeeds extends AuthoringNeeds {
  db: Database;
}

export function dynamicLists({ db, ...needs }: DynamicListNeeds) {
  const authoring = new Authoring(needs);
  const engine = audienceEngine({ db, subjects: () => authoring.subjects, wake: needs.onEdit });
  return {
    ...engine,
    /** What filters may be about, once the app is made. */
    filterSubjects: () => authoring.subjects,
    /** What filters and lists select, for whoever lists and exports contacts. */
    contactSelection: contactSelection(db, authoring),
    endpoints: dynamicListEndpoints(db, authoring),
    explain: (tenantId: number, listId: string, contactId: string) =>
      explain(db, tenantId, listId, contactId, authoring.subjects),
    listUses: [staticListUse],
    erasers: [forgetPreviews, ...engine.erasers],
    exporters: engine.exporters,
  };
}

/** Answers that can be replayed show contacts. */
const forgetPreviews: Eraser = (tx, tenantId) => forgetKeys(tx, tenantId, ['previewDynamicList']);
