import type { DraftField } from '../draft.ts';
import type { Problem } from '../email-api.ts';

export type Problems = Partial<Record<DraftField, Problem[]>>;

/** What the preview finds wrong with a draft, by the field it is in. */
export function problemsByField(problems: readonly Problem[]): Problems {
  const byField: Problems = {};
  for (const problem of problems) {
    const field = problem.field.replace(/^draft\./, '') as DraftField;
    const list = byField[field] ?? [];
    byField[field] = list;
    list.push(problem);
  }
  return byField;
}
