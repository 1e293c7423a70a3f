import { reasonIn } from '@rapport/contract';
import { t } from '../../../texts/emails.ts';
import type { DraftField } from '../draft.ts';
import type { Problem } from '../email-api.ts';
import { nearestName } from './spelling.ts';

export type Problems = Partial<Record<DraftField, Problem[]>>;

/** The preview's problems with a draft, by field, in the words that the page uses for its fields. */
export function problemsByField(problems: readonly Problem[]): Problems {
  const byField: Problems = {};
  for (const problem of problems) {
    const field = problem.field.replace(/^draft\./, '') as DraftField;
    const list = byField[field] ?? [];
    byField[field] = list;
    const reason = reasonIn(problem.message, field);
    list.push(reason && t.fields[field] ? { ...problem, message: `${t.fields[field]} ${reason}` } : problem);
  }
  return byField;
}

/** The known name that an unknown plain one is probably a misspelling of. */
export function fixOf(
  { variable = '' }: Problem,
  names: readonly string[],
): { wrong: string; right: string } | undefined {
  const right = /^[A-Za-z_]\w*$/.test(variable) && nearestName(variable, names);
  return right ? { wrong: variable, right } : undefined;
}
