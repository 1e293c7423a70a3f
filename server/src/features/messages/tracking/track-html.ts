// Rewrites the links of a rendered mail to lead here first, and adds the picture that reports an open.
import { decodeHTMLAttribute } from 'entities';
import { type LinkMaker, mostUrlBytes } from './tokens.js';
import { type Tag, walkTags } from './walk-tags.js';

/** `data-rapport-track="off"` leaves a link alone. The attribute itself is removed. */
const optOut = 'data-rapport-track';

interface Tracked {
  html: string;
  /** The distinct links that every reader sees, by number. Those that only Outlook shows have the numbers after. */
  links: string[];
}

/**
 * Rewrites what people can follow: http and https links in `a` and `area`, and in the shapes that Outlook draws buttons with. All
 * other bytes stay as they are.
 */
export function trackHtml(html: string, links: LinkMaker): Tracked {
  const { finds, pixelAt } = findLinks(html, Object.values(links.links()).filter(Boolean));
  const seen = distinct(finds.filter(({ isConditional }) => !isConditional));
  const addresses = new Map<string, string>();
  for (const url of new Set([...seen, ...distinct(finds)]))
    addresses.set(url, escapeAttribute(links.click(addresses.size, url)));
  const edits = finds.map(({ from, to, url }) => ({ from, to, text: url === null ? '' : (addresses.get(url) ?? '') }));
  const pixel = `<img src="${escapeAttribute(links.open())}" alt="" width="1" height="1" style="border:0">`;
  const after = edits.findIndex(({ from }) => from >= pixelAt);
  edits.splice(after < 0 ? edits.length : after, 0, { from: pixelAt, to: pixelAt, text: pixel });
  return { html: edited(html, edits), links: seen };
}

/** A part of the text to replace: the target of a link, or an attribute to remove (`url: null`). */
interface Find {
  from: number;
  to: number;
  url: string | null;
  isConditional: boolean;
}

/** In order. The picture goes before the end of the body, or else at the end, but not inside an unclosed element. */
function findLinks(html: string, own: readonly string[]): { finds: Find[]; pixelAt: number } {
  const finds: Find[] = [];
  let bodyEnd: number | undefined;
  const end = walkTags(html, {
    wants: (name) => name === 'a' || name === 'area' || name === 'body' || name.startsWith('v:'),
    visit: (tag) => {
      if (tag.name === 'body') {
        if (tag.isEnd && !tag.isConditional) bodyEnd = tag.from;
      } else if (!tag.isEnd && (tag.isConditional || !tag.name.startsWith('v:')))
        for (const find of findIn(html, tag, own)) finds.push(find);
    },
  });
  return { finds, pixelAt: bodyEnd ?? end };
}

function findIn(html: string, { attributes, isConditional }: Tag, own: readonly string[]): Find[] {
  const read = ({ valueFrom, valueTo }: Tag['attributes'][number]) => html.slice(valueFrom, valueTo);
  // If an attribute occurs twice, the first counts.
  const href = attributes.find(({ name }) => name === 'href');
  const marks = attributes.filter(({ name }) => name === optOut);
  const finds: Find[] = marks.map((mark) => ({ ...roomOf(html, mark), url: null, isConditional }));
  const isOff = marks[0] !== undefined && read(marks[0]).trim().toLowerCase() === 'off';
  if (!href || isOff) return finds;
  // Directly before `>`, a URL that ends in two hyphens would end the comment.
  if (isConditional && !href.isQuoted) return finds;
  const url = urlOf(read(href));
  if (url === undefined || own.some((link) => url.startsWith(link))) return finds;
  finds.push({ from: href.valueFrom, to: href.valueTo, url, isConditional });
  return finds.sort((a, b) => a.from - b.from);
}

/** An attribute and the space before it, unless removing both would join its neighbours. */
function roomOf(html: string, { from, to }: { from: number; to: number }): { from: number; to: number } {
  if (!/[\s>]/.test(html.charAt(to))) return { from, to };
  let start = from;
  while (/\s/.test(html.charAt(start - 1))) start--;
  return { from: start, to };
}

/** Where a link leads, as a browser reads it; undefined if it is not a web link, or too long to put into a token. */
function urlOf(value: string): string | undefined {
  const decoded = value.includes('&') ? decodeHTMLAttribute(value) : value;
  const url = trimmed(decoded).replace(/[\t\n\r]+/g, '');
  if (!/^https?:\/\//i.test(url) || !url.isWellFormed() || url.includes('\0')) return undefined;
  return Buffer.byteLength(url) <= mostUrlBytes && URL.canParse(url) ? url : undefined;
}

/** Trimmed as browsers do: controls and spaces, but no other whitespace. */
function trimmed(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && text.charCodeAt(from) <= 0x20) from++;
  while (to > from && text.charCodeAt(to - 1) <= 0x20) to--;
  return text.slice(from, to);
}

function distinct(finds: readonly Find[]): string[] {
  return [...new Set(finds.flatMap(({ url }) => url ?? []))];
}

/** In the order of the text. */
export interface Edit {
  from: number;
  to: number;
  text: string;
}

export function edited(html: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { from, to, text } of edits) {
    parts.push(html.slice(at, from), text);
    at = to;
  }
  return parts.join('') + html.slice(at);
}

/** For unquoted values, too. */
export function escapeAttribute(text: string): string {
  return text.replace(/[&<>"'\s`=]/g, (character) => `&#${character.charCodeAt(0)};`);
}
