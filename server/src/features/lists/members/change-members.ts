import type { Transaction } from '../../../db/database.js';
import { membersChanged } from './news.js';
import { deleteMembers, holdList, insertMembers } from './queries.js';

/** Who is to be in which static list, or no longer. */
export interface MemberChange {
  readonly staticListId: string;
  readonly contactId: string;
  readonly what: 'add' | 'remove';
}

/** For features above: changes members as their own steps say, and tells of it. Of a list that is gone, nothing happens. */
export async function changeMembers(
  tx: Transaction,
  tenantId: number,
  changes: readonly MemberChange[],
  now: string,
): Promise<void> {
  const groups = new Map<string, { listId: string; what: MemberChange['what']; contactIds: string[] }>();
  for (const { staticListId: listId, contactId, what } of changes) {
    const group = groups.get(listId + what) ?? { listId, what, contactIds: [] };
    groups.set(listId + what, group);
    group.contactIds.push(contactId);
  }
  for (const { listId, what, contactIds } of groups.values()) {
    if (!(await holdList(tx, tenantId, listId))) continue;
    const changed =
      what === 'add'
        ? (await insertMembers(tx, tenantId, listId, contactIds)).added
        : await deleteMembers(tx, tenantId, listId, contactIds);
    await membersChanged.tell(tx, tenantId, now, () =>
      changed.map((contactId) => ({ listId, contactId, what: what === 'add' ? 'joined' : 'left' })),
    );
  }
}
