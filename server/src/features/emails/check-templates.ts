import type { Runner } from '../../db/database.js';
import { ApiError, invalidFields } from '../../http/api-error.js';
import { selectKnownKeys } from '../contacts/index.js';
import { type Compiled, compile, type Problem, setForeignAside, type Variable } from './template/index.js';

/** What the platform knows of every message. A property of the same name is not reached. */
export const platformVariables = ['email', 'unsubscribe_url', 'view_url'] as const;
/** Known before any contact has had it: the contract names it beside the keys in use. */
export const standardProperties = ['first_name'] as const;

/** The parts of an email that are templates. */
export interface Texts {
  subject: string;
  preheader: string | null;
  html: string;
}
export interface FieldProblem extends Problem {
  field: keyof Texts;
  /** It cannot be rendered at all. */
  isFault: boolean;
}
interface FieldVariable extends Variable {
  field: keyof Texts;
}

export const mostHtmlBytes = 2 * 1024 * 1024;
// So many unknown variables are named in one message; a template may have thousands.
const mostNamed = 100;

/** The faults of the text alone: size and syntax. */
export function findFaults(texts: Texts): FieldProblem[] {
  return fieldsOf(texts).flatMap(([field, text]): FieldProblem[] => {
    const place = { field, line: 1, column: 1, isFault: true };
    if (field === 'html' && text.trim() === '') return [{ ...place, message: 'is required' }];
    if (field === 'html' && Buffer.byteLength(text) > mostHtmlBytes)
      return [{ ...place, message: `must have at most ${mostHtmlBytes} bytes in UTF-8` }];
    const { compiled } = compileField(field, text);
    if (compiled.ok) return [];
    const { line, column, message } = compiled.problem;
    return [
      { ...place, line, column, message: `is not a valid template: ${message} (line ${line}, column ${column})` },
    ];
  });
}

/** The variables of sound texts that the tenant does not know, in reading order. */
export async function findUnknown(db: Runner, tenantId: number, texts: Texts): Promise<FieldVariable[]> {
  const used = fieldsOf(texts).flatMap(([field, text]) => variablesOf(field, text));
  const names = [...new Set(used.map((variable) => variable.name))];
  const known = await selectKnownKeys(db, tenantId, names);
  for (const name of [...platformVariables, ...standardProperties]) known.add(name);
  return used.filter((variable) => !known.has(variable.name));
}

function variablesOf(field: keyof Texts, text: string): FieldVariable[] {
  const { compiled, foreign } = compileField(field, text);
  if (!compiled.ok) return [];
  const variables = [...foreign, ...compiled.template.variables()].map((variable) => ({ ...variable, field }));
  return variables.sort((a, b) => a.line - b.line || a.column - b.column);
}

/** Without the tokens of other template languages: those are unknown variables, and what is left may be sound. */
function compileField(field: keyof Texts, text: string): { compiled: Compiled; foreign: readonly Variable[] } {
  const kind = field === 'html' ? 'html' : 'text';
  const compiled = compile(text, kind);
  if (compiled.ok) return { compiled, foreign: [] };
  const { tokens, rest } = setForeignAside(text);
  return tokens.length === 0 ? { compiled, foreign: [] } : { compiled: compile(rest, kind), foreign: tokens };
}

function fieldsOf({ html, subject, preheader }: Texts): [keyof Texts, string][] {
  return [
    ['html', html],
    ['subject', subject],
    ...(preheader ? [['preheader', preheader] as ['preheader', string]] : []),
  ];
}

export function refuseFaults(texts: Texts): void {
  const faults = findFaults(texts);
  if (faults.length > 0) throw invalidFields(faults.map(({ field, message }) => ({ field, reason: message })));
}

export async function refuseUnknown(db: Runner, tenantId: number, texts: Texts): Promise<void> {
  const unknown = await findUnknown(db, tenantId, texts);
  if (unknown.length === 0) return;
  const named = unknown
    .slice(0, mostNamed)
    .map(({ shown, field, line }) => `${tokenOf(shown)} (${field}, line ${line})`);
  if (unknown.length > mostNamed) named.push(`and ${unknown.length - mostNamed} more`);
  const fields = [...new Set(unknown.map(({ field }) => field))];
  throw new ApiError('UnknownVariablesException', { variables: named.join(', ') }, { detail: fields.join(', ') });
}

export function tokenOf(shown: string): string {
  return `{{${shown.length > 80 ? `${shown.slice(0, 80)}…` : shown}}}`;
}

/** For an editor: everything that is wrong, where it is, instead of the first refusal. */
export async function findProblems(db: Runner, tenantId: number, texts: Texts): Promise<FieldProblem[]> {
  const unknown = await findUnknown(db, tenantId, texts);
  const problems = unknown.map(({ field, line, column, shown }) => ({
    field,
    line,
    column,
    isFault: false,
    message: `${tokenOf(shown)} is not known: no contact has had such a property.`,
  }));
  const faults = findFaults(texts).map((fault) => ({ ...fault, message: `${fault.field} ${fault.message}.` }));
  return [...faults, ...problems].slice(0, mostNamed);
}
