// Blocks as rows of a table. The layout holds without a style sheet; the classes add dark mode and tighter margins on a phone.
import {
  type Alignment,
  type ButtonBlock,
  designLimits,
  type FooterBlock,
  type HeadingBlock,
  type HtmlBlock,
  type ImageBlock,
  type SocialBlock,
  socialNetworks,
  type TextBlock,
} from '@rapport/contract';
import { writeAddress } from '../compile/addresses.js';
import type { LeafBlock } from '../compile/expand.js';
import { footerWordsIn } from '../compile/footer-words.js';
import { designTags, htmlText, tag } from '../compile/liquid.js';
import { writeButton } from './button.js';
import { type Pen, writeContent, writeHeadingLines, writeLines } from './content.js';

interface KnownFile {
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly bytes: number;
}
export type KnownFiles = Readonly<Record<string, KnownFile | null>>;

/** Where a block is drawn. */
export interface Room {
  /** Pixels between the margins. */
  readonly width: number;
  /** Pixels of margin at each side. */
  readonly side: number;
  readonly isColumn: boolean;
}
export interface Artist extends Pen {
  readonly files: KnownFiles;
}

/** No word is wider than the room it has. */
export const unbroken = 'overflow-wrap:anywhere;word-break:break-word';
export const layoutTable = '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';

interface Cell {
  readonly above: number;
  readonly below: number;
  readonly align?: Alignment | undefined;
  readonly classes?: string;
  readonly style?: string;
}

function row({ side, isColumn }: Room, html: string, { above, below, align, classes = '', style = '' }: Cell): string {
  const names = [isColumn ? '' : 'r-px', classes].filter(Boolean).join(' ');
  const aligned = align ? ` align="${align}"` : '';
  const css = `padding:${above}px ${side}px ${below}px${align ? `;text-align:${align}` : ''}${style && `;${style}`}`;
  return `<tr><td${names && ` class="${names}"`}${aligned} style="${css}">${html}</td></tr>`;
}

function type({ look }: Pen, size: number, height: number, colour = look.light.text): string {
  return `font-family:${look.font};font-size:${size}px;line-height:${height}px;color:${colour};${unbroken}`;
}

export function writeLeaf(block: LeafBlock, artist: Artist, room: Room): string {
  switch (block.type) {
    case 'heading':
      return heading(block, artist, room);
    case 'text':
      return text(block, artist, room);
    case 'button':
      return button(block, artist, room);
    case 'image':
      return image(block, artist, room);
    case 'divider':
      return divider(block.height ?? designLimits.height.divider, artist, room);
    case 'spacer':
      return spacer(block.height ?? designLimits.height.spacer);
    case 'social':
      return social(block, artist, room);
    case 'html':
      return html(block, artist, room);
    case 'footer':
      return footer(block, artist, room);
  }
}

const headings = {
  1: { size: 30, height: 38, above: 12, below: 8, spacing: '-0.4px' },
  2: { size: 22, height: 30, above: 14, below: 4, spacing: '-0.2px' },
  3: { size: 18, height: 26, above: 12, below: 2, spacing: '0' },
} as const;

function heading({ level, content, align }: HeadingBlock, artist: Artist, room: Room): string {
  const { size, height, above, below, spacing } = headings[level];
  const css = `margin:0;font-size:${size}px;line-height:${height}px;font-weight:700;letter-spacing:${spacing};mso-line-height-rule:exactly`;
  const title = `<h${level} dir="auto" style="${css}">${writeHeadingLines(content, artist)}</h${level}>`;
  return row(room, title, { above, below, align, classes: 'r-tx', style: type(artist, size, height) });
}

function text({ content, align, size = designLimits.textSize.usual }: TextBlock, artist: Artist, room: Room): string {
  const style = type(artist, size, Math.round(size * 1.6));
  return row(room, writeContent(content, artist), { above: 8, below: 8, align, classes: 'r-tx', style });
}

function button(block: ButtonBlock, artist: Artist, room: Room): string {
  const { align } = block;
  return row(room, writeButton(block, artist, room.width), { above: 12, below: 12, align });
}

function image({ src, alt, href, width, align = 'center' }: ImageBlock, artist: Artist, room: Room): string {
  const file = Object.hasOwn(artist.files, src) ? artist.files[src] : undefined;
  // A small picture is not blown up, also where a column is wider on a phone.
  const most = !width && file ? `${file.width}px` : '100%';
  const pixels = Math.max(
    1,
    Math.round(width ? (room.width * width) / 100 : Math.min(room.width, file?.width ?? room.width)),
  );
  const css = `border:0;display:inline-block;vertical-align:top;width:${width ?? 100}%;max-width:${most};height:auto;font-size:14px;line-height:20px`;
  const picture = `<img src="${htmlText(file?.url ?? src)}" alt="${htmlText(alt)}" width="${pixels}" style="${css}">`;
  const target = href === undefined ? undefined : writeAddress(href, artist.look.lang, 'html');
  const linked =
    target === undefined
      ? picture
      : `<a class="r-tx" href="${target}" style="color:${artist.look.light.text};text-decoration:none">${picture}</a>`;
  const style = type(artist, 14, 20);
  return row(room, linked, { above: 10, below: 10, align, classes: 'r-tx', style });
}

function divider(height: number, { look }: Artist, room: Room): string {
  const above = Math.floor((height - 1) / 2);
  const line = `${layoutTable} style="table-layout:fixed"><tr><td class="r-hr" height="1" style="border-top:1px solid ${look.light.line};font-size:0;line-height:0">&nbsp;</td></tr></table>`;
  return row(room, line, { above, below: height - 1 - above, style: 'font-size:0;line-height:0' });
}

function spacer(height: number): string {
  return `<tr><td height="${height}" style="height:${height}px;font-size:0;line-height:${height}px">&nbsp;</td></tr>`;
}

function social({ links }: SocialBlock, artist: Artist, room: Room): string {
  const { light, font, lang } = artist.look;
  const css = `border:1px solid ${light.line};border-radius:16px;color:${light.muted};display:inline-block;font-family:${font};font-size:13px;line-height:20px;margin:4px 3px;padding:5px 13px;text-decoration:none`;
  const pills = links.map(({ network, href }) => {
    const target = writeAddress(href, lang, 'html');
    return `<a class="r-mu r-hr"${target === undefined ? '' : ` href="${target}"`} style="${css}">${socialNetworks[network]}</a>`;
  });
  return row(room, pills.join(' '), {
    above: 10,
    below: 10,
    align: 'center',
    style: type(artist, 13, 20, light.muted),
  });
}

function html({ html: own }: HtmlBlock, artist: Artist, room: Room): string {
  return row(room, own, { above: 8, below: 8, classes: 'r-tx', style: type(artist, 16, 26) });
}

function footer({ address, content = [] }: FooterBlock, artist: Artist, room: Room): string {
  const { light, lang } = artist.look;
  const { unsubscribe, preferences } = footerWordsIn(lang);
  const link = (url: string, words: string) =>
    `<a class="r-mu" href="{{${url}}}" style="color:${light.muted};text-decoration:underline">${words}</a>`;
  const { publicTopics } = designTags;
  const choices = `${link('unsubscribe_url', unsubscribe)}${tag(publicTopics)} &nbsp;·&nbsp; ${link('preferences_url', preferences)}${tag(`end${publicTopics}`)}`;
  const parts = [
    content.length > 0
      ? `${writeContent(content, artist, 8)}<p style="margin:0;font-size:8px;line-height:8px">&nbsp;</p>`
      : '',
    `<p dir="auto" style="margin:0 0 8px">${writeLines(address)}</p>`,
    `<p style="margin:0">${choices}</p>`,
  ];
  const style = type(artist, 13, 20, light.muted);
  return row(room, parts.join(''), { above: 20, below: 12, align: 'center', classes: 'r-mu', style });
}
