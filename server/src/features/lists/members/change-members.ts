import type { Transaction } from '../../../db/database.js';
import type { Cause } from '../../../db/news.js';
import { membersChanged } from './news.js';
import { deleteMembers, holdList, insertMembers } from './queries.js';

/** Contacts that join or leave static lists. */
interface MemberChange {
  readonly staticListId: string;
  readonly contactId: string;
  readonly what: 'add' | 'remove';
  readonly cause?: Cause | undefined;
}

interface Group {
  readonly listId: string;
  readonly what: MemberChange['what'];
  readonly contactIds: string[];
  readonly causes: Map<string, Cause>;
}

/** For features above: changes members in their transactions, and announces it. Does nothing if the list is gone. */
export async function changeMembers(
  tx: Transaction,
  tenantId: number,
  changes: readonly MemberChange[],
  now: string,
): Promise<void> {
  const groups = new Map<string, Group>();
  for (const { staticListId: listId, contactId, what, cause } of changes) {
    const group: Group = groups.get(listId + what) ?? { listId, what, contactIds: [], causes: new Map() };
    groups.set(listId + what, group);
    group.contactIds.push(contactId);
    if (cause) group.causes.set(contactId, cause);
  }
  for (const { listId, what, contactIds, causes } of groups.values()) {
    if (!(await holdList(tx, tenantId, listId))) continue;
    const changed =
      what === 'add'
        ? (await insertMembers(tx, tenantId, listId, contactIds)).added
        : await deleteMembers(tx, tenantId, listId, contactIds);
    await membersChanged.tell(tx, tenantId, now, () =>
      changed.map((contactId) => ({
        ...{ listId, contactId, what: what === 'add' ? 'joined' : 'left' },
        ...(causes.has(contactId) ? { cause: causes.get(contactId) } : {}),
      })),
    );
  }
}
