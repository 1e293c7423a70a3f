import type { Database } from '../../db/database.js';
import type { Eraser } from '../contacts/index.js';
import { forgetKeys } from '../idempotency/index.js';
import { Authoring, type AuthoringNeeds } from './authoring.js';
import { staticListUse } from './delete-list.js';
import { audienceEngine } from './engine/index.js';
import { dynamicListEndpoints } from './routes.js';

export type { DynamicListUseCheck, OwnerCheck } from './authoring.js';
export {
  type AudienceNews,
  audiencesChanged,
  byContact,
  type Changed,
  hearInputs,
  type InputReader,
  type Inputs,
  type MarkChanged,
  type OrgChanged,
} from './engine/index.js';
// What a feature needs that brings a subject of its own: to read, say and compile a condition, and what is counted in it.
export type { Log } from './filter/compile/event-filters.js';
export { countIn } from './filter/compile/events.js';
export { type Fault, placeOf } from './filter/fault.js';
export {
  type Fields,
  readAssetId,
  readBoolean,
  readKey,
  readOneOf,
  readText,
  refuseOthers,
} from './filter/read-value.js';
export { countedKeys, readCounted } from './filter/read-window.js';
export { quote } from './filter/say-test.js';
export { sayCounted } from './filter/say-time.js';
export type { Ground, Piece, Subject } from './filter/subject.js';
export type { Counted } from './filter/tree.js';

export interface DynamicListNeeds extends AuthoringNeeds {
  db: Database;
}

export function dynamicLists({ db, ...needs }: DynamicListNeeds) {
  const authoring = new Authoring(needs);
  const engine = audienceEngine({ db, subjects: () => authoring.subjects, wake: needs.onEdit });
  return {
    ...engine,
    endpoints: dynamicListEndpoints(db, authoring),
    listUses: [staticListUse],
    erasers: [forgetPreviews, ...engine.erasers],
  };
}

/** Answers that can be replayed show contacts. */
const forgetPreviews: Eraser = (tx, tenantId) => forgetKeys(tx, tenantId, ['previewDynamicList']);
