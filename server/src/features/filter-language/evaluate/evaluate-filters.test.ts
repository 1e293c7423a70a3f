import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../../../test/database.js';
import { filters } from '../../../../test/filters/filter-arbitrary.js';
import { holds } from '../../../../test/filters/interpreter.js';
import { iso } from '../../../../test/filters/interpreter-events.js';
import { turningPoints } from '../../../../test/filters/moments.js';
import { appSubjects } from '../../../../test/filters/subjects.js';
import { worlds } from '../../../../test/filters/world-arbitrary.js';
import { writeWorld } from '../../../../test/filters/write-world.js';
import type { Runner } from '../../../db/database.js';
import { sql } from '../../../db/sql.js';
import { newContactId } from '../../../lib/ids.js';
import { hasAllMembers, membersSql } from '../../dynamic-lists/members/queries.js';
import { readFilter } from '../read.js';
import { evaluateFilters } from './evaluate-filters.js';

const database = useDatabase();
const limitMs = 120_000;

describe('filters that are evaluated for some contacts', { timeout: limitMs }, () => {
  it('hold as the interpreter says, each in its place, until the reported moment; erased contacts are absent', async () => {
    const many = fc.array(filters, { minLength: 1, maxLength: 60, size: 'max' });
    const property = fc.asyncProperty(worlds, many, async (world, all) => {
      const tenantId = await writeWorld(database.db, world);
      const some = world.contacts.filter((_, i) => i % 3 !== 1);
      const trees = all.map((filter) => readFilter(filter, appSubjects));
      const ids = [...some.map(({ id }) => id), newContactId()];
      const found = await evaluateFilters(database.db.background, tenantId, trees, ids, iso(world.now));
      expect([...found.keys()].sort()).toEqual(some.map(({ id }) => id).sort());
      for (const contact of some) {
        const verdicts = found.get(contact.id);
        expect(
          verdicts?.map((one) => one.holds),
          JSON.stringify(all),
        ).toEqual(all.map((filter) => holds(filter, contact, world)));
        for (const [i, filter] of all.entries()) {
          const next = verdicts?.[i]?.next ?? Infinity;
          const truth = holds(filter, contact, world);
          const changesAt = turningPoints(filter, contact, world).find(
            (at) => at > world.now && holds(filter, contact, { ...world, now: at }) !== truth,
          );
          expect(next, JSON.stringify(filter)).toBeGreaterThan(world.now);
          expect(next, JSON.stringify(filter)).toBeLessThanOrEqual(changesAt ?? Infinity);
        }
      }
    });
    await fc.assert(property, { numRuns: 15, interruptAfterTimeLimit: limitMs - 10_000 });
  });

  it('take few statements: 40 plain ones and 16 that join take three', async () => {
    const [world] = fc.sample(worlds, { numRuns: 1, seed: 7 });
    if (!world) throw new Error('no world');
    const tenantId = await writeWorld(database.db, world);
    const { background } = database.db;
    let statements = 0;
    const counting = {
      rows: (text: Parameters<Runner['rows']>[0]) => {
        statements++;
        return background.rows(text);
      },
    } as Runner;
    const plain = Array.from({ length: 40 }, (_, i) => readFilter({ property: 'n', gt: i }, appSubjects));
    const joining = Array.from({ length: 16 }, (_, i) => readFilter({ event: 'open', atLeast: i + 1 }, appSubjects));
    await evaluateFilters(counting, tenantId, [...plain, ...joining], [newContactId()], iso(world.now));
    expect(statements).toBe(3);
  });

  it('return nothing for no contacts, without a statement', async () => {
    const none = new Proxy({} as Runner, {
      get: () => {
        throw new Error('asked');
      },
    });
    const filter = readFilter({ property: 'a', exists: true }, appSubjects);
    expect(await evaluateFilters(none, 1, [filter], [], '2026-01-01T00:00:00Z')).toEqual(new Map());
  });
});

describe('the members of a list at a moment', () => {
  it('are those of a static or a dynamic list; one that is deleted has none', async () => {
    const [world] = fc.sample(
      worlds.filter(({ staticLists, dynamicLists }) =>
        [...staticLists, ...dynamicLists].some((list) => list.members.length > 1),
      ),
      { numRuns: 1, seed: 3 },
    );
    if (!world) throw new Error('no world');
    const tenantId = await writeWorld(database.db, world);
    const membersOf = async (list: Parameters<typeof membersSql>[1]) => {
      const rows = await database.db.background.rows(
        sql<{ id: string }>`select m.contact_id as id from (${membersSql(tenantId, list)}) m order by 1`,
      );
      return rows.map(({ id }) => id);
    };
    for (const list of world.staticLists) {
      expect(await membersOf({ staticListId: list.id })).toEqual([...list.members].sort());
    }
    for (const list of world.dynamicLists) {
      expect(await membersOf({ dynamicListId: list.id })).toEqual([...list.members].sort());
    }
    await database.db.background.run(sql`update static_list set deleted_at = now() where tenant_id = ${tenantId}`);
    await database.db.background.run(sql`update dynamic_list set deleted_at = now() where tenant_id = ${tenantId}`);
    for (const list of world.staticLists) expect(await membersOf({ staticListId: list.id })).toEqual([]);
    for (const list of world.dynamicLists) expect(await membersOf({ dynamicListId: list.id })).toEqual([]);
  });

  it('are not all there while a dynamic list is built', async () => {
    const [world] = fc.sample(worlds, { numRuns: 1, seed: 3 });
    if (!world) throw new Error('no world');
    const tenantId = await writeWorld(database.db, world);
    const [list] = world.dynamicLists;
    const ref = { dynamicListId: list?.id as string };
    const { background } = database.db;
    await background.run(sql`update dynamic_list set is_built = false where tenant_id = ${tenantId}`);
    expect(await hasAllMembers(background, tenantId, ref)).toBe(false);
    expect(await hasAllMembers(background, tenantId, { staticListId: ref.dynamicListId })).toBe(true);
    await background.run(sql`update dynamic_list set is_built = true where tenant_id = ${tenantId}`);
    expect(await hasAllMembers(background, tenantId, ref)).toBe(true);
  });
});
