import { t } from '../../../texts/emails.ts';
import type { DraftField } from '../draft.ts';
import type { Problem } from '../email-api.ts';
import { nearestName } from './spelling.ts';

export type Problems = Partial<Record<DraftField, Problem[]>>;

/** What the preview finds wrong with a draft, by the field it is in, in the words that the page uses for its fields. */
export function problemsByField(problems: readonly Problem[]): Problems {
  const byField: Problems = {};
  for (const problem of problems) {
    const field = problem.field.replace(/^draft\./, '') as DraftField;
    const list = byField[field] ?? [];
    byField[field] = list;
    list.push({ ...problem, message: inOurWords(problem.message, field) });
  }
  return byField;
}

function inOurWords(message: string, field: DraftField): string {
  return t.fields[field] && message.startsWith(`${field} `)
    ? `${t.fields[field]}${message.slice(field.length)}`
    : message;
}

/** What somebody meant who wrote a name that no contact has. */
export function fixOf({ message }: Problem, names: readonly string[]): { wrong: string; right: string } | undefined {
  const wrong = /^\{\{\s*([A-Za-z_]\w*)\s*\}\} is not known/.exec(message)?.[1];
  const right = wrong && nearestName(wrong, names);
  return wrong && right ? { wrong, right } : undefined;
}
