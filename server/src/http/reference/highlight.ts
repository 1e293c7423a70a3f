// Colours for code, put in on the server: the page runs no script.
import { escapeHtml } from './html.js';

interface Rule {
  pattern: RegExp;
  /** One class per capturing group of the pattern, in order. */
  classes: string[];
}

const json: Rule = {
  pattern: /("(?:[^"\\]|\\.)*")(?=\s*:)|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g,
  classes: ['key', 'str', 'num', 'lit'],
};
const shell: Rule = {
  pattern: /^(curl)\b|('(?:[^']|'\\'')*'|"(?:[^"\\]|\\.)*")|(?<=\s)(-{1,2}[A-Za-z][\w-]*)/gm,
  classes: ['key', 'str', 'num'],
};

export function highlightJson(value: unknown): string {
  return paint(JSON.stringify(value, null, 2), json);
}

export function highlightShell(command: string): string {
  return paint(command, shell);
}

/** Escapes piece by piece, so that nothing in the code can become markup. */
function paint(code: string, { pattern, classes }: Rule): string {
  let out = '';
  let at = 0;
  for (const match of code.matchAll(pattern)) {
    const name = classes[match.slice(1).findIndex((group) => group !== undefined)];
    out += `${escapeHtml(code.slice(at, match.index))}<span class="${name}">${escapeHtml(match[0])}</span>`;
    at = match.index + match[0].length;
  }
  return out + escapeHtml(code.slice(at));
}

/** A block of painted code under a small title. */
export function codeBlock(title: string, label: string, painted: string): string {
  return `<figure class="code" aria-label="${escapeHtml(label)}"><figcaption>${escapeHtml(title)}</figcaption>
<pre><code>${painted}</code></pre></figure>`;
}
