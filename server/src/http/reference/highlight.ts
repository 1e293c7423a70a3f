// Syntax highlighting on the server, and the blocks around code.
import { escapeHtml } from './html.js';
import { type Language, languages } from './samples.js';

interface Rule {
  pattern: RegExp;
  /** One class per capturing group of the pattern, in order. */
  classes: string[];
}

const json: Rule = {
  pattern: /("(?:[^"\\]|\\.)*")(?=\s*:)|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|\b(true|false|null)\b/g,
  classes: ['key', 'str', 'num', 'lit'],
};
const code: Record<Language, Rule> = {
  curl: {
    pattern: /^(curl)\b|('(?:[^']|'\\'')*'|"(?:[^"\\]|\\.)*")|(?<=\s)(-{1,2}[A-Za-z][\w-]*)/gm,
    classes: ['key', 'str', 'num'],
  },
  typescript: {
    pattern:
      /('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|\b(import|from|const|await|true|false|null)\b|((?<![\w.])-?\d+(?:\.\d+)?\b)/g,
    classes: ['str', 'lit', 'num'],
  },
  python: {
    pattern: /((?:\bf)?"(?:[^"\\]|\\.)*")|\b(import|from|with|as|True|False|None)\b|((?<![\w.])-?\d+(?:\.\d+)?\b)/g,
    classes: ['str', 'lit', 'num'],
  },
};

export function highlightJson(value: unknown): string {
  return paint(JSON.stringify(value, null, 2), json);
}

export function highlight(text: string, language: Language): string {
  return paint(text, code[language]);
}

/** Escapes piece by piece, so that nothing in the code can become markup. */
function paint(text: string, { pattern, classes }: Rule): string {
  let out = '';
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    const name = classes[match.slice(1).findIndex((group) => group !== undefined)];
    out += `${escapeHtml(text.slice(at, match.index))}<span class="${name}">${escapeHtml(match[0])}</span>`;
    at = match.index + match[0].length;
  }
  return out + escapeHtml(text.slice(at));
}

// Without scripts nothing could be copied, so then it is not shown.
const copyButton = '<button type="button" class="copy scripted">Copy</button>';

/** A block of highlighted code under a small title. */
export function codeBlock(title: string, label: string, painted: string): string {
  return `<figure class="code" aria-label="${escapeHtml(label)}"><figcaption><span>${escapeHtml(title)}</span>${copyButton}</figcaption>
<pre><code>${painted}</code></pre></figure>`;
}

/** The same call in every language, one shown at a time. `id` is the prefix of the ids inside. */
export function sampleBlock(id: string, label: string, samples: Record<Language, string>): string {
  const tabs = languages.map(([language, name], i) => {
    const first = i === 0;
    return `<button type="button" role="tab" id="${id}-${language}-tab" aria-controls="${id}-${language}" aria-selected="${first}" tabindex="${first ? 0 : -1}" data-language="${language}">${name}</button>`;
  });
  const panels = languages.map(
    ([language]) =>
      `<pre class="sample ${language}" role="tabpanel" id="${id}-${language}" aria-labelledby="${id}-${language}-tab"><code>${highlight(samples[language], language)}</code></pre>`,
  );
  return `<figure class="code" aria-label="${escapeHtml(label)}"><figcaption><span class="unscripted">Request</span><span class="tabs scripted" role="tablist" aria-label="Language">${tabs.join('')}</span>${copyButton}</figcaption>
${panels.join('\n')}</figure>`;
}
