// What is pasted from Word, Google Docs and web pages, as blocks: headings, paragraphs, lists, links and styles of text. Everything else is left out.
import type { Block, BlockContent, ContentItem, ContentSpan, TextSpan } from '@rapport/contract';
import { linkSchemes } from '@rapport/contract';

type Styles = Omit<TextSpan, 'text'>;
type Kind = ContentItem['type'];

/** What follows one another in a text: lines of a kind, or a heading, or a rule. */
type Piece =
  | { kind: Kind; spans: ContentSpan[] }
  | { kind: 'heading'; level: 1 | 2 | 3; spans: ContentSpan[] }
  | { kind: 'rule' };

const ignored = new Set(
  'SCRIPT STYLE HEAD TITLE META LINK TEMPLATE NOSCRIPT IFRAME OBJECT SVG SELECT BUTTON INPUT TEXTAREA'.split(' '),
);
const lines = new Set(
  'P DIV LI UL OL TABLE TR TD TH TBODY THEAD TFOOT BLOCKQUOTE PRE SECTION ARTICLE HEADER FOOTER MAIN NAV ASIDE DL DT DD FIGURE FIGCAPTION ADDRESS FORM'.split(
    ' ',
  ),
);
const safeLink = new RegExp(`^(?:${linkSchemes.join('|')}):`, 'i');

/** The page's policy refuses styles and handlers in what is read, too, and says so for each. They come as attributes that mean nothing. */
export function withoutStyles(html: string): string {
  return html
    .replaceAll(/<(\/?)style\b/gi, '<$1template')
    .replaceAll(/<[a-z][^<>]*/gi, (tag) => tag.replaceAll(/([\s"'])(style|on[a-z]+)(?=\s*=)/gi, '$1data-$2'));
}

export function blocksOfHtml(html: string): Block[] {
  const { body } = new DOMParser().parseFromString(withoutStyles(html), 'text/html');
  const pieces: Piece[] = [];
  let open: Extract<Piece, { spans: ContentSpan[] }> | undefined;
  const end = () => {
    const spans = open ? trimmed(open.spans) : [];
    if (open && spans.length > 0) pieces.push({ ...open, spans });
    open = undefined;
  };
  const begin = (piece: Extract<Piece, { spans: ContentSpan[] }>) => {
    end();
    open = piece;
  };

  const read = (node: Node, styles: Styles, kind: Kind): void => {
    if (node.nodeType === 3) {
      const text = (node.textContent ?? '').replace(/[\s\u00a0]+/g, ' ');
      if (text === '') return;
      if (!open && text.trim() === '') return;
      open ??= { kind, spans: [] };
      open.spans.push({ text, ...styles });
      return;
    }
    if (node.nodeType !== 1) return;
    const element = node as HTMLElement;
    const { tagName } = element;
    // Word writes the bullet itself, as text.
    if (ignored.has(tagName) || /mso-list:\s*ignore/i.test(styleOf(element))) return;
    if (tagName === 'BR') {
      open?.spans.push({ text: '\n', ...styles });
      return;
    }
    if (tagName === 'HR') {
      end();
      pieces.push({ kind: 'rule' });
      return;
    }
    const inner = stylesOf(element, styles);
    const heading = headingOf(element);
    if (heading) {
      begin({ kind: 'heading', level: heading, spans: [] });
      for (const child of element.childNodes) readInline(child, { ...inner, bold: false });
      end();
      return;
    }
    const own = kindOf(element, kind);
    const isLine = lines.has(tagName);
    if (isLine) end();
    for (const child of element.childNodes) read(child, inner, own);
    if (isLine) end();
  };
  const readInline = (node: Node, styles: Styles) => read(node, styles, 'paragraph');

  for (const child of body.childNodes) read(child, {}, 'paragraph');
  end();
  return blocksOf(pieces);
}

const styleOf = (element: Element) => element.getAttribute('data-style') ?? '';

function headingOf(element: Element): 1 | 2 | 3 | undefined {
  const tag = /^H([1-6])$/.exec(element.tagName)?.[1];
  // Word: <p class=MsoHeading1>, or MsoTitle.
  const named = /\bMso(?:Heading(\d)|Title)\b/.exec(element.className);
  const level = tag ?? (named && (named[1] ?? '1'));
  return level ? (Math.min(3, Number(level)) as 1 | 2 | 3) : undefined;
}

function kindOf(element: Element, kind: Kind): Kind {
  if (element.tagName === 'UL') return 'bullet';
  if (element.tagName === 'OL') return 'number';
  if (element.tagName === 'LI') return element.closest('ol, ul')?.tagName === 'OL' ? 'number' : 'bullet';
  const isWordItem = element.tagName === 'P' && /mso-list:(?!\s*(?:ignore|none))/i.test(styleOf(element));
  if (!isWordItem) return kind;
  const mark = element.querySelector('[data-style*="mso-list" i]')?.textContent ?? '';
  return /^\s*(?:\d+|[a-z])[.)]/i.test(mark) ? 'number' : 'bullet';
}

function stylesOf(element: HTMLElement, outer: Styles): Styles {
  const styles: Record<string, unknown> = { ...outer };
  const { tagName } = element;
  const css = styleOf(element);
  const weight = /font-weight:\s*(\w+)/i.exec(css)?.[1];
  // Google Docs wraps everything in <b style="font-weight:normal">.
  if (weight) styles.bold = weight === 'bold' || Number(weight) >= 600;
  else if (tagName === 'B' || tagName === 'STRONG') styles.bold = true;
  const slant = /font-style:\s*(\w+)/i.exec(css)?.[1];
  if (slant) styles.italic = slant === 'italic';
  else if (tagName === 'I' || tagName === 'EM') styles.italic = true;
  if (tagName === 'U' || /text-decoration[^;]*underline/i.test(css)) styles.underline = true;
  if (['S', 'DEL', 'STRIKE'].includes(tagName) || /text-decoration[^;]*line-through/i.test(css)) styles.strike = true;
  const href = tagName === 'A' ? (element.getAttribute('href') ?? '').trim() : '';
  if (safeLink.test(href)) {
    styles.href = href;
    // Links are underlined anyway.
    delete styles.underline;
  } else if (styles.href) delete styles.underline;
  return Object.fromEntries(Object.entries(styles).filter(([, value]) => value)) as Styles;
}

/** Without blanks at its ends and around breaks, and neighbours that look the same in one. */
function trimmed(spans: readonly ContentSpan[]): ContentSpan[] {
  const all: TextSpan[] = [];
  for (const span of spans as TextSpan[]) {
    const { text, ...styles } = Object.fromEntries(
      Object.entries(span).filter(([, value]) => value !== false),
    ) as unknown as TextSpan;
    const last = all.at(-1);
    const isAtStart = !last || /[\s]$/.test(last.text);
    const own = isAtStart && text !== '\n' ? text.replace(/^ +/, '') : text;
    if (own === '') continue;
    const { text: _, ...before } = last ?? { text: '' };
    if (last && JSON.stringify(before) === JSON.stringify(styles))
      all[all.length - 1] = { ...last, text: last.text + own };
    else all.push({ text: own, ...styles });
  }
  for (let last = all.pop(); last; last = all.pop()) {
    const text = last.text.replace(/\s+$/, '');
    if (text === '') continue;
    all.push({ ...last, text });
    break;
  }
  return all;
}

function blocksOf(pieces: readonly Piece[]): Block[] {
  const blocks: Block[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'rule') blocks.push({ type: 'divider' });
    else if (piece.kind === 'heading')
      blocks.push({ type: 'heading', level: piece.level, content: [{ type: 'paragraph', spans: piece.spans }] });
    else {
      const item: ContentItem = { type: piece.kind, spans: piece.spans };
      const last = blocks.at(-1);
      if (last?.type === 'text') blocks[blocks.length - 1] = { ...last, content: [...last.content, item] };
      else blocks.push({ type: 'text', content: [item] });
    }
  }
  return blocks;
}

/** All of it as lines of text: for a place that holds no other blocks. */
export function contentOfBlocks(blocks: readonly Block[]): BlockContent {
  return blocks.flatMap((block) => (block.type === 'text' || block.type === 'heading' ? block.content : []));
}
