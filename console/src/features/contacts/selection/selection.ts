// The selected contacts: some, or all of the table, although only a few are on the page.
export type Selection = { kind: 'some'; ids: ReadonlySet<string> } | { kind: 'all' };

export const nobody: Selection = { kind: 'some', ids: new Set() };

/** Contains every id. Removing one clears it, because the other ids are not known here. */
class Everybody extends Set<string> {
  override has(): boolean {
    return true;
  }
}
const everybody: ReadonlySet<string> = new Everybody();

export function idsOf(selection: Selection): ReadonlySet<string> {
  return selection.kind === 'all' ? everybody : selection.ids;
}

export function sizeOf(selection: Selection, total: number): number {
  return selection.kind === 'all' ? total : selection.ids.size;
}
