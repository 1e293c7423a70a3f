import { plainText } from '../../../mail/plain-text.js';
import type { ReadTemplate } from '../../designs/index.js';
import { type Compiled, compile, setForeignAside, type Variable } from '../template/index.js';
import { renderText } from './render-person.js';
import type { Checked, Failure, Field, FieldVariable, Links, Note, Texts } from './texts.js';

/** What is wrong with the text alone (syntax, or limits exceeded in rendering), and the variables it uses. */
export function checkTexts(texts: Texts, note: Note): Checked {
  const fields = fieldsOf(texts);
  const faults: Failure[] = [];
  const variables: FieldVariable[] = [];
  for (const [field, text] of fields) {
    note(field);
    const { compiled, foreign } = compileField(field, text);
    if (compiled.ok) {
      const used = [...foreign, ...compiled.template.variables()];
      variables.push(...inReadingOrder(used.map((it) => ({ ...it, field }))));
    } else faults.push({ field, ...compiled.problem, message: invalidTemplate(compiled.problem) });
  }
  if (faults.length === 0) faults.push(...fields.flatMap(([field, text]) => tryOut(field, text, note)));
  return { faults, variables };
}

/** Without tokens of other template languages: those count as unknown variables, and the rest may be valid. */
function compileField(field: Field, text: string): { compiled: Compiled; foreign: readonly Variable[] } {
  const kind = field === 'html' ? 'html' : 'text';
  const compiled = compile(text, kind);
  if (compiled.ok) return { compiled, foreign: [] };
  const { tokens, rest } = setForeignAside(text);
  return tokens.length === 0 ? { compiled, foreign: [] } : { compiled: compile(rest, kind), foreign: tokens };
}

/** An html block of a design. */
export const readTemplate: ReadTemplate = (text) => {
  const { compiled, foreign } = compileField('html', text);
  if (!compiled.ok) {
    const { message, line, column } = compiled.problem;
    return { ok: false, message: `${message} (line ${line}, column ${column})` };
  }
  return { ok: true, variables: [...foreign, ...compiled.template.variables()] };
};

const noLinks: Links = { unsubscribeUrl: '', preferencesUrl: '', viewUrl: '' };

/** Renders it without a contact. A failure for lack of values may not happen for a person; exceeded limits would for everyone. */
function tryOut(field: Field, text: string, note: Note): Failure[] {
  note(field);
  const rendered = renderText(field, text, null, noLinks);
  if (rendered.ok) {
    note(field);
    if (field === 'html') plainText(rendered.text);
    return [];
  }
  const { line, column, message } = rendered.failure;
  if (!/limit exceeded|too large/.test(message)) return [];
  return [{ field, line, column, message: tooExpensive(`${message} (line ${line}, column ${column})`) }];
}

function tooExpensive(why: string): string {
  return `is too expensive to render: ${why}`;
}

function invalidTemplate({ line, column, message }: { line: number; column: number; message: string }): string {
  return `is not a valid template: ${message} (line ${line}, column ${column})`;
}

function inReadingOrder(variables: FieldVariable[]): FieldVariable[] {
  return variables.sort((a, b) => a.line - b.line || a.column - b.column);
}

function fieldsOf({ html, subject, preheader }: Texts): [Field, string][] {
  return [
    ['html', html],
    ['subject', subject],
    ...(preheader ? [['preheader', preheader] as ['preheader', string]] : []),
  ];
}
