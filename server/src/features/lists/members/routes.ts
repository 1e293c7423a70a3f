import * as contract from '@rapport/contract';
import type { Database } from '../../../db/database.js';
import { inPages } from '../../../db/in-pages.js';
import { ApiError, errorItem, notFound } from '../../../http/api-error.js';
import { type Endpoint, endpoint, pageOf } from '../../../http/endpoint.js';
import { isAssetId, isContactId } from '../../../lib/ids.js';
import { contactExists, type Eraser, exporter } from '../../contacts/index.js';
import { runOnce } from '../../idempotency/index.js';
import { membersChanged } from './news.js';
import {
  deleteMember,
  deleteMemberships,
  holdList,
  insertMembers,
  selectMembers,
  selectMembershipsAfter,
} from './queries.js';

export function memberEndpoints(db: Database): Endpoint[] {
  return [
    endpoint(contract.listMembers, async ({ caller, params, query }) => {
      const page = isAssetId(params.id)
        ? await selectMembers(db, caller.tenantId, params.id, pageOf(query))
        : undefined;
      if (!page) throw notFound('list');
      return page;
    }),
    endpoint(contract.addMembers, (call) =>
      runOnce(db, call, async (tx) => {
        const { tenantId } = call.caller;
        if (!isAssetId(call.params.id) || !(await holdList(tx, tenantId, call.params.id))) throw notFound('list');
        const wanted = [...new Set(call.body.contactIds)];
        const { id: listId } = call.params;
        const { added, known, now } = await insertMembers(tx, tenantId, listId, wanted.filter(isContactId));
        await membersChanged.tell(tx, tenantId, now, () =>
          added.map((contactId) => ({ listId, contactId, what: 'joined' })),
        );
        const isKnown = new Set(known);
        const unknown = wanted.filter((contactId) => !isKnown.has(contactId));
        return {
          data: { added: added.length, alreadyMembers: known.length - added.length },
          errors: unknown.map((contactId) => errorItem('CONTACTS_NOT_FOUND', { contactId }, contactId)),
        };
      }),
    ),
    endpoint(contract.removeMember, async ({ caller, params }) => {
      const { id, contactId } = params;
      await db.transaction(async (tx) => {
        if (!isAssetId(id) || !(await holdList(tx, caller.tenantId, id))) throw notFound('list');
        if (!(await contactExists(tx, caller.tenantId, contactId))) throw new ApiError('BAS-E-002');
        const now = await deleteMember(tx, caller.tenantId, id, contactId);
        if (now === undefined) throw new ApiError('CONTACT_NOT_FOUND');
        await membersChanged.tell(tx, caller.tenantId, now, () => [{ listId: id, contactId, what: 'left' }]);
      });
      return { data: { staticListId: id, contactId, success: true } };
    }),
  ];
}

/** Erases what lists keep about a person. */
export const eraseMemberships: Eraser = async (tx, tenantId, { id: contactId }, now) => {
  const left = await deleteMemberships(tx, tenantId, contactId);
  await membersChanged.tell(tx, tenantId, now, () => left.map((listId) => ({ listId, contactId, what: 'left' })));
};

/** The same for the right of access; deleted lists too. */
export const membershipSection = exporter('staticLists', (db, tenantId, { id }) =>
  inPages(500, (after, size) => selectMembershipsAfter(db, tenantId, id, after?.staticListId, size)),
);
