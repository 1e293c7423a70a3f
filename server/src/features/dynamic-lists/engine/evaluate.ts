import type { Transaction } from '../../../db/database.js';
import { compile } from '../filter/compile/index.js';
import type { Filter } from '../filter/tree.js';
import type { Interest, LiveList } from './interest.js';
import { type Evaluated, evaluateLists, inSavepoint, type Move, momentOf, type Scope } from './queries.js';

// Lists that read nothing but the contact go together: the row is fetched once.
const mostTogether = 40;

export interface Evaluation {
  tx: Transaction;
  tenantId: number;
  now: string;
  interest: Interest;
  /** What to do with lists whose evaluation fails; without it the error is thrown. */
  onFailure?: ((listNos: readonly number[], error: Error) => Promise<void>) | undefined;
}

/** Looks at contacts with these lists, those that others read first. Answers who joined and left. */
export async function evaluate(evaluation: Evaluation, listNos: Iterable<number>, scope: Scope): Promise<Move[]> {
  const moves: Move[] = [];
  for (const level of evaluation.interest.levels(listNos))
    for (const batch of batchesOf(
      level.map((list) => evaluated(evaluation, list, scope)),
      evaluation.onFailure ? 1 : mostTogether,
    ))
      for (const move of await attempt(evaluation, batch, scope)) moves.push(move);
  return moves;
}

function evaluated({ tenantId, now, interest }: Evaluation, list: LiveList, scope: Scope): Evaluated {
  const { listNo, filter } = list;
  const at = { tenantId, now: momentOf(now), scope, prefix: `l${listNo}_` };
  return { listNo, readers: interest.readersOf(list), ...compile(filter as Filter, at) };
}

function batchesOf(lists: readonly Evaluated[], most: number): Evaluated[][] {
  const batches: Evaluated[][] = [];
  let open: Evaluated[] | undefined;
  for (const list of lists) {
    // Those that join other tables have a statement of their own: it is planned for them.
    if (list.joins.text.trim() !== '') batches.push([list]);
    else if (open && open.length < most) open.push(list);
    else {
      open = [list];
      batches.push(open);
    }
  }
  return batches;
}

async function attempt(
  { tx, tenantId, now, onFailure }: Evaluation,
  batch: Evaluated[],
  scope: Scope,
): Promise<Move[]> {
  const work = () => evaluateLists(tx, tenantId, batch, scope, now);
  if (!onFailure) return work();
  const failed = async (error: Error) => {
    await onFailure(
      batch.map(({ listNo }) => listNo),
      error,
    );
    return [];
  };
  return inSavepoint(tx, work, failed);
}
