// Texts with forms and variables, as translators get them: `Hello <1/>, <2>good</2> to see you`. The numbers are those of the spans of the source; a
// translation may put them in another order. `<` and `&` of the text itself are written `&lt;` and `&amp;`.
import type { ContentSpan } from '@rapport/contract';
import type { DesignText } from '../../designs/index.js';

/** A piece of such a text. */
export type Piece =
  | { kind: 'text'; text: string }
  | { kind: 'open' | 'close'; code: number }
  | { kind: 'alone'; code: number };

/** Undefined: it has something that the source has not. */
export function writeText(text: DesignText, source: DesignText = text): string | undefined {
  if (typeof text === 'string') return typeof source === 'string' ? text : escaped(text);
  if (typeof source === 'string') return undefined;
  const codes = new Map<string, number[]>();
  source.forEach((span, i) => {
    codes.set(formOf(span), [...(codes.get(formOf(span)) ?? []), i + 1]);
  });
  let written = '';
  for (const span of text) {
    const form = formOf(span);
    if ('text' in span && form === plain) {
      written += escaped(span.text);
      continue;
    }
    const [code, ...others] = codes.get(form) ?? [];
    if (code === undefined) return undefined;
    // Spans of one form come in their order; the last one may come again.
    if (others.length > 0) codes.set(form, others);
    written += 'text' in span ? `<${code}>${escaped(span.text)}</${code}>` : `<${code}/>`;
  }
  return written;
}

const plain = '{}';

/** All of a span but its text. */
function formOf(span: ContentSpan): string {
  if (!('text' in span)) return JSON.stringify(span);
  const { text, ...form } = span;
  return JSON.stringify(form);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

const signs = /<(\d{1,4})>|<\/(\d{1,4})>|<(\d{1,4})\/>|&lt;|&amp;/g;

export function piecesOf(written: string): Piece[] {
  const pieces: Piece[] = [];
  const put = (text: string) => {
    const last = pieces.at(-1);
    if (last?.kind === 'text') last.text += text;
    else if (text !== '') pieces.push({ kind: 'text', text });
  };
  let at = 0;
  for (const { 0: sign, 1: open, 2: close, 3: alone, index } of written.matchAll(signs)) {
    put(written.slice(at, index));
    at = index + sign.length;
    if (open) pieces.push({ kind: 'open', code: Number(open) });
    else if (close) pieces.push({ kind: 'close', code: Number(close) });
    else if (alone) pieces.push({ kind: 'alone', code: Number(alone) });
    else put(sign === '&lt;' ? '<' : '&');
  }
  put(written.slice(at));
  return pieces;
}

/** The spans of a translation, or what is wrong with it. */
export function readText(written: string, source: DesignText): { text: DesignText } | { fault: string } {
  if (typeof source === 'string') return { text: written };
  const spans: ContentSpan[] = [];
  let open: number | undefined;
  for (const piece of piecesOf(written)) {
    const span = piece.kind === 'text' ? undefined : source[piece.code - 1];
    if (piece.kind === 'text') {
      const form = open === undefined ? {} : source[open - 1];
      spans.push({ ...form, text: piece.text } as ContentSpan);
    } else if (piece.kind === 'alone') {
      if (!span || 'text' in span) return { fault: `has <${piece.code}/>, which is no variable of the source` };
      if (open !== undefined) return { fault: `has <${piece.code}/> inside <${open}>` };
      spans.push(span);
    } else if (piece.kind === 'open') {
      if (!span || !('text' in span)) return { fault: `has <${piece.code}>, which is no part of the source` };
      if (open !== undefined) return { fault: `has <${piece.code}> inside <${open}>` };
      open = piece.code;
    } else {
      if (open !== piece.code) return { fault: `has </${piece.code}> where none is open` };
      open = undefined;
    }
  }
  return open === undefined ? { text: spans } : { fault: `has <${open}> that does not end` };
}
