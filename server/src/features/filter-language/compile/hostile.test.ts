import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../../../test/database.js';
import { appSubjects } from '../../../../test/filters/subjects.js';
import { type Sql, sql } from '../../../db/sql.js';
import type { Subject } from '../subject.js';
import type { EventFilter, Filter, Measure, ValueTest } from '../tree.js';
import { compile, compileAll, compileNodes } from './index.js';

const t = useDatabase();

const hostile = [
  "'",
  '"',
  "'); drop table contact; --",
  '$1',
  '$999',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is to stay what it is
  '${1}',
  '$$',
  ':name',
  '?',
  '\\',
  "\\'",
  "E'\\x27'",
  '__proto__',
  'constructor',
  '%_',
  '.*',
  '{}',
  '{"a":1}',
  '[1]',
  'null',
  '/* */',
  '-- ',
  '\n\r\t',
  '‮😀ﷺ',
  ' ',
  '-1; select 1',
  'x'.repeat(20_000),
];

const at = {
  tenantId: 1,
  now: sql`${'2026-03-01T00:00:00.000Z'}::timestamptz`,
  scope: (id: Sql) => sql`${id} <> ${'0'.repeat(32)}::uuid`,
};

const marketing = appSubjects.of('marketing') as Subject;
const opened = { what: 'opened', count: { atLeast: 1 }, window: {}, machine: false };

/** Every place where a filter holds text, as one filter each. */
function filtersWith(word: string): Filter[] {
  const path = word;
  const tests: ValueTest[] = [
    ...(['is', 'isNot'] as const).map((op) => ({ op, value: word })),
    ...(['in', 'notIn'] as const).map((op) => ({ op, values: [word, 1, true] })),
    ...(['contains', 'notContains', 'startsWith', 'endsWith', 'matches'] as const).map((op) => ({ op, text: word })),
    { op: 'exists', value: true },
  ];
  const timed: ValueTest = { op: 'withinLast', duration: { ms: 1000, text: word } };
  const events: EventFilter[] = [
    ...tests.map((test) => ({ kind: 'eventProperty' as const, path, at: [word, word], test })),
    ...tests.map((test) => ({ kind: 'eventField' as const, path, field: 'userId' as const, test })),
    { kind: 'eventProperty', path, at: [word], test: timed },
  ];
  const where: EventFilter = { kind: 'none', path, of: events };
  const measures: Measure[] = [
    { of: 'count', count: { atLeast: 1 } },
    { of: 'distinct', at: [word], count: { atMost: 1 } },
    { of: 'sum', at: [word, word], test: { op: 'gt', value: 1 } },
    { of: 'last', test: timed },
    ...tests.map((test) => ({ of: 'latest' as const, at: [word], test })),
  ];
  const window = { withinLast: { ms: 1000, text: word } };
  return [
    ...[...tests, timed, { op: 'hasEverBeen' as const, value: word }].map((test) => ({
      kind: 'property' as const,
      path,
      key: word,
      test,
    })),
    ...tests.slice(0, -1).map((test) => ({ kind: 'contact' as const, path, field: 'email' as const, test })),
    ...tests.map((test) => ({ kind: 'userProperty' as const, path, key: word, test })),
    ...tests.map((test) => ({ kind: 'orgProperty' as const, path, key: word, test })),
    ...tests.map((test) => ({ kind: 'organization' as const, path, field: 'name' as const, test })),
    ...measures.map((measure) => ({ kind: 'event' as const, path, name: word, measure, window: {}, where })),
    { kind: 'event', path, name: word, measure: { of: 'count', count: { atLeast: 1 } }, window },
    {
      kind: 'sequence',
      path,
      steps: [
        { name: word, where, not: false },
        { name: word, where, within: { ms: 1000, text: word }, not: true },
      ],
    },
    {
      kind: 'orgMembers',
      path,
      where: { kind: 'property', path, key: word, test: { op: 'is', value: word } },
      count: { atLeast: 1 },
    },
    { kind: 'registered', path, subject: marketing, spec: { ...opened, linkUrl: word } },
    { kind: 'registered', path, subject: marketing, spec: { ...opened, what: word, window } },
    { kind: 'bucket', path, seed: word, of: 10, from: 0, to: 4 },
  ];
}

function statementOf(filter: Filter): Sql<{ holds: boolean }> {
  const { joins, narrow, holds, next } = compile(filter, at);
  return sql`select ${holds} as holds, ${next ?? sql`null`} as next, ${narrow ?? sql`true`} as narrow
    from contact c ${joins} where c.tenant_id = 1`;
}

const plain = 'plain';

describe('the text of a compiled filter', () => {
  it('is the same whatever a filter says: no input becomes text', () => {
    const texts = filtersWith(plain).map((filter) => statementOf(filter).text);
    for (const text of texts) expect(text).not.toContain(plain);
    for (const word of hostile) expect(filtersWith(word).map((filter) => statementOf(filter).text)).toEqual(texts);
  });

  it('is so for all filters in one statement, and for an explanation', () => {
    const texts = (word: string) => {
      const all: Filter = { kind: 'any', path: word, of: filtersWith(word) };
      const { joins, parts } = compileAll([all, ...filtersWith(word)], at);
      const { nodes, joins: more } = compileNodes(all, at);
      return [joins, more, ...parts, ...nodes].flatMap((part) =>
        'text' in part ? [part.text] : [part.holds.text, 'value' in part ? part.value?.text : ''],
      );
    };
    const expected = texts(plain);
    for (const word of hostile) expect(texts(word)).toEqual(expected);
  });

  it('runs with every such word, and has no name that a connection would keep', async () => {
    await t.db.run(sql`insert into contact (tenant_id, contact_id, email, properties, created_at, updated_at, search_text)
      values (1, ${'1'.repeat(32)}, 'a@x.test', '{"plain": "plain", "$1": "$1"}', now(), now(), '')`);
    for (const word of hostile) {
      const { joins, parts } = compileAll(filtersWith(word), at);
      const list = parts.reduce((one, { holds }) => sql`${one} + (${holds})::integer`, sql`0`);
      const statement = sql<{ sum: number }>`select ${list} as sum from contact c ${joins} where c.tenant_id = 1`;
      expect(statement.name).toBe('');
      expect(await t.db.rows(statement)).toHaveLength(1);
    }
  });

  it('takes no name of a table from outside', () => {
    const filter = filtersWith(plain).find((each) => each.kind === 'event') as Filter;
    expect(() => compile(filter, { ...at, prefix: 'a; drop table contact; --' })).toThrow('Not a name');
    expect(compile(filter, { ...at, prefix: 'f1_' }).joins.text).toContain(
      ') f1_q1 on f1_q1.contact_id = c.contact_id',
    );
  });

  it('binds every table that it reads to the tenant', async () => {
    const found = await t.db.rows(sql<{ name: string }>`
      select table_name as name from information_schema.columns where column_name = 'tenant_id'`);
    const tables = new Set(found.map(({ name }) => name));
    for (const filter of filtersWith(plain)) {
      const { text } = statementOf(filter);
      for (const [, table = '', alias] of text.matchAll(/\b(?:from|join) (\w+) (\w+)\b/g)) {
        if (tables.has(table)) expect(text, `${table} ${alias}`).toContain(`${alias}.tenant_id = `);
      }
    }
  });
});

describe('a condition of another feature', () => {
  it('joins its own table, bounded to the evaluated contacts', async () => {
    const subject: Subject<string> = {
      key: 'registered',
      read: () => plain,
      say: () => plain,
      reads: () => [],
      compile: (spec, on) => {
        const name = on.join(sql`select h.contact_id, count(*) as n from contact h
          where h.tenant_id = ${on.tenant} and ${on.scope(sql`h.contact_id`)} and h.email = ${spec} group by 1`);
        return { holds: sql`coalesce(${name}.n, 0) > 0`, next: on.now, value: sql`to_jsonb(${name}.n)` };
      },
    };
    const filter = (spec: string): Filter => ({
      kind: 'registered',
      path: 'filter',
      subject,
      spec,
    });
    expect(await t.db.rows(statementOf(filter('a@x.test')))).toMatchObject([{ holds: true }]);
    expect(await t.db.rows(statementOf(filter("'")))).toMatchObject([{ holds: false }]);
    expect(statementOf(filter("'")).text).toBe(statementOf(filter('a')).text);
  });
});
