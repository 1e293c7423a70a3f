import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../../test/database.js';
import { filters } from '../../../test/filters/filter-arbitrary.js';
import { holds, nodesOf } from '../../../test/filters/interpreter.js';
import { iso } from '../../../test/filters/interpreter-events.js';
import type { Sent } from '../../../test/filters/interpreter-values.js';
import { turningPoints } from '../../../test/filters/moments.js';
import { appSubjects as subjects } from '../../../test/filters/subjects.js';
import type { Contact, World } from '../../../test/filters/world.js';
import { worlds } from '../../../test/filters/world-arbitrary.js';
import { writeWorld } from '../../../test/filters/write-world.js';
import { runs } from '../../../test/runs.js';
import { type Sql, sql, unnamed } from '../../db/sql.js';
import { compileAll, compileNodes } from './compile/index.js';
import { readFilter } from './read.js';

const database = useDatabase();
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

/** What the interpreter says of one contact, and the first moment at which it would say something else. */
interface Truth {
  readonly contact: Contact;
  readonly holds: boolean;
  readonly changesAt: number;
}

function truthOf(filter: Sent, contact: Contact, world: World): Truth {
  const truth = holds(filter, contact, world);
  const changesAt = turningPoints(filter, contact, world).find(
    (at) => at > world.now && holds(filter, contact, { ...world, now: at }) !== truth,
  );
  return { contact, holds: truth, changesAt: changesAt ?? Infinity };
}

async function expectSameTruth(world: World, tenantId: number, filters: readonly Sent[]): Promise<void> {
  const truths = filters.map((filter) => world.contacts.map((contact) => truthOf(filter, contact, world)));
  for (const scope of scopesOf(world)) {
    const answers = await evaluate(world, tenantId, filters, scope);
    for (const [i, filter] of filters.entries()) {
      const asked = (truths[i] as Truth[]).filter(({ contact }) => scope.isIn(contact));
      expect(answers[i]?.map((row) => row.id)).toEqual(asked.map(({ contact }) => contact.id));
      asked.forEach((truth, place) => {
        expectSame(filter, truth, answers[i]?.[place] as Row, world.now);
      });
    }
  }
}

function expectSame(filter: Sent, truth: Truth, { holds, narrow, next }: Row, now: number): void {
  const fault = (words: string) =>
    new Error(
      JSON.stringify(
        { words, filter, now: iso(now), next: next && iso(next), ...truth, changesAt: String(truth.changesAt) },
        null,
        1,
      ),
    );
  if (holds !== truth.holds) throw fault(`compiled it is ${holds}`);
  if (truth.holds && narrow !== true) throw fault('it is narrowed away');
  if (next !== null && next <= now) throw fault('the next moment is past');
  if (truth.changesAt < (next ?? Infinity)) throw fault('it changes before the next moment');
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
    expect(compiled, JSON.stringify({ filter, contact: contact.id })).toEqual(truths);
  }
}

const numRuns = runs(15);
const limitMs = 30_000 + numRuns * 3000;
// A failure is made small within the limit.
const options = { numRuns, interruptAfterTimeLimit: limitMs - 10_000 };

describe('a compiled filter', { timeout: limitMs }, () => {
  it('means whom the interpreter says, for some, a range and all contacts, and says until when that stays so', async () => {
    const property = fc.asyncProperty(worlds, many, async (world, filters) => {
      const tenantId = await writeWorld(database.db, world);
      // Some in one statement, as a worker asks: what they share is joined once.
      for (let i = 0; i < filters.length; i += 5) await expectSameTruth(world, tenantId, filters.slice(i, i + 5));
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
