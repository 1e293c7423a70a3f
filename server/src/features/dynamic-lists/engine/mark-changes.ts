// Listens to changes of everything that a filter can read, and leaves a mark for the lists that read it.
import type { Transaction } from '../../../db/database.js';
import type { Hearing } from '../../../db/news.js';
import type { Filters } from './filters.js';
import { byContact, type Changed, hearInputs, type Inputs, inputsChanged, type OrgChanged } from './hear-inputs.js';
import type { Interest } from './interest.js';
import { insertChanges, insertOrgChanges, type MarkedContact, type MarkedOrg, noList } from './marks/queries.js';

/** Tells everything that depends on filters: lists and other listeners. */
export type MarkChanged = (
  tx: Transaction,
  tenantId: number,
  changed: readonly Changed[],
  now: string,
) => Promise<void>;

interface Marks {
  hears: readonly Hearing[];
  markChanged: MarkChanged;
}

/** `onMarked` is called once a transaction that left marks has committed. */
export function marks(filters: Filters, onMarked: () => void): Marks {
  const mark = async (tx: Transaction, tenantId: number, interest: Interest, inputs: Inputs, now: string) => {
    const contacts = concernedContacts(interest, inputs.contacts ?? []);
    const orgs = (inputs.orgs ?? []).flatMap((org) => concernedOrg(interest, org));
    if (contacts.length > 0) await insertChanges(tx, tenantId, contacts, now);
    if (orgs.length > 0) await insertOrgChanges(tx, tenantId, orgs, now);
    if (contacts.length + orgs.length > 0) tx.afterCommit(onMarked);
  };
  return {
    markChanged: (tx, tenantId, changed, now) => inputsChanged.tell(tx, tenantId, now, () => changed),
    hears: hearInputs((tx, tenantId) => filters.hold(tx, tenantId), mark),
  };
}

/** Each contact once, with the lists that read something of what changed. */
function concernedContacts(interest: Interest, changed: readonly Changed[]): MarkedContact[] {
  const marked: MarkedContact[] = [];
  for (const [contactId, keys] of byContact(changed)) {
    if (keys === 'everything') marked.push({ contactId, listNos: [], orgListNos: [] });
    else {
      const { listNos, orgListNos } = interest.concerned(keys);
      if (listNos.length + orgListNos.length > 0)
        marked.push({ contactId, listNos: listNos.length > 0 ? listNos : noList, orgListNos });
    }
  }
  return marked;
}

function concernedOrg(interest: Interest, { orgId, keys }: OrgChanged): MarkedOrg[] {
  if (keys === 'members') return [{ orgId, listNos: interest.counting, orgListNos: [] }];
  const { listNos, orgListNos } = interest.concerned(keys);
  return listNos.length + orgListNos.length > 0
    ? [{ orgId, listNos: listNos.length > 0 ? listNos : noList, orgListNos }]
    : [];
}
