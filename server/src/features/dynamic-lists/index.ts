import type { Database } from '../../db/database.js';
import type { Eraser } from '../contacts/index.js';
import { forgetKeys } from '../idempotency/index.js';
import { Authoring, type AuthoringNeeds } from './authoring.js';
import { staticListUse } from './delete-list.js';
import { audienceEngine } from './engine/index.js';
import { dynamicListEndpoints } from './routes.js';

export type { DynamicListUseCheck, OwnerCheck } from './authoring.js';
export { type AudienceNews, audiencesChanged, type Changed, type MarkChanged } from './engine/index.js';
export type { Subject } from './filter/subject.js';

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
