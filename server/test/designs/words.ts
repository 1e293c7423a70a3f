// Short ways to write blocks in tests.
import type { Block, BlockContent, ContentSpan, Design, DesignTheme } from '@rapport/contract';

export function p(...spans: (string | ContentSpan)[]): BlockContent[number] {
  return { type: 'paragraph', spans: spans.map(spanOf) };
}
export function bullet(...spans: (string | ContentSpan)[]): BlockContent[number] {
  return { type: 'bullet', spans: spans.map(spanOf) };
}
export function numbered(...spans: (string | ContentSpan)[]): BlockContent[number] {
  return { type: 'number', spans: spans.map(spanOf) };
}
function spanOf(span: string | ContentSpan): ContentSpan {
  return typeof span === 'string' ? { text: span } : span;
}

export function heading(text: string | ContentSpan, level: 1 | 2 | 3 = 1): Block {
  return { type: 'heading', level, content: [p(text)] };
}
export function text(...content: (string | BlockContent[number])[]): Block {
  return { type: 'text', content: content.map((item) => (typeof item === 'string' ? p(item) : item)) };
}
export function button(label: string, href = 'https://example.com/go'): Block & { type: 'button' } {
  return { type: 'button', label, href };
}
export const footer: Block = { type: 'footer', address: 'Example Inc., 1 Long Street, 10115 Berlin' };

/** A design with a footer, so that it can be saved. */
export function design(blocks: readonly Block[], theme?: DesignTheme): Design {
  return { version: 1, ...(theme && { theme }), blocks: [...blocks, footer] };
}
