// Paragraphs, lists and spans.
import type { BlockContent, ContentItem, ContentSpan, TextSpan } from '@rapport/contract';
import { writeAddress } from '../compile/addresses.js';
import { htmlText, shown } from '../compile/liquid.js';
import type { Look } from '../compile/theme.js';
import type { Dyes, Ground } from './dyes.js';

export interface Pen {
  readonly look: Look;
  readonly dyes: Dyes;
}

export function writeLabel(label: string | readonly ContentSpan[], pen: Pen, ground: Ground = 'surface'): string {
  const spans = typeof label === 'string' ? [{ text: label }] : label;
  return spans.map((span) => ('text' in span ? writeText(span, pen, ground) : shown(span, pen.look.lang))).join('');
}

/** Line breaks as typed. */
export function writeLines(text: string): string {
  return htmlText(text).replace(/\r\n?|\n/g, '<br>');
}

function writeText(span: TextSpan, pen: Pen, ground: Ground): string {
  const { bold, italic, underline, strike, color, href } = span;
  let html = writeLines(span.text);
  if (strike) html = `<s>${html}</s>`;
  if (underline) html = `<u>${html}</u>`;
  if (italic) html = `<em>${html}</em>`;
  if (bold) html = `<strong>${html}</strong>`;
  const target = href === undefined ? undefined : writeAddress(href, pen.look.lang, 'html');
  if (target !== undefined) {
    const name = color ? pen.dyes.classOf(color, ground) : 'r-ln';
    const ink = color ?? pen.look.light.link;
    return `<a class="${name}" href="${target}" style="color:${ink};text-decoration:underline">${html}</a>`;
  }
  return color ? `<span class="${pen.dyes.classOf(color, ground)}" style="color:${color}">${html}</span>` : html;
}

/** Blanks at the start of a line or several in a row: HTML would swallow them. The whole line tells, because a span may well begin with one. */
function keepsBlanks({ spans }: ContentItem): boolean {
  const line = spans.map((span) => ('text' in span ? span.text : 'x')).join('');
  return line.trim() !== '' && /[ \t]{2}|\t|(?:^|\n)[ \t]/.test(line);
}

function style(item: ContentItem, margin: string): string {
  return `margin:${margin}${keepsBlanks(item) ? ';white-space:pre-wrap' : ''}`;
}

const tags = { paragraph: '', bullet: 'ul', number: 'ol' } as const;

/** Neighbours of one type are one list. */
function groupsOf(content: BlockContent): { type: ContentItem['type']; items: ContentItem[] }[] {
  const groups: { type: ContentItem['type']; items: ContentItem[] }[] = [];
  for (const item of content) {
    const last = groups.at(-1);
    if (last && last.type === item.type && item.type !== 'paragraph') last.items.push(item);
    else groups.push({ type: item.type, items: [item] });
  }
  return groups;
}

/** `gap`: pixels between paragraphs. */
export function writeContent(content: BlockContent, pen: Pen, gap = 14): string {
  const groups = groupsOf(content);
  return groups
    .map(({ type, items }, i) => {
      const below = i === groups.length - 1 ? '0' : `0 0 ${gap}px`;
      const tag = tags[type];
      if (!tag) {
        const [item] = items as [ContentItem];
        return `<p dir="auto" style="${style(item, below)}">${writeLabel(item.spans, pen) || '&nbsp;'}</p>`;
      }
      const indent = pen.look.dir === 'rtl' ? '0 26px 0 0' : '0 0 0 26px';
      const rows = items.map(
        (item, at) =>
          `<li dir="auto" style="${style(item, at === items.length - 1 ? '0' : '0 0 6px')}">${writeLabel(item.spans, pen)}</li>`,
      );
      return `<${tag} style="margin:${below};padding:${indent}">${rows.join('')}</${tag}>`;
    })
    .join('');
}

/** A heading has no paragraphs or lists in it: its items become lines. */
export function writeHeadingLines(content: BlockContent, pen: Pen): string {
  return content.map(({ spans }) => writeLabel(spans, pen)).join('<br>');
}
