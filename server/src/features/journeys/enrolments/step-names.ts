// What people call the steps that enrolments are shown at.
import type { Runner } from '../../../db/database.js';
import { selectStepNames } from './queries.js';

interface Shown {
  readonly version: number;
  readonly stepId: string | null;
}

/** The same rows with the names of their steps, where those have names. `of` tells the journey of a row. */
export async function withStepNames<Row extends Shown>(
  db: Runner,
  tenantId: number,
  rows: readonly Row[],
  of: (row: Row) => string,
): Promise<(Row & { stepName?: string })[]> {
  const names = await stepNamesOf(
    db,
    tenantId,
    rows.map((row) => ({ journeyId: of(row), version: row.version })),
  );
  return rows.map((row) => ({ ...row, ...names(of(row), row.version, row.stepId) }));
}

/** Answers `{stepName}` for a step that has a name, nothing for others. */
export async function stepNamesOf(
  db: Runner,
  tenantId: number,
  versions: readonly { journeyId: string; version: number }[],
): Promise<(journeyId: string, version: number, stepId: string | null | undefined) => { stepName?: string }> {
  const wanted = new Map(versions.map((one) => [`${one.journeyId} ${one.version}`, one]));
  const named = await selectStepNames(db, tenantId, [...wanted.values()]);
  const names = new Map(named.map((one) => [`${one.journeyId} ${one.version} ${one.stepId}`, one.name.trim()]));
  return (journeyId, version, stepId) => {
    const stepName = names.get(`${journeyId} ${version} ${stepId}`);
    return stepName === undefined ? {} : { stepName };
  };
}
