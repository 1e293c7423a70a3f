// Where each enrolment stands after a turn.

import type { TimelineFact } from '@rapport/contract';
import { copyField } from '../../../../db/copy.js';
import type { Transaction } from '../../../../db/database.js';
import { bytes, type Sql, sql } from '../../../../db/sql.js';
import { instantOf } from '../../../../lib/instant.js';
import type { Note, Words } from '../../engine/types.js';
import type { EnrolmentRow } from '../queries.js';

const time = (column: Sql) => sql`to_timestamp(${column} / 1000.0)`;

/** An enrolment as it is to be stored. */
export interface StoredEnrolment extends Omit<EnrolmentRow, 'words' | 'arms'> {
  state: 'active' | 'completed' | 'exited';
  reason: string | null;
  endedAt: number | null;
  words: Words;
  arms: Readonly<Record<string, string>>;
}

function enrolmentsTable(rows: readonly StoredEnrolment[]): Sql {
  return sql`unnest(${rows.map((r) => r.enrolmentId)}::uuid[], ${rows.map((r) => r.journeyNo)}::integer[],
    ${rows.map((r) => r.version)}::integer[], ${rows.map((r) => r.runId && bytes(r.runId))}::bytea[],
    ${rows.map((r) => r.contactId)}::uuid[], ${rows.map((r) => r.state)}::text[], ${rows.map((r) => r.reason)}::text[],
    ${rows.map((r) => r.stepId)}::text[], ${rows.map((r) => r.visit)}::integer[], ${rows.map((r) => r.stepAt)}::float8[],
    ${rows.map((r) => r.phase)}::text[], ${rows.map((r) => r.waitUntil)}::float8[], ${rows.map((r) => r.dueAt)}::float8[],
    ${rows.map((r) => r.enteredAt)}::float8[], ${rows.map((r) => r.endedAt)}::float8[], ${rows.map((r) => r.goalAt)}::float8[],
    ${rows.map((r) => r.isHoldout)}::boolean[], ${rows.map((r) => r.chain)}::smallint[],
    ${rows.map(restlessOf)}::smallint[], ${rows.map((r) => jsonOf(r.words))}::text[],
    ${rows.map((r) => jsonOf(r.arms))}::text[]) with ordinality
    as t (enrolment_id, journey_no, version, run_id, contact_id, state, reason, step_id, visit, step_at, phase, wait_until,
      due_at, entered_at, ended_at, goal_at, is_holdout, chain, restless, words, arms, ord)`;
}

/** By COPY: half the cost of an insert from parameters, and it is most of what a turn does. */
export async function insertEnrolments(
  tx: Transaction,
  tenantId: number,
  rows: readonly StoredEnrolment[],
): Promise<void> {
  if (rows.length === 0) return;
  const line = (r: StoredEnrolment) =>
    [
      ...[
        tenantId,
        r.enrolmentId,
        r.journeyNo,
        r.version,
        r.runId === null ? none : `\\\\x${r.runId}`,
        r.contactId,
        r.state,
      ],
      ...[copyField(r.reason), copyField(r.stepId), r.visit, copyTime(r.stepAt), r.phase, copyTime(r.waitUntil)],
      ...[copyTime(r.dueAt), copyTime(r.enteredAt), copyTime(r.endedAt), copyTime(r.goalAt), r.isHoldout, r.chain],
      ...[restlessOf(r), copyField(jsonOf(r.words)), copyField(jsonOf(r.arms))],
    ].join('\t');
  await tx.copy(
    sql`copy enrolment (tenant_id, enrolment_id, journey_no, version, run_id, contact_id, state, reason, step_id, visit, step_at, phase,
      wait_until, due_at, entered_at, ended_at, goal_at, is_holdout, chain, restless, words, arms) from stdin`,
    `${rows.map(line).join('\n')}\n`,
  );
}

const none = '\\N';
const copyTime = (at: number | null) => (at === null ? none : instantOf(at));
const jsonOf = (value: object) => (Object.keys(value).length === 0 ? null : JSON.stringify(value));
const restlessOf = ({ restless }: StoredEnrolment) => Math.min(restless ?? 0, 32_767);

/** Of those that are still active: who was erased meanwhile stays so. Returns whom that concerns. */
export async function updateEnrolments(
  tx: Transaction,
  tenantId: number,
  rows: readonly StoredEnrolment[],
): Promise<Set<string>> {
  if (rows.length === 0) return new Set();
  const updated = await tx.run(sql`
    update enrolment e set version = t.version, state = t.state, reason = t.reason, step_id = t.step_id, visit = t.visit,
      step_at = ${time(sql`t.step_at`)}, phase = t.phase, wait_until = ${time(sql`t.wait_until`)},
      due_at = ${time(sql`t.due_at`)}, ended_at = ${time(sql`t.ended_at`)}, goal_at = ${time(sql`t.goal_at`)},
      restless = t.restless, words = t.words::jsonb, arms = t.arms::jsonb
    from ${enrolmentsTable(rows)}
    where e.tenant_id = ${tenantId} and e.enrolment_id = t.enrolment_id and e.state = 'active'`);
  if (updated === rows.length) return new Set();
  const gone = await tx.rows(sql<{ id: string }>`
    select enrolment_id as id from enrolment
    where tenant_id = ${tenantId} and enrolment_id = any(${rows.map((r) => r.enrolmentId)}::uuid[]) and contact_id is null`);
  return new Set(gone.map(({ id }) => id));
}

function subjectsOf({ code: _, ...subjects }: TimelineFact): Readonly<Record<string, unknown>> | null {
  return Object.keys(subjects).length === 0 ? null : subjects;
}

/** What a turn noted, a row an enrolment: see enrolment_turn. */
export async function insertNotes(
  tx: Transaction,
  tenantId: number,
  owners: Iterable<{ readonly id: string; readonly notes: readonly Note[] }>,
  at: string,
): Promise<void> {
  let rows = '';
  for (const { id, notes } of owners)
    if (notes.length > 0) rows += `${tenantId}\t${id}\t${at}\t${copyField(JSON.stringify(notes.map(lineOf)))}\n`;
  if (rows === '') return;
  await tx.copy(sql`copy enrolment_turn (tenant_id, enrolment_id, at, lines) from stdin`, rows);
}

function lineOf({ what, stepId, fact }: Note): readonly unknown[] {
  if (!fact) return stepId === undefined ? [what] : [what, stepId];
  const subjects = subjectsOf(fact);
  return subjects ? [what, stepId ?? null, fact.code, subjects] : [what, stepId ?? null, fact.code];
}
