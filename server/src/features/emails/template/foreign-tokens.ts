// Tokens of other template languages: {{ column("email") }}, {{}}, {{{x}}}. They are not valid Liquid, but the author meant
// a variable, so they are reported as unknown variables and not as bad syntax.
import type { Variable } from './compile.js';
import { positionIn } from './position.js';

const marks = /\{%-?\s*(raw|comment|endraw|endcomment)\s*-?%\}|\{\{|\}\}/g;
// In triple braces, empty, or a function call.
const foreign = /^\{|^-?\s*(?:-?$|[\w.-]+\s*\()/;
// At most this many are reported; all are blanked out.
const mostTold = 1000;

/** The foreign tokens of a text that does not compile, and the text with blanks in their place. Linear time. */
export function setForeignAside(text: string): { tokens: Variable[]; rest: string } {
  const tokens: Variable[] = [];
  const pieces: string[] = [];
  let taken = 0;
  let open = -1;
  let skipped: string | undefined;
  for (const { 0: mark, 1: tag, index } of text.matchAll(marks)) {
    if (tag) {
      if (skipped === undefined && open < 0 && !tag.startsWith('end')) skipped = tag;
      else if (tag === `end${skipped}`) skipped = undefined;
    } else if (skipped === undefined && mark === '{{' && open < 0) open = index;
    else if (mark === '}}' && open >= 0) {
      const inside = text.slice(open + 2, index);
      if (foreign.test(inside)) {
        const isTriple = inside.startsWith('{') && text[index + 2] === '}';
        const end = index + (isTriple ? 3 : 2);
        if (tokens.length < mostTold) tokens.push(tokenAt(text, open, end));
        pieces.push(text.slice(taken, open), text.slice(open, end).replace(/[^\n]/g, ' '));
        taken = end;
      }
      open = -1;
    }
  }
  return { tokens, rest: pieces.join('') + text.slice(taken) };
}

function tokenAt(text: string, start: number, end: number): Variable {
  const [line, column] = positionIn(text, start);
  // Long ones are shortened for display, so only the part shown is copied.
  const shown = text.slice(start + 2, Math.min(end - 2, start + 102)).trim();
  // No property can have such a name.
  return { name: `{{${shown}`, shown, line, column };
}
