import { compile, type DomNode, type FormatCallback } from 'html-to-text';

// html-to-text takes quadratic time: 39 s for 262,144 pairs of tags, 0.1 s for as many as these.
const mostTags = 10_000;

/**
 * The plain-text part of a message. A text with more tags than a person would write only loses them. Other texts may take
 * very long, too: run it where it can be terminated.
 */
export function plainText(html: string): string {
  if (countTags(html) > mostTags) return withoutTags(html);
  try {
    return laidOut(html);
  } catch {
    // `<ol type="i" start="10000">`: html-to-text has no such Roman numeral.
    return withoutTags(html);
  }
}

// Made once: reading its rules again took four fifths of the time of each mail (1.1 ms against 0.25 ms for 6 KB).
let layOut: ((html: string) => string) | undefined;

const mark = 'data-rapport-unseen';
// Invisible parts: preheaders, pictures of one pixel. Not elements with a font size of 0, because their children may have another, nor what only
// Outlook hides: layouts (MJML) and buttons are made of those.
const unseen =
  /(?:^|[;"'\s])(?:display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0(?:\.0+)?\s*(?:[;"'!]|$)|max-height\s*:\s*0(?:px)?\s*(?:[;"'!]|$))/i;
const styled = /\bstyle\s*=\s*("[^"]*"|'[^']*')/i;
const isHiddenTag = /\shidden(?=[\s=/>])/i;

/** Marks what is hidden, so that a selector finds it however it is written. Linear. */
function markUnseen(html: string): string {
  return html.replace(/<[a-z][a-z0-9]*(?=[\s/>])[^<>]*>/gi, (tag) => {
    const style = styled.exec(tag)?.[1] ?? '';
    const isUnseen = unseen.test(style) || isHiddenTag.test(tag.replace(/"[^"]*"|'[^']*'/g, ''));
    return isUnseen ? tag.replace(/^<[a-z0-9]+/i, (start) => `${start} ${mark}`) : tag;
  });
}

/** Cells of a row are side by side; one with paragraphs in it is a separate part. */
const cell: FormatCallback = (element, walk, builder) => {
  const children = element.children ?? [];
  if (!hasBlock(children)) {
    walk(children, builder);
    builder.addInline(' ');
    return;
  }
  builder.openBlock({ leadingLineBreaks: 1 });
  walk(children, builder);
  builder.closeBlock({ trailingLineBreaks: 1 });
};

const blockTags = new Set(
  'address article blockquote br div dl figure footer form h1 h2 h3 h4 h5 h6 header hr li main ol p pre section table ul'.split(
    ' ',
  ),
);

function hasBlock(nodes: readonly DomNode[]): boolean {
  return nodes.some(({ name, children }) => (name !== undefined && blockTags.has(name)) || hasBlock(children ?? []));
}

/** A picture becomes its alternative text. */
const picture: FormatCallback = (element, _walk, builder) => {
  const alt = element.attribs?.alt?.trim();
  if (alt) builder.addInline(alt);
};

function laidOut(html: string): string {
  layOut ??= compile({
    wordwrap: 78,
    limits: { maxDepth: 200 },
    formatters: { cell, picture },
    selectors: [
      { selector: `[${mark}]`, format: 'skip' },
      { selector: 'img', format: 'picture' },
      { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
      { selector: 'td', format: 'cell' },
      { selector: 'th', format: 'cell' },
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true } },
      // Headings stay as they are, without upper case.
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    ],
  });
  // Rows and cells without words leave lines behind.
  return layOut(markUnseen(html)).replace(/\n{3,}/g, '\n\n');
}

function countTags(html: string): number {
  let count = 0;
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) count++;
  return count;
}

// Blocks without text, then any tag. Each is searched to its end once, and when there is none, no more: linear.
const blocks = new Map([
  ['<script', '</script>'],
  ['<style', '</style>'],
  ['<!--', '-->'],
  ['<', '>'],
]);
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/** Only the words, in linear time. */
export function withoutTags(html: string): string {
  const open = new Map(blocks);
  const parts: string[] = [];
  let at = 0;
  while (at < html.length) {
    const tag = html.indexOf('<', at);
    if (tag < 0) break;
    parts.push(html.slice(at, tag));
    at = endOf(html, tag, open);
  }
  parts.push(html.slice(at));
  const text = parts.join(' ').replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] as string);
  return text.replace(/\s+/g, ' ').trim();
}

function endOf(html: string, tag: number, open: Map<string, string>): number {
  for (const [opener, closer] of open) {
    if (html.slice(tag, tag + opener.length).toLowerCase() !== opener) continue;
    const end = html.indexOf(closer, tag + opener.length);
    if (end >= 0) return end + closer.length;
    open.delete(opener);
  }
  return html.length;
}
