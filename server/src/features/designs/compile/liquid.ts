// How a design's variables and conditions are written in Liquid, and how its texts are kept from being read as Liquid.
import { designLimits, type VariableSpan } from '@rapport/contract';

/** Raise it when the same design compiles to another result. */
export const compilerVersion = 2;

/** The tags that templates of designs use besides those of Liquid. The template engine has them. */
export const designTags = { audience: 'audience', publicTopics: 'publictopics', each: 'each', plain: 'plain' } as const;
export const mostRounds = designLimits.rounds;

export type Output = 'html' | 'text';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // So that `{{` and `{%` stay what a person typed.
  '{': '&#123;',
  '}': '&#125;',
};

/** A person's text in HTML, in an attribute too. */
export function htmlText(text: string): string {
  return text.replace(/[&<>"'{}]/g, (char) => entities[char] as string);
}

/** A person's text in a template whose output is not HTML. */
export function plainLiteral(text: string): string {
  return text.replace(/\{(?=[{%]|$)/g, '{{ "\\u007b" }}');
}

export function literal(text: string, output: Output): string {
  return output === 'html' ? htmlText(text) : plainLiteral(text);
}

/** A text in quotes, of letters that mean nothing to Liquid or HTML. */
function quoted(text: string): string {
  const safe = text.replace(/[^\p{L}\p{N}\p{P}\p{S}\p{M} ]|["'\\{}%<>&]/gu, (char) =>
    [...Array(char.length).keys()].map((i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  );
  return `"${safe}"`;
}

/** `data.order.total` as Liquid reads it. A key that is no plain name is quoted. */
export function pathOf(path: string): string {
  const [name, ...keys] = path.split('.');
  return name + keys.map((key) => (/^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${quoted(key)}]`)).join('');
}

/** A variable where it is shown. The engine escapes it in HTML. */
export function shown(span: VariableSpan, lang: string): string {
  return `{{ ${expression(span, lang)} }}`;
}

/** A variable inside an address. */
export function shownInAddress(span: VariableSpan, lang: string): string {
  return `{{ ${expression(span, lang)} | url_part }}`;
}

function expression({ variable, default: other, format }: VariableSpan, lang: string): string {
  const fallback = other === undefined || other === '' ? '' : ` | default: ${quoted(other)}, allow_false: true`;
  return `${pathOf(variable)}${fallback}${format ? ` | ${filterOf(format, lang)}` : ''}`;
}

function filterOf(format: NonNullable<VariableSpan['format']>, lang: string): string {
  switch (format) {
    case 'upper':
      return 'upcase';
    case 'lower':
      return 'downcase';
    case 'capitalize':
      return 'capitalize';
    case 'number':
      return `say_number: ${quoted(lang)}`;
    case 'date':
      return `say_date: ${quoted(lang)}`;
  }
}

/** The filter of a condition as written in a tag: JSON in which no text can end the tag, or looks like Liquid or HTML. */
export function conditionOf(filter: unknown): string {
  return JSON.stringify(filter).replace(/"(?:[^"\\]|\\.)*"/g, (text) =>
    text.replace(/[{}%<>&\u2028\u2029]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`),
  );
}

export function tag(name: string, rest = ''): string {
  return `{% ${name}${rest && ` ${rest}`} %}`;
}
