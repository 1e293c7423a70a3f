// What statements of filters cost, by what they read: with and without statistics, in worlds of several sizes. Never by time.
import { writeSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../../../test/database.js';
import { everyCondition } from '../../../../test/filters/every-condition.js';
import type { Sent } from '../../../../test/filters/interpreter-values.js';
import { type Costs, costsOf, shapeOf } from '../../../../test/filters/plan-costs.js';
import { type SizedWorld, writeSizedWorld } from '../../../../test/filters/sized-world.js';
import { appSubjects } from '../../../../test/filters/subjects.js';
import { type Sql, sql } from '../../../db/sql.js';
import { readFilter } from '../read.js';
import type { Extent } from '../subject.js';
import { tenantSql } from './fragments.js';
import { compile } from './index.js';

const t = useDatabase();

// The suite asks everything in the small world, and a part of it in the larger one: `npm run prove -- audience-plans` has it all, of half a
// million contacts too.
const isProof = process.env.AUDIENCE_PLANS === 'all';
const sizes = isProof ? [50, 5000, 500_000] : [50, 5000];
const limitMs = isProof ? 7_200_000 : 180_000;
const inSuite = 23;

/** Twenty contacts from all over, half of them, or everybody. */
function scopeOf(world: SizedWorld, extent: Extent): (id: Sql) => Sql {
  if (extent === 'few') return (id) => sql`${id} = any(${world.some}::uuid[])`;
  return extent === 'many' ? (id) => sql`${id} <= ${world.middle}::uuid` : () => sql`true`;
}

function costs(world: SizedWorld, filter: Sent, extent: Extent): Promise<Costs> {
  return costsOf(t.db.background, statementOf(world, filter, extent));
}

function statementOf(world: SizedWorld, filter: Sent, extent: Extent): Sql {
  const { tenantId } = world;
  const scope = scopeOf(world, extent);
  const at = { tenantId, now: sql`${world.now}::timestamptz`, extent, scope };
  const { joins, holds, narrow, next } = compile(readFilter(filter, appSubjects), at);
  return sql`select c.contact_id, ${holds}, ${next ?? sql`null`} from contact c ${joins}
    where c.tenant_id = ${tenantSql(tenantId)} and ${scope(sql`c.contact_id`)} and ${narrow ?? sql`true`}`;
}

/** Two conditions of each plan that there is: in the largest world a statement takes half a minute, and most have the plan of another. */
async function ofEachPlan(world: SizedWorld, wheres: readonly Sent[], extent: Extent): Promise<Sent[]> {
  const byShape = new Map<string, Sent[]>();
  for (const where of wheres) {
    const shape = await shapeOf(t.db.background, statementOf(world, { orgMembers: { where } }, extent));
    byShape.set(shape, [...(byShape.get(shape) ?? []), where]);
  }
  if (process.env.AUDIENCE_SAY) say({ world: world.rows, extent, conditions: wheres.length, plans: byShape.size });
  return [...byShape.values()]
    .flatMap((alike) => [alike[0], alike.at(-1)])
    .filter((where, i, all) => where && all.indexOf(where) === i) as Sent[];
}

/** A row of the world may be seen by some nodes of a plan, and looked up through a few pages of an index. */
function mostOf(world: SizedWorld, extent: Extent): Costs {
  return extent === 'few'
    ? { rows: 40_000, pages: 40_000 }
    : { rows: 2000 + 20 * world.rows, pages: 2000 + 10 * world.rows };
}

/** Past Vitest, which would hold it back until the test has ended. */
function say(progress: object): void {
  writeSync(2, `  ${JSON.stringify(progress)}\n`);
}

async function dearest(world: SizedWorld, wheres: readonly Sent[], extent: Extent): Promise<unknown[]> {
  const most = mostOf(world, extent);
  const found: unknown[] = [];
  const seen = { rows: 0, pages: 0 };
  const left = [...wheres];
  const lookAtRest = async () => {
    for (let where = left.pop(); where; where = left.pop()) {
      const { rows, pages } = await costs(world, { orgMembers: { where } }, extent);
      seen.rows = Math.max(seen.rows, rows);
      seen.pages = Math.max(seen.pages, pages);
      if (rows > most.rows || pages > most.pages) found.push({ extent, where, rows, pages, most });
      if (process.env.AUDIENCE_SAY && left.length % 25 === 0)
        say({ world: world.rows, extent, left: left.length, seen });
    }
  };
  // Two at a time: in the largest world each takes seconds.
  await Promise.all([lookAtRest(), lookAtRest()]);
  return found;
}

describe.each(sizes)('among %i contacts every condition inside orgMembers', { timeout: limitMs }, (contacts) => {
  let world: SizedWorld | undefined;
  const check = async () => {
    world ??= await writeSizedWorld(t.db, contacts);
    const every = everyCondition(world);
    const some = isProof || contacts === 50 ? every : every.filter((_, i) => i % inSuite === 0);
    expect(await dearest(world, some, 'few')).toEqual([]);
    for (const extent of ['all', 'many'] as const) {
      const part = contacts > 5000 ? await ofEachPlan(world, some, extent) : some;
      expect(await dearest(world, part, extent)).toEqual([]);
    }
  };

  it('reads what the world holds a few times at most, without statistics', check);

  it('and with them', async () => {
    await t.db.background.run(sql`analyze`);
    await check();
  });
});

describe('groups inside and around orgMembers', () => {
  it('cost what their parts cost', { timeout: limitMs }, async () => {
    const world = await writeSizedWorld(t.db, 300);
    const renewal = { orgProperty: 'renewal', withinNext: 'P365D' };
    const parts = [renewal, { property: 'renewal', withinNext: 'P30D' }, { event: 'login', withinLast: 'P30D' }];
    const filters = ['all', 'any', 'none'].flatMap((group) => [
      { orgMembers: { where: { [group]: parts }, atMost: 2 } },
      { [group]: [{ orgMembers: { where: renewal } }, { orgMembers: { where: { none: parts } } }, renewal] },
    ]);
    for (const filter of filters)
      for (const extent of ['all', 'many', 'few'] as const) {
        const { rows, pages } = await costs(world, filter, extent);
        expect(rows, JSON.stringify(filter)).toBeLessThan(2000 + 40 * world.rows);
        expect(pages, JSON.stringify(filter)).toBeLessThan(2000 + 20 * world.rows);
      }
  });
});
