// The cost of a statement by what it reads, not by how long it takes: the same on any machine.
import type { Runner } from '../../src/db/database.js';
import { type Sql, sql, unnamed } from '../../src/db/sql.js';

interface PlanNode {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
  [other: string]: unknown;
}

export interface Costs {
  /** Rows that any node of the plan returned or discarded. */
  rows: number;
  /** Pages of tables and indexes that were read, counted each time. */
  pages: number;
}

/** Runs it as the engine would. */
export async function costsOf(db: Runner, statement: Sql): Promise<Costs> {
  const row = await db.row(
    unnamed(
      sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>`explain (analyze, buffers, timing off, format json) ${statement}`,
    ),
  );
  if (!row) throw new Error('There is no plan');
  const plan = row['QUERY PLAN'][0].Plan;
  return { rows: rowsOf(plan), pages: (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0) };
}

/** The shape of the plan: nodes, tables and indexes, without the values that they compare with. */
export async function shapeOf(db: Runner, statement: Sql): Promise<string> {
  const row = await db.row(
    unnamed(sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>`explain (costs off, format json) ${statement}`),
  );
  return row ? JSON.stringify(nodesOf(row['QUERY PLAN'][0].Plan)) : '';
}

const told = [
  'Node Type',
  'Relation Name',
  'Index Name',
  'Join Type',
  'Strategy',
  'Parent Relationship',
  'Subplan Name',
];

function nodesOf(node: PlanNode): unknown[] {
  return [...told.map((key) => node[key] ?? ''), ...(node.Plans ?? []).map(nodesOf)];
}

function rowsOf(node: PlanNode): number {
  const removed = Object.keys(node).filter((key) => key.startsWith('Rows Removed by'));
  const each = removed.reduce((sum, key) => sum + (node[key] as number), node['Actual Rows']);
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), each * node['Actual Loops']);
}
