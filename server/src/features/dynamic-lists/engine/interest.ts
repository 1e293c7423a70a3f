import { type Filter, isGroup, isPlain, type Reads, readsOf } from '../../filter-language/index.js';
// The reverse index of a tenant's live filters: from what changed to the lists that read it.

/** A dynamic list that is not deleted. */
export interface LiveList {
  readonly listNo: number;
  readonly listId: string;
  /** Counts its filters: what was found with an older one says nothing about this one. */
  readonly revision: number;
  /** Nothing: this process cannot read it. A newer one wrote it, and serves it. */
  readonly filter: Filter | undefined;
}

/** Which lists have to check a changed contact, and which everyone in its organizations. */
interface Concerned {
  readonly listNos: readonly number[];
  readonly orgListNos: readonly number[];
}

const nobody: Concerned = { listNos: [], orgListNos: [] };

export class Interest {
  readonly lists = new Map<number, LiveList>();
  /** Lists that count the members of organizations. */
  readonly counting: readonly number[];
  private readonly own = new Map<string, number[]>();
  private readonly ofOrgMembers = new Map<string, number[]>();
  private readonly parts = new Map<number, readonly number[]>();
  private readonly depths = new Map<number, number>();
  private readonly plain = new Set<number>();

  constructor(lists: readonly LiveList[]) {
    const counting: number[] = [];
    for (const list of lists) {
      this.lists.set(list.listNo, list);
      if (!list.filter) continue;
      const reads = readsOf(list.filter);
      this.add(list.listNo, reads);
      if (countsMembers(list.filter)) counting.push(list.listNo);
      if (isPlain(list.filter)) this.plain.add(list.listNo);
    }
    this.counting = counting;
    const numberOf = new Map(lists.map(({ listNo, listId }) => [listId, listNo]));
    for (const { listNo, filter } of lists) {
      const parts = new Set(filter ? readsOf(filter).dynamicLists.map((part) => part.listId) : []);
      this.parts.set(
        listNo,
        [...parts].flatMap((listId) => numberOf.get(listId) ?? []),
      );
    }
  }

  /** A newer process wrote a filter that this one cannot read. */
  get hasUnreadable(): boolean {
    return [...this.lists.values()].some((list) => !list.filter);
  }

  get isEmpty(): boolean {
    return this.lists.size === 0;
  }

  get countsMembers(): boolean {
    return this.counting.length > 0;
  }

  get readsMemberships(): boolean {
    return this.countsMembers || this.concerned(['orgs']).listNos.length > 0;
  }

  /** Lists that read who is a member of this one. */
  readersOf({ listId }: LiveList): Concerned {
    return this.concerned([`dynamic:${listId}`]);
  }

  /** It reads only the contact's own row. */
  isPlain(listNo: number): boolean {
    return this.plain.has(listNo);
  }

  /** The lists that this one reads. */
  partsOf(listNo: number): readonly number[] {
    return this.parts.get(listNo) ?? [];
  }

  /** Lists by how deep they read others: each reads only lists of earlier levels. */
  levels(listNos: Iterable<number>): LiveList[][] {
    const levels: LiveList[][] = [];
    for (const listNo of listNos) {
      const list = this.lists.get(listNo);
      if (!list?.filter) continue;
      const depth = this.depthOf(listNo);
      levels[depth] = [...(levels[depth] ?? []), list];
    }
    // Depths that no list has are holes.
    return levels.filter((level) => level !== undefined);
  }

  /** Each once: there may be too many paths through lists of lists to walk. */
  private depthOf(listNo: number): number {
    const known = this.depths.get(listNo);
    if (known !== undefined) return known;
    const depth = Math.max(0, ...this.partsOf(listNo).map((part) => this.depthOf(part) + 1));
    this.depths.set(listNo, depth);
    return depth;
  }

  /** Those that read one of these. */
  concerned(keys: Iterable<string>): Concerned {
    const listNos = new Set<number>();
    const orgListNos = new Set<number>();
    for (const key of keys) {
      for (const listNo of this.own.get(key) ?? []) listNos.add(listNo);
      for (const listNo of this.ofOrgMembers.get(key) ?? []) orgListNos.add(listNo);
    }
    if (listNos.size + orgListNos.size === 0) return nobody;
    return { listNos: sorted(listNos), orgListNos: sorted(orgListNos) };
  }

  /** The keys that filters read with this prefix: `user:` is every user property. */
  keysOf(prefix: string): string[] {
    const keys = new Set([...this.own.keys(), ...this.ofOrgMembers.keys()]);
    return [...keys].filter((key) => key.startsWith(prefix));
  }

  private add(listNo: number, { own, ofOrgMembers }: Reads): void {
    for (const key of own) push(this.own, key, listNo);
    for (const key of ofOrgMembers) push(this.ofOrgMembers, key, listNo);
  }
}

function push(map: Map<string, number[]>, key: string, listNo: number): void {
  const known = map.get(key);
  if (known) known.push(listNo);
  else map.set(key, [listNo]);
}

function sorted(listNos: ReadonlySet<number>): number[] {
  return [...listNos].sort((a, b) => a - b);
}

function countsMembers(filter: Filter): boolean {
  return isGroup(filter) ? filter.of.some(countsMembers) : filter.kind === 'orgMembers';
}
