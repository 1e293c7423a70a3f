// Whom somebody has picked: some, or all that the table has, of which only a few are on the page.
export type Selection = { kind: 'some'; ids: ReadonlySet<string> } | { kind: 'all' };

export const nobody: Selection = { kind: 'some', ids: new Set() };

/** Has every id. Taking one away leaves nobody: which of the others are meant is not known here. */
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
