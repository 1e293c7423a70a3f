import type { Transaction } from '../../../db/database.js';
import { compileAll } from '../filter/compile/index.js';
import { type EventFilter, type Filter, isGroup } from '../filter/tree.js';
import type { Interest, LiveList } from './interest.js';
import { evaluateLists, inSavepoint, type Move, momentOf, type Scope } from './statement/queries.js';

// Lists that go in one statement. Those that read nothing but the contact share its row; of the others planning takes longer the more
// they are, 72 ms for 20 lists, while they share the scan of events.
const mostPlain = 40;
const mostJoining = 8;
// In one statement, unless one list has more: PostgreSQL takes 65,535 parameters, and a condition may need a hundred.
const mostConditions = 400;

export interface Evaluation {
  tx: Transaction;
  tenantId: number;
  now: string;
  interest: Interest;
  /** What to do with lists whose evaluation fails; without it the error is thrown. */
  onFailure?: ((listNos: readonly number[], error: Error) => Promise<void>) | undefined;
}

/**
 * Looks at contacts with these lists, those that others read first. Answers who joined and left. `apart`: every list that reads more than
 * the contact has a statement of its own, which can then leave out early whoever is out anyway: worth it where the contacts are many.
 */
export async function evaluate(
  evaluation: Evaluation,
  listNos: Iterable<number>,
  scope: Scope,
  { apart = false } = {},
): Promise<Move[]> {
  const moves: Move[] = [];
  const isCareful = evaluation.onFailure !== undefined;
  for (const level of evaluation.interest.levels(listNos)) {
    const plain = level.filter(({ listNo }) => evaluation.interest.isPlain(listNo));
    const joining = level.filter(({ listNo }) => !evaluation.interest.isPlain(listNo));
    const batches = [
      ...batchesOf(plain, isCareful ? 1 : mostPlain),
      ...batchesOf(joining, isCareful || apart ? 1 : mostJoining),
    ];
    for (const batch of batches) for (const move of await attempt(evaluation, batch, scope)) moves.push(move);
  }
  return moves;
}

function batchesOf(lists: readonly LiveList[], most: number): LiveList[][] {
  const batches: LiveList[][] = [];
  let weight = 0;
  for (const list of lists) {
    const own = list.filter ? weightOf(list.filter) : 0;
    const batch = batches.at(-1);
    if (batch && batch.length < most && weight + own <= mostConditions) {
      batch.push(list);
      weight += own;
    } else {
      batches.push([list]);
      weight = own;
    }
  }
  return batches;
}

/** How many conditions it has, those of every `where` included. */
function weightOf(filter: Filter | EventFilter): number {
  if (isGroup<Filter | EventFilter>(filter)) return filter.of.reduce((sum, part) => sum + weightOf(part), 0);
  const wheres =
    filter.kind === 'sequence' ? filter.steps.map((step) => step.where) : 'where' in filter ? [filter.where] : [];
  return wheres.reduce(
    (sum, where) => sum + (where ? weightOf(where) : 0),
    filter.kind === 'sequence' ? filter.steps.length : 1,
  );
}

async function attempt(evaluation: Evaluation, batch: readonly LiveList[], scope: Scope): Promise<Move[]> {
  const { tx, tenantId, now, interest, onFailure } = evaluation;
  const work = () => {
    const filters = batch.map(({ filter }) => filter as Filter);
    const { joins, parts } = compileAll(filters, { tenantId, now: momentOf(now), scope });
    const lists = batch.map((list, i) => ({
      listNo: list.listNo,
      readers: interest.readersOf(list),
      ...(parts[i] as (typeof parts)[number]),
    }));
    return evaluateLists(tx, tenantId, { joins, lists }, scope, now);
  };
  if (!onFailure) return work();
  const listNos = batch.map(({ listNo }) => listNo);
  const failed = async (error: Error) => {
    await onFailure(listNos, error);
    return [];
  };
  return inSavepoint(tx, work, failed);
}
