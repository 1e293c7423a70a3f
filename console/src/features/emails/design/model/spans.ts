// Labels and addresses in one line: a variable is written {{name}}, or {{name | default: "text"}}. Pure.
import type { BlockContent, ContentSpan, LinkAddress, VariableSpan } from '@rapport/contract';

type PlainSpan = { readonly text: string } | VariableSpan;

const token = /\{\{\s*([\p{L}_][\p{L}\p{M}\p{N}_.]*)\s*(?:\|\s*default:\s*"([^"]*)"\s*)?\}\}/gu;

export function lineOf(value: string | readonly ContentSpan[] | LinkAddress): string {
  if (typeof value === 'string') return value;
  return value
    .map((span) => {
      if ('text' in span) return span.text;
      return span.default === undefined ? `{{${span.variable}}}` : `{{${span.variable} | default: "${span.default}"}}`;
    })
    .join('');
}

/** A plain text, or spans as soon as there is a variable. */
export function lineToSpans(line: string): string | PlainSpan[] {
  const spans: PlainSpan[] = [];
  let end = 0;
  for (const match of line.matchAll(token)) {
    const [whole, variable = '', fallback] = match;
    if (match.index > end) spans.push({ text: line.slice(end, match.index) });
    spans.push({ variable, ...(fallback === undefined ? {} : { default: fallback }) });
    end = match.index + whole.length;
  }
  if (spans.length === 0) return line;
  if (end < line.length) spans.push({ text: line.slice(end) });
  return spans;
}

/** What it says, for a name or a comparison. */
export function wordsOf(content: BlockContent): string {
  return content.map(({ spans }) => lineOf(spans)).join('\n');
}

/** The label of a button as content, for the editor of text, and back. */
export const labelToContent = (label: string | readonly ContentSpan[]): BlockContent => [
  { type: 'paragraph', spans: typeof label === 'string' ? (label ? [{ text: label }] : []) : label },
];
export function contentToLabel(content: BlockContent): string | readonly ContentSpan[] {
  const spans = content.flatMap(({ spans: own }) => own);
  const [only] = spans;
  if (!only) return '';
  return spans.length === 1 && 'text' in only && Object.keys(only).length === 1 ? only.text : spans;
}
