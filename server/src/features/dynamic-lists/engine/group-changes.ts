/** Some contacts, and the lists that have to check all of them. */
interface ChangedSet {
  contactIds: string[];
  listNos: readonly number[];
}

// A statement for each set costs more than checking some contacts in vain.
const mostSets = 16;

/** Contacts by the lists that have to look at them, each contact once. No list means all. Pure. */
export function bySet(
  changes: readonly { contactId: string; listNos: readonly number[] }[],
  all: readonly number[],
): ChangedSet[] {
  const listsOf = new Map<string, Set<number>>();
  for (const { contactId, listNos } of changes) {
    const known = listsOf.get(contactId) ?? new Set();
    for (const listNo of listNos.length === 0 ? all : listNos) known.add(listNo);
    listsOf.set(contactId, known);
  }
  const sets = new Map<string, ChangedSet>();
  for (const [contactId, lists] of listsOf) {
    const listNos = [...lists].sort((a, b) => a - b);
    const key = listNos.join();
    const set = sets.get(key);
    if (set) set.contactIds.push(contactId);
    else sets.set(key, { contactIds: [contactId], listNos });
  }
  if (sets.size <= mostSets) return [...sets.values()];
  const together = new Set([...sets.values()].flatMap(({ listNos }) => listNos));
  return [{ contactIds: [...listsOf.keys()], listNos: [...together] }];
}
