import type { Transaction } from '../../../db/database.js';
import { batchesOf, compileAll, type Filter, mostJoining, mostPlain } from '../../filter-language/index.js';
import type { Interest, LiveList } from './interest.js';
import { evaluateLists, inSavepoint, type Move, momentOf, type Scope } from './statement/queries.js';

export interface Evaluation {
  tx: Transaction;
  tenantId: number;
  now: string;
  interest: Interest;
  /** Each list has its own statement, so that a failing one is known. */
  isCareful?: boolean;
  /** What to do with lists whose evaluation fails; without it the error is thrown. */
  onFailure?: ((listNos: readonly number[], error: Error) => Promise<void>) | undefined;
}

/**
 * Evaluates contacts for these lists, those that others read first. Returns who joined and left. `apart`: every list that reads more than
 * the contact gets its own statement, which can drop contacts early that do not match anyway: worth it for many contacts.
 */
export async function evaluate(
  evaluation: Evaluation,
  listNos: Iterable<number>,
  scope: Scope,
  { apart = false } = {},
): Promise<Move[]> {
  const moves: Move[] = [];
  const { isCareful } = evaluation;
  for (const level of evaluation.interest.levels(listNos)) {
    const plain = level.filter(({ listNo }) => evaluation.interest.isPlain(listNo));
    const joining = level.filter(({ listNo }) => !evaluation.interest.isPlain(listNo));
    const batches = [
      ...batchesOf(plain, isCareful ? 1 : mostPlain, filterOf),
      ...batchesOf(joining, isCareful || apart ? 1 : mostJoining, filterOf),
    ];
    for (const batch of batches) for (const move of await attempt(evaluation, batch, scope)) moves.push(move);
  }
  return moves;
}

const filterOf = ({ filter }: LiveList) => filter;

async function attempt(evaluation: Evaluation, batch: readonly LiveList[], scope: Scope): Promise<Move[]> {
  const { tx, tenantId, now, interest, onFailure } = evaluation;
  const work = () => {
    const filters = batch.map(({ filter }) => filter as Filter);
    const { joins, parts } = compileAll(filters, {
      ...{ tenantId, now: momentOf(now), extent: scope.extent },
      scope: (contactId) => scope.holds(contactId),
    });
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
