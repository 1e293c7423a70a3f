// A button: a link with padding, and for Outlook on Windows, which knows no padding there, a shape around it.
import type { ButtonBlock, ContentSpan } from '@rapport/contract';
import { writeAddress } from '../compile/addresses.js';
import { type Pen, writeLabel } from './content.js';

const height = 48;
const sides = 28;
// Pixels of a bold letter of 16 pixels, on average.
const letter = 9;

export function writeButton({ label, href, wide }: ButtonBlock, pen: Pen, room: number): string {
  const { light, font, radius, lang } = pen.look;
  const target = writeAddress(href, lang, 'html');
  const css = [
    `background-color:${light.button};border-radius:${radius}px;box-sizing:border-box;color:${light.buttonText}`,
    `display:inline-block;font-family:${font};font-size:16px;font-weight:600;line-height:20px;max-width:100%`,
    `padding:14px ${sides}px;text-align:center;text-decoration:none;overflow-wrap:anywhere;word-break:break-word`,
    `${wide ? 'width:100%;' : ''}-webkit-text-size-adjust:none`,
  ].join(';');
  const attributes = target === undefined ? '' : ` href="${target}"`;
  const link = `<a class="r-bt"${attributes} style="${css}">${writeLabel(label, pen, 'button') || '&nbsp;'}</a>`;
  const width = wide ? room : Math.min(room, lettersOf(label) * letter + 2 * sides);
  const arc = Math.round((Math.min(radius, height / 2) / height) * 100);
  const shape = `<v:roundrect${attributes} style="height:${height}px;v-text-anchor:middle;width:${width}px" arcsize="${arc}%" stroke="f" fillcolor="${light.button}"><w:anchorlock/><center>`;
  return `<!--[if mso]>${shape}<![endif]-->${link}<!--[if mso]></center></v:roundrect><![endif]-->`;
}

/** How long a label probably is. A variable counts as its default, or a word. */
function lettersOf(label: string | readonly ContentSpan[]): number {
  if (typeof label === 'string') return label.length;
  return label.reduce((sum, span) => sum + ('text' in span ? span.text.length : (span.default?.length ?? 8)), 0);
}
