// The cost of comparing old and new members, by what is read: in tables that PostgreSQL has no statistics for.
import { expect, it } from 'vitest';
import { useDatabase } from '../../../../../test/database.js';
import { type Costs, costsOf } from '../../../../../test/filters/plan-costs.js';
import { type SizedWorld, writeSizedWorld } from '../../../../../test/filters/sized-world.js';
import { appSubjects } from '../../../../../test/filters/subjects.js';
import type { Transaction } from '../../../../db/database.js';
import type { Sql } from '../../../../db/sql.js';
import { compile } from '../../../filter-language/compile/index.js';
import { readFilter } from '../../../filter-language/read.js';
import { evaluateLists, momentOf, rangeOf, type Scope } from './queries.js';

const t = useDatabase();
const contacts = 3000;

/** Runs what a worker would run for a list. */
async function costs({ tenantId, now }: SizedWorld, scope: Scope): Promise<Costs> {
  const filter = readFilter({ property: 'seats', gte: 0 }, appSubjects);
  const holds = (contactId: Sql) => scope.holds(contactId);
  const { joins, ...part } = compile(filter, { tenantId, now: momentOf(now), extent: scope.extent, scope: holds });
  const lists = [{ listNo: 2, readers: { listNos: [], orgListNos: [] }, ...part }];
  const statements: Sql[] = [];
  const seen = { rows: async (statement: Sql) => statements.push(statement) && [] } as unknown as Transaction;
  await evaluateLists(seen, tenantId, { joins, lists }, scope, now);
  return costsOf(t.db.background, statements[0] as Sql);
}

it('grows with the contacts, not with their square, for a list that reads only contacts', async () => {
  const world = await writeSizedWorld(t.db, contacts);
  const scopes = [rangeOf(null, null, contacts), rangeOf(null, world.middle, contacts / 2)];
  // The first time all contacts join, and then none does.
  for (const scope of [...scopes, ...scopes]) expect((await costs(world, scope)).rows).toBeLessThan(20 * contacts);
});
