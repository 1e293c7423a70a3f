// Completion of known variables inside {{ … }}.
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import type { Variable } from '../email-api.ts';

/** How many characters of a variable's name are before the cursor; undefined if it is not inside a token. */
export function nameBefore(text: string): number | undefined {
  return /\{\{-?\s*(\w*)$/.exec(text)?.[1]?.length;
}

/** What must follow the name: existing braces are not written twice. */
export function closingFor(text: string): string {
  return /^\s*(\||-?\}\})/.test(text) ? '' : '}}';
}

export function completeToken(variables: readonly Variable[], context: CompletionContext): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos);
  const length = nameBefore(line.text.slice(0, context.pos - line.from));
  if (length === undefined) return null;
  const closing = closingFor(line.text.slice(context.pos - line.from));
  const options = variables.map(
    ({ name, kind }): Completion => ({ label: name, detail: kind, type: 'variable', apply: name + closing }),
  );
  return { from: context.pos - length, options, validFor: /^\w*$/ };
}
