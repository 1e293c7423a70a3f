// How files with the same header were mapped before, kept in this browser by workspace. Names of columns and keys alone, no rows.
import type { ColumnChoice, Known, Target } from './mapping-target.ts';

type Shelf = Pick<Storage, 'getItem' | 'setItem'>;
const place = (tenantId: number) => `rapport-import-mappings:${tenantId}`;
const mostKept = 20;

function readAll(storage: Shelf, tenantId: number): ColumnChoice[][] {
  try {
    const kept: unknown = JSON.parse(storage.getItem(place(tenantId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter((each): each is ColumnChoice[] => Array.isArray(each)) : [];
  } catch {
    return [];
  }
}

function isOf(choices: readonly ColumnChoice[], header: readonly string[]): boolean {
  return choices.length === header.length && choices.every((choice, at) => choice?.name === header[at]);
}

/** The newest mapping of a file with this header. */
export function findMapping(
  storage: Shelf,
  tenantId: number,
  header: readonly string[],
  known: Known,
): ColumnChoice[] | undefined {
  const found = readAll(storage, tenantId).find((choices) => isOf(choices, header));
  return found?.every(({ target }) => isUsable(target, known)) ? found : undefined;
}

export function keepMapping(storage: Shelf, tenantId: number, choices: readonly ColumnChoice[]): void {
  const header = choices.map(({ name }) => name);
  const others = readAll(storage, tenantId).filter((each) => !isOf(each, header));
  const mine = choices.map(({ name, target }) => ({ name, target }));
  try {
    storage.setItem(place(tenantId), JSON.stringify([mine, ...others].slice(0, mostKept)));
  } catch {
    // Full or forbidden: the next file is guessed.
  }
}

const kinds: readonly string[] = ['email', 'property', 'topic', 'list', 'status', 'skip'] satisfies Target['kind'][];

/** A topic may be gone since. */
function isUsable(target: Target | undefined, { topics }: Known): boolean {
  if (!target || !kinds.includes(target.kind)) return false;
  if (target.kind === 'topic') return topics.has(target.key);
  return target.kind !== 'status' || target.topicKey === '' || topics.has(target.topicKey);
}
