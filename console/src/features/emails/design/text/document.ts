// Content of a block as a document of the text editor, and back. Pure.
import type { BlockContent, ContentItem, ContentSpan, TextSpan } from '@rapport/contract';
import type { JSONContent } from '@tiptap/core';

type Mark = NonNullable<JSONContent['marks']>[number];
const flags = ['bold', 'italic', 'underline', 'strike'] as const;

function marksOf({ color, href, ...span }: TextSpan): Mark[] {
  return [
    ...flags.filter((flag) => span[flag]).map((type) => ({ type })),
    ...(color === undefined ? [] : [{ type: 'color', attrs: { color } }]),
    ...(href === undefined ? [] : [{ type: 'link', attrs: { href } }]),
  ];
}

function nodesOf(span: ContentSpan): JSONContent[] {
  if (!('text' in span)) {
    const { variable, default: fallback = null, format = null } = span;
    return [{ type: 'variable', attrs: { variable, fallback, format } }];
  }
  const marks = marksOf(span);
  return span.text
    .split(/(\r\n?|\n)/)
    .filter((part) => part !== '')
    .map((part) => (/^[\r\n]/.test(part) ? { type: 'lineBreak', marks } : { type: 'text', text: part, marks }));
}

export function documentOf(content: BlockContent): JSONContent {
  const items: readonly ContentItem[] = content.length > 0 ? content : [{ type: 'paragraph', spans: [] }];
  return {
    type: 'doc',
    content: items.map(({ type, spans }) => ({
      type: 'paragraph',
      attrs: { kind: type },
      content: spans.flatMap(nodesOf),
    })),
  };
}

function spanOf({ type, text, attrs, marks = [] }: JSONContent): ContentSpan {
  if (type === 'variable') {
    const { variable, fallback, format } = attrs as { variable: string; fallback: string | null; format: null };
    return { variable, ...(fallback === null ? {} : { default: fallback }), ...(format === null ? {} : { format }) };
  }
  const span: Record<string, unknown> = { text: type === 'lineBreak' ? '\n' : (text ?? '') };
  for (const mark of marks) {
    if (mark.type === 'link') span.href = mark.attrs?.href;
    else if (mark.type === 'color') span.color = mark.attrs?.color;
    else span[mark.type] = true;
  }
  return span as unknown as TextSpan;
}

const styleOf = (span: ContentSpan) =>
  'text' in span ? JSON.stringify(Object.entries({ ...span, text: '' }).sort()) : '';

/** Neighbours that look the same are one span. */
function joined(spans: readonly ContentSpan[]): ContentSpan[] {
  const all: ContentSpan[] = [];
  for (const span of spans) {
    const last = all.at(-1);
    if (last && 'text' in last && 'text' in span && styleOf(last) === styleOf(span))
      all[all.length - 1] = { ...last, text: last.text + span.text };
    else all.push(span);
  }
  return all;
}

export function contentOf({ content = [] }: JSONContent): BlockContent {
  return content.map(({ attrs, content: nodes = [] }) => ({
    type: (attrs?.kind ?? 'paragraph') as ContentItem['type'],
    spans: joined(nodes.map(spanOf)),
  }));
}
