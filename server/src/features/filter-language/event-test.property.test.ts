import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../../test/database.js';
import { eventWhere } from '../../../test/filters/filter-arbitrary.js';
import { iso } from '../../../test/filters/interpreter-events.js';
import type { Sent } from '../../../test/filters/interpreter-values.js';
import { appSubjects } from '../../../test/filters/subjects.js';
import type { Event, World } from '../../../test/filters/world.js';
import { worlds } from '../../../test/filters/world-arbitrary.js';
import { writeWorld } from '../../../test/filters/write-world.js';
import { runs } from '../../../test/runs.js';
import { sql, unnamed } from '../../db/sql.js';
import { eventTest } from './compile/event-filters.js';
import { listed } from './compile/fragments.js';
import { readEventTest } from './event-test.js';
import { readFilter } from './read.js';
import type { EventCondition } from './tree.js';

const database = useDatabase();

/** What the compiled conditions say of every stored event, by its number. */
async function compiled(world: World, tenantId: number, wheres: readonly Sent[]): Promise<Map<number, boolean[]>> {
  const now = sql`${iso(world.now)}::timestamptz`;
  const parts = wheres.map((where) => {
    const { where: read } = readFilter({ event: 'open', where }, appSubjects) as EventCondition;
    return eventTest(read as NonNullable<typeof read>, now).holds;
  });
  const rows = await database.db.background.rows(
    unnamed(sql<{ no: number; holds: boolean[] }>`
      select e.event_no::integer as no, to_jsonb(array[${listed(parts)}]::boolean[]) as holds
      from event e where e.tenant_id = ${tenantId}`),
  );
  return new Map(rows.map(({ no, holds }) => [no, holds]));
}

const testedOf = ({ userId, orgId, properties, at }: Event) => ({ userId, orgId, properties, eventDate: iso(at) });

/** The same where, with every value of it taken out of the entry event. */
function borrowed(where: Sent): { where: Sent; entry: Record<string, unknown> } {
  const entry: Record<string, unknown> = {};
  const lend = (value: unknown) => {
    const key = `v${Object.keys(entry).length}`;
    entry[key] = value;
    return { entry: [key] };
  };
  const walk = (part: Sent): Sent =>
    Object.fromEntries(
      Object.entries(part).map(([key, value]) => {
        if (['all', 'any', 'none'].includes(key)) return [key, value.map(walk)];
        if (['eventProperty', 'eventField', 'exists'].includes(key)) return [key, value];
        return [key, Array.isArray(value) ? value.map(lend) : lend(value)];
      }),
    );
  return { where: walk(where), entry };
}

const numRuns = runs(30);
const limitMs = 30_000 + numRuns * 3000;

describe('the where of one event in memory', { timeout: limitMs }, () => {
  it('says what the compiled one says of a stored event, also when its values come from the entry event', async () => {
    const wheres = fc.array(eventWhere, { minLength: 1, maxLength: 40, size: 'max' });
    const property = fc.asyncProperty(worlds, wheres, async (world, all) => {
      const tenantId = await writeWorld(database.db, world);
      const truth = await compiled(world, tenantId, all);
      for (const [i, where] of all.entries()) {
        const plain = readEventTest(where, 'where', { allowEntry: false });
        const late = borrowed(where);
        const lent = readEventTest(late.where, 'where', { allowEntry: true });
        for (const event of world.events) {
          const about = JSON.stringify({ where, event, now: iso(world.now) });
          const wanted = truth.get(event.no)?.[i];
          const at = { now: world.now, entry: late.entry };
          expect(plain.holds(testedOf(event), at), about).toBe(wanted);
          expect(lent.holds(testedOf(event), at), about).toBe(wanted);
        }
      }
    });
    await fc.assert(property, { numRuns, interruptAfterTimeLimit: limitMs - 10_000 });
  });
});
