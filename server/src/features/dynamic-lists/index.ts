import type { BodyValue, updateDynamicList as changing, createDynamicList as route } from '@rapport/contract';
import type { Database, Runner, Transaction } from '../../db/database.js';
import type { Eraser } from '../contacts/index.js';
import type { Filter } from '../filter-language/index.js';
import { forgetKeys } from '../idempotency/index.js';
import { Authoring, type AuthoringNeeds, type By } from './authoring.js';
import { findMissing } from './check-references.js';
import { createDynamicList } from './create-list.js';
import { dropUnused, staticListUse, topicUse } from './delete-list.js';
import { audienceEngine } from './engine/index.js';
import { explain } from './explain.js';
import { selectDynamicNames } from './references/queries.js';
import { dynamicListEndpoints } from './routes.js';
import { contactSelection } from './select-contacts.js';
import { updateDynamicList } from './update-list.js';

export type { DynamicListKeeper, DynamicListUseCheck, OwnerCheck } from './authoring.js';
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
export { findJoined, hasAllMembers, type ListRef, membersSql, selectDynamicSizes } from './members/queries.js';
export { dynamicListing, dynamicListTable } from './queries.js';
export { selectDynamicNames } from './references/queries.js';

/** What a list is made for, and what it is called then. */
export interface OwnList {
  journeyId: string;
  name: string;
}

type CreatedBody = BodyValue<typeof route>;
type ChangedBody = BodyValue<typeof changing>;

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
    /** Makes the list of one journey, or gives it another filter. Returns its id. */
    ownList: async (
      tx: Transaction,
      by: By,
      { journeyId, name }: OwnList,
      json: Record<string, unknown>,
      listId: string | undefined,
    ): Promise<string> => {
      const filter = authoring.read(json);
      const isThere = listId !== undefined && (await selectDynamicNames(tx, by.tenantId, [listId])).has(listId);
      const list = isThere
        ? await updateDynamicList(tx, by, listId, { filter: json }, filter, authoring)
        : await createDynamicList(tx, by, { name, journeyId, filter: json }, filter, authoring);
      return list.dynamicListId as string;
    },
    /** Throws what saving a list would refuse, and saves nothing. Without an id, it is a new one. */
    tryList: (by: By, body: CreatedBody | ChangedBody, id: string | undefined) => {
      const filter = body.filter === undefined ? undefined : authoring.read(body.filter);
      return db.rehearse(
        by.tenantId,
        async (tx) => {
          if (id === undefined) return createDynamicList(tx, by, body as CreatedBody, filter as Filter, authoring);
          if (filter) await authoring.refuseKept(tx, by.tenantId, id);
          return updateDynamicList(tx, by, id, body, filter, authoring);
        },
        'try again in a moment',
      );
    },
    /** Deletes such a list, unless something else has come to use it. */
    dropOwnList: (tx: Transaction, by: By, listId: string) => dropUnused(tx, by, listId, authoring),
    listUses: [staticListUse],
    topicUses: [topicUse],
    erasers: [forgetPreviews, ...engine.erasers],
    exporters: engine.exporters,
  };
}

/** Answers that can be replayed show contacts. */
const forgetPreviews: Eraser = (tx, tenantId) => forgetKeys(tx, tenantId, ['previewDynamicList']);
