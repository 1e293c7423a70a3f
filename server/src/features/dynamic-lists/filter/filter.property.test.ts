import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../../../test/database.js';
import { filters } from '../../../../test/filters/filter-arbitrary.js';
import { holds, nodesOf } from '../../../../test/filters/interpreter.js';
import { iso } from '../../../../test/filters/interpreter-events.js';
import type { Sent } from '../../../../test/filters/interpreter-values.js';
import { turningPoints } from '../../../../test/filters/moments.js';
import type { Contact, World } from '../../../../test/filters/world.js';
import { worlds } from '../../../../test/filters/world-arbitrary.js';
import { writeWorld } from '../../../../test/filters/write-world.js';
import { type Sql, sql, unnamed } from '../../../db/sql.js';
import { compileAll, compileNodes } from './compile/index.js';
import { readFilter } from './read.js';
import { Subjects } from './subjects.js';

const database = useDatabase();
const subjects = new Subjects([]);
const many = fc.array(filters, { minLength: 1, maxLength: 100, size: 'max' });

/** Whom a statement is asked about: some contacts, a range of them, or everybody. */
interface Scope {
  readonly isIn: (contact: Contact) => boolean;
  readonly sql: (contactId: Sql) => Sql;
}

function scopesOf(world: World): Scope[] {
  const ids = world.contacts.map((contact) => contact.id);
  const some = ids.filter((_, i) => i % 3 !== 1);
  const [low, high] = [ids[1] ?? '', ids[5] ?? 'f'.repeat(32)];
  return [
    { isIn: () => true, sql: () => sql`true` },
    { isIn: ({ id }) => some.includes(id), sql: (id) => sql`${id} = any(${some}::uuid[])` },
    {
      isIn: ({ id }) => id > (low || '0'.repeat(32)) && id <= high,
      sql: (id) => sql`${id} > ${low || '0'.repeat(32)}::uuid and ${id} <= ${high}::uuid`,
    },
  ];
}

function groundOf(world: World, tenantId: number, scope: Scope) {
  return { tenantId, now: sql`${iso(world.now)}::timestamptz`, scope: scope.sql };
}

function told(filter: Sent, contact: Contact, more: object): string {
  return JSON.stringify({ filter, contact: contact.id, ...more }, null, 1);
}

interface Row {
  readonly id: string;
  readonly holds: boolean;
  readonly narrow: boolean;
  /** Milliseconds since 1970. */
  readonly next: number | null;
}

async function evaluate(world: World, tenantId: number, filters: readonly Sent[], scope: Scope): Promise<Row[][]> {
  const trees = filters.map((filter) => readFilter(filter, subjects));
  const { joins, parts } = compileAll(trees, groundOf(world, tenantId, scope));
  const answers = parts.map(
    ({ holds, narrow, next }) => sql`jsonb_build_object('holds', ${holds}, 'narrow', ${narrow ?? sql`true`},
      'next', ${next ? sql`extract(epoch from ${next}) * 1000` : sql`null`})`,
  );
  const list = answers.reduce((one, other) => sql`${one}, ${other}`);
  const rows = await database.db.background.rows(
    unnamed(sql<{ id: string; answers: Omit<Row, 'id'>[] }>`
    select c.contact_id as id, json_build_array(${list}) as answers
    from contact c ${joins} where c.tenant_id = ${tenantId} and ${scope.sql(sql`c.contact_id`)} order by 1`),
  );
  return filters.map((_, i) => rows.map(({ id, answers }) => ({ id, ...(answers[i] as Omit<Row, 'id'>) })));
}

async function expectSameTruth(world: World, tenantId: number, filters: readonly Sent[], scope: Scope): Promise<void> {
  const answers = await evaluate(world, tenantId, filters, scope);
  const asked = world.contacts.filter(scope.isIn);
  for (const [i, filter] of filters.entries()) {
    const rows = answers[i] as Row[];
    expect(rows.map((row) => row.id)).toEqual(asked.map((contact) => contact.id));
    for (const [place, contact] of asked.entries()) {
      const row = rows[place] as Row;
      const expected = holds(filter, contact, world);
      if (row.holds !== expected) throw new Error(told(filter, contact, { expected, compiled: row.holds }));
      if (expected && row.narrow !== true) throw new Error(told(filter, contact, { expected, narrow: row.narrow }));
      expectStill(world, filter, contact, expected, row.next ?? Infinity);
    }
  }
}

/** Until `next`, nothing changes by the clock alone. */
function expectStill(world: World, filter: Sent, contact: Contact, truth: boolean, next: number): void {
  if (next <= world.now) throw new Error(told(filter, contact, { now: iso(world.now), next: iso(next) }));
  for (const at of turningPoints(filter, contact, world)) {
    if (at <= world.now || at >= next || holds(filter, contact, { ...world, now: at }) === truth) continue;
    const said = next === Infinity ? null : iso(next);
    throw new Error(told(filter, contact, { now: iso(world.now), truth, changesAt: iso(at), next: said }));
  }
}

async function expectSameNodes(world: World, tenantId: number, filter: Sent): Promise<void> {
  const everybody = scopesOf(world)[0] as Scope;
  const { joins, nodes } = compileNodes(readFilter(filter, subjects), groundOf(world, tenantId, everybody));
  const all = nodes.map(
    (node) => sql`jsonb_build_object('holds', ${node.holds}, 'value', ${node.value ?? sql`null::jsonb`})`,
  );
  const list = all.reduce((one, other) => sql`${one}, ${other}`);
  const rows = await database.db.background.rows(
    unnamed(sql<{ id: string; nodes: { holds: boolean }[] }>`
    select c.contact_id as id, json_build_array(${list}) as nodes from contact c ${joins} where c.tenant_id = ${tenantId}`),
  );
  const expected = nodesOf(filter);
  expect(nodes.map((node) => node.path)).toEqual(expected.map((node) => node.path));
  for (const contact of world.contacts) {
    const row = rows.find((each) => each.id === contact.id);
    const truths = expected.map(({ path, node }) => ({ path, holds: holds(node, contact, world) }));
    const compiled = nodes.map(({ path }, i) => ({ path, holds: row?.nodes[i]?.holds }));
    expect(compiled, told(filter, contact, {})).toEqual(truths);
  }
}

// FILTER_RUNS worlds in the long proof.
const numRuns = Number(process.env.FILTER_RUNS ?? 40);
const limitMs = numRuns * 3000;
// A failure is made small within the limit.
const options = { numRuns, interruptAfterTimeLimit: limitMs - 10_000 };

describe('a compiled filter', { timeout: limitMs }, () => {
  it('means whom the interpreter says, for some, a range and all contacts, and says until when that stays so', async () => {
    const property = fc.asyncProperty(worlds, many, async (world, filters) => {
      const tenantId = await writeWorld(database.db, world);
      const scopes = scopesOf(world);
      // Some in one statement, as a worker asks: what they share is joined once.
      for (let i = 0; i < filters.length; i += 5) {
        for (const scope of scopes) await expectSameTruth(world, tenantId, filters.slice(i, i + 5), scope);
      }
    });
    await fc.assert(property, options);
  });

  it('holds node by node as the interpreter says', async () => {
    const property = fc.asyncProperty(worlds, many, async (world, filters) => {
      const tenantId = await writeWorld(database.db, world);
      for (const filter of filters) await expectSameNodes(world, tenantId, filter);
    });
    await fc.assert(property, options);
  });
});
