import { fieldReasons, sayField, sayVariable } from '@rapport/contract';
import type { Runner } from '../../db/database.js';
import { ApiError, invalidFields } from '../../http/api-error.js';
import { selectKnownKeys } from '../contacts/index.js';
import type { Renderer } from './rendering/renderer.js';
import type { Checked, Failure, Texts } from './rendering/texts.js';

/** Variables that exist for every message. They hide properties of the same name. */
export const platformVariables = ['email', 'unsubscribe_url', 'preferences_url', 'view_url', 'confirm_url'] as const;
/** Objects that a message may carry, each with its own fields. */
const messageWords = ['data', 'event', 'webhook'] as const;
/** Known even if no contact has it yet: the contract lists it beside the keys in use. */
export const standardProperties = ['first_name'] as const;

/** The link of an email that asks a person to confirm. */
export const confirmVariable = 'confirm_url';

/** Whether the email still has the link: it may have been edited since a topic named it. */
export function asksToConfirm({ html }: { html: string }): boolean {
  return html.includes(confirmVariable);
}

interface FieldProblem extends Failure {
  /** The template cannot be rendered at all. */
  isFault: boolean;
  /** The variable that no contact has, if that is the problem. */
  variable?: string;
}

const mostHtmlBytes = 2 * 1024 * 1024;
// The most unknown variables named in one error; a template may have thousands.
const mostNamed = 100;

/** Finds what is wrong with the texts alone, and the variables they use. Empty or oversized html is refused without being parsed. */
export async function checkTexts(renderer: Renderer, tenantId: number, texts: Texts): Promise<Checked> {
  const fault = (message: string): Checked => ({
    faults: [{ field: 'html', line: 1, column: 1, message }],
    variables: [],
  });
  const { subject, preheader, html } = texts;
  if (html.trim() === '') return fault(fieldReasons.required);
  if (Buffer.byteLength(html) > mostHtmlBytes) return fault(fieldReasons.bytes(mostHtmlBytes));
  return renderer.check(tenantId, { subject, preheader, html });
}

/** The variables that the tenant does not know, in the order in which they appear. */
async function findUnknown<V extends { name: string }>(db: Runner, tenantId: number, used: readonly V[]): Promise<V[]> {
  const unknown = await selectUnknown(
    db,
    tenantId,
    used.map(({ name }) => name),
  );
  return used.filter(({ name }) => unknown.has(name));
}

/** Those of these names that are neither the platform's nor a property of any contact. */
export async function selectUnknown(db: Runner, tenantId: number, names: readonly string[]): Promise<Set<string>> {
  const unknown = new Set(names);
  for (const name of [...platformVariables, ...messageWords, ...standardProperties]) unknown.delete(name);
  for (const key of await selectKnownKeys(db, tenantId, [...unknown])) unknown.delete(key);
  return unknown;
}

export function refuseFaults(faults: readonly { field: string; message: string }[]): void {
  if (faults.length > 0) throw invalidFields(faults.map(({ field, message }) => ({ field, reason: message })));
}

export async function refuseUnknown(
  db: Runner,
  tenantId: number,
  variables: readonly { name: string; shown: string; field: string; line: number }[],
): Promise<void> {
  const unknown = await findUnknown(db, tenantId, variables);
  if (unknown.length === 0) return;
  const named = unknown
    .slice(0, mostNamed)
    .map(({ shown, field, line }) => `${sayVariable(cut(shown))} (${field}, line ${line})`);
  if (unknown.length > mostNamed) named.push(`and ${unknown.length - mostNamed} more`);
  const fields = [...new Set(unknown.map(({ field }) => field))];
  throw new ApiError('UnknownVariablesException', { variables: named.join(', ') }, { detail: fields.join(', ') });
}

function cut(shown: string): string {
  return shown.length > 80 ? `${shown.slice(0, 80)}…` : shown;
}

/** For an editor: every problem with its position, instead of only the first error. */
export async function findProblems(
  db: Runner,
  renderer: Renderer,
  tenantId: number,
  texts: Texts,
): Promise<FieldProblem[]> {
  const checked = await checkTexts(renderer, tenantId, texts);
  const unknown = await findUnknown(db, tenantId, checked.variables);
  const problems = unknown.map(({ field, line, column, shown }) => ({
    field,
    line,
    column,
    isFault: false,
    message: `${sayVariable(cut(shown))} is unknown: no contact has this property.`,
    variable: cut(shown),
  }));
  const faults = checked.faults.map((fault) => ({
    ...fault,
    isFault: true,
    message: sayField(fault.field, fault.message),
  }));
  return [...faults, ...problems].slice(0, mostNamed);
}
