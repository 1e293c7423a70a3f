import type { Database } from '../../db/database.js';
import type { Eraser } from '../contacts/index.js';
import { forgetKeys } from '../idempotency/index.js';
import { Authoring, type AuthoringNeeds } from './authoring.js';
import { staticListUse } from './delete-list.js';
import { dynamicListEndpoints } from './routes.js';

export type { DynamicListUseCheck, OwnerCheck } from './authoring.js';
export type { Subject } from './filter/subject.js';

export interface DynamicListNeeds extends AuthoringNeeds {
  db: Database;
}

export function dynamicLists({ db, ...needs }: DynamicListNeeds) {
  return {
    endpoints: dynamicListEndpoints(db, new Authoring(needs)),
    listUses: [staticListUse],
    erasers: [forgetPreviews],
  };
}

/** Answers that can be replayed show contacts. */
const forgetPreviews: Eraser = (tx, tenantId) => forgetKeys(tx, tenantId, ['previewDynamicList']);
