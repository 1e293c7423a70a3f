// What is sent for a row: its cells as they came, but for dates and words, which are rewritten as the service takes them. What a row says about
// lists and suppressions follows in columns of its own.
import { readDate } from '../dates/date-format.ts';
import type { ForAll, Known, MappedColumn } from './mapping-target.ts';
import { reasonOfCell, strongest, topicWordOf } from './words.ts';

export interface Outgoing {
  /** The columns in the service's format: `email,seats:number,,topic:news,suppress:reason`. */
  plan: string;
  /** The names of the columns that are added. */
  added: readonly string[];
  /** Whether the rows are sent as they came. */
  isAsItIs: boolean;
  /** The cells of a row, as many as the plan has. */
  cellsOf(row: readonly string[]): string[];
}

/** `listIds`: the lists that the rows of the file name. */
export function outgoingOf(
  columns: readonly MappedColumn[],
  forAll: ForAll,
  known: Known,
  listIds: readonly string[],
): Outgoing {
  const joined = [...new Set([...(forAll.listId === '' ? [] : [forAll.listId]), ...listIds])];
  const ofLists = columns.flatMap(({ target }, at) => (target.kind === 'list' ? [at] : []));
  const statuses = columns.flatMap(({ target }, at) => (target.kind === 'status' ? [{ at, ...target }] : []));
  const topics = topicsOf(statuses, forAll);
  const idOf = listFinder(known);
  const statusOf = (row: readonly string[]) => statusOfRow(row, statuses);
  const added: { name: string; plan: string; cellOf: (row: readonly string[]) => string }[] = [
    ...(statuses.length > 0 ? [{ name: 'Suppression', plan: 'suppress:reason', cellOf: statusOf }] : []),
    ...topics.map((key) => ({
      name: `Topic: ${known.topics.get(key) ?? key}`,
      plan: `topic:${key}`,
      cellOf: (row: readonly string[]) => topicWordOfRow(row, key, statuses, statusOf(row) !== ''),
    })),
    ...joined.map((id) => ({
      name: `List: ${known.lists.get(id) ?? id}`,
      plan: `list:${id}`,
      cellOf: (row: readonly string[]) =>
        id === forAll.listId || ofLists.some((at) => listNamesIn(row[at] ?? '').some((name) => idOf(name) === id))
          ? 'yes'
          : '',
    })),
  ];
  const rewrites = columns.map(({ target }) => rewriteOf(target));
  return {
    plan: [...columns.map(planOf), ...added.map(({ plan }) => plan)].join(','),
    added: added.map(({ name }) => name),
    isAsItIs: added.length === 0 && rewrites.every((rewrite) => rewrite === undefined),
    cellsOf: (row) => [
      ...columns.map((_, at) => rewrites[at]?.(row[at] ?? '') ?? row[at] ?? ''),
      ...added.map(({ cellOf }) => cellOf(row)),
    ],
  };
}

function planOf({ target }: MappedColumn): string {
  switch (target.kind) {
    case 'email':
      return 'email';
    case 'topic':
      return `topic:${target.key}`;
    case 'property':
      return target.type === 'text' ? target.key : `${target.key}:${target.type}`;
    default:
      return '';
  }
}

/** A cell that cannot be read is sent as it is: the service refuses its row, and it can be corrected there. */
function rewriteOf(target: MappedColumn['target']): ((cell: string) => string) | undefined {
  if (target.kind === 'topic') return (cell) => topicWordOf(cell) ?? cell;
  if (target.kind !== 'property' || target.type !== 'date') return undefined;
  const { format = 'ymd' } = target;
  return (cell) => (cell.trim() === '' ? '' : (readDate(cell, format) ?? cell));
}

/** The topics of status columns, and the one that everyone agreed to. */
function topicsOf(statuses: readonly Status[], { topicKey, isAgreed }: ForAll): string[] {
  const all = [...statuses.map((status) => status.topicKey), isAgreed ? topicKey : ''];
  return [...new Set(all.filter((key) => key !== ''))];
}

/** A status column decides; without one about the topic, everyone agreed to it except those who must get no mail. */
function topicWordOfRow(
  row: readonly string[],
  key: string,
  statuses: readonly Status[],
  isSuppressed: boolean,
): string {
  const about = statuses.find(({ topicKey }) => topicKey === key);
  if (!about) return isSuppressed ? '' : 'yes';
  const word = topicWordOf(row[about.at] ?? '') ?? '';
  return word === 'yes' && isSuppressed ? '' : word;
}

type Status = Extract<MappedColumn['target'], { kind: 'status' }> & { at: number };

function statusOfRow(row: readonly string[], statuses: readonly Status[]): string {
  const read = statuses.map(({ at, reading }) => reasonOfCell(row[at] ?? '', reading));
  const unknown = read.indexOf(undefined);
  if (unknown >= 0) return row[statuses[unknown]?.at ?? 0] ?? '';
  return strongest(read.flatMap((reason) => reason || []));
}

export function listNamesIn(cell: string): string[] {
  return cell.split(';').flatMap((name) => name.trim() || []);
}

/** The id of a static list by its name, exactly or else without regard to capitals. */
export function listFinder({ lists }: Known): (name: string) => string | undefined {
  const exact = new Map([...lists].map(([id, name]) => [name, id]));
  const loose = new Map([...lists].map(([id, name]) => [name.toLowerCase(), id]));
  return (name) => exact.get(name) ?? loose.get(name.toLowerCase());
}
