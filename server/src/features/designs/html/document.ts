// The document around the blocks: head, style sheet, the page and the sheet on it.
import type { Item } from '../compile/expand.js';
import type { Look, Palette } from '../compile/theme.js';
import { type Artist, type KnownFiles, layoutTable, unbroken } from './blocks.js';
import { Dyes } from './dyes.js';
import { writeItems } from './layout.js';

/** Pixels of margin beside the blocks, and on a phone. */
const side = 32;
const phoneSide = 20;

export function writeDocument(items: readonly Item[], look: Look, files: KnownFiles): string {
  const artist: Artist = { look, files, dyes: new Dyes(look) };
  const room = { width: look.width - 2 * side, side, isColumn: false };
  const rows = writeItems(items, artist, room);
  const { light, lang, dir, width, radius, font } = look;
  const card = `${layoutTable} class="r-sf" style="table-layout:fixed;width:100%;background-color:${light.surface};border-radius:${radius}px"><tr><td style="padding:24px 0">${layoutTable} style="table-layout:fixed;width:100%">${rows}</table></td></tr></table>`;
  const ghost = `<!--[if mso]><table role="presentation" width="${width}" align="center" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->`;
  const page = `${layoutTable} class="r-bg" style="table-layout:fixed;width:100%;background-color:${light.background}"><tr><td class="r-out" align="center" style="padding:32px 0">${ghost}<div style="max-width:${width}px;margin:0 auto;text-align:${dir === 'rtl' ? 'right' : 'left'}">${card}</div><!--[if mso]></td></tr></table><![endif]--></td></tr></table>`;
  return [
    '<!doctype html>',
    `<html lang="${lang}" dir="${dir}" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word">`,
    head(look, artist.dyes),
    `<body class="r-bg" style="margin:0;padding:0;background-color:${light.background};-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%;${unbroken}">`,
    `<div role="article" aria-roledescription="email" lang="${lang}" dir="${dir}" style="font-family:${font};font-size:16px;line-height:26px">${page}</div>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

function head(look: Look, dyes: Dyes): string {
  return [
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width,initial-scale=1">',
    '<meta name="x-apple-disable-message-reformatting">',
    '<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="supported-color-schemes" content="light dark">',
    '<title></title>',
    `<!--[if mso]><xml><o:OfficeDocumentSettings><o:AllowPNG/><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml><style>table{border-collapse:collapse}td,p,a,li,h1,h2,h3{font-family:${look.font.split(',').find((name) => !/^-|Roboto|Segoe/.test(name)) ?? 'Arial'},sans-serif}</style><![endif]-->`,
    `<style>${styleSheet(look, dyes)}</style>`,
    '</head>',
  ].join('\n');
}

function styleSheet(look: Look, dyes: Dyes): string {
  const dark = darkRules(look.dark, dyes);
  return [
    ':root{color-scheme:light dark;supported-color-schemes:light dark}',
    'img{max-width:100%}',
    'a.r-bt:hover{filter:brightness(1.08)}',
    // Phones, whatever the width of the email is.
    `@media (max-width:480px){.r-px{padding-left:${phoneSide}px!important;padding-right:${phoneSide}px!important}.r-pc{padding-left:${phoneSide - 8}px!important;padding-right:${phoneSide - 8}px!important}.r-out{padding-top:0!important;padding-bottom:0!important}.r-sf{border-radius:0!important}.r-col{display:block!important;width:100%!important;min-width:100%!important}}`,
    `@media (prefers-color-scheme:dark){${dark.map(({ on, rule }) => `.${on}${rule}`).join('')}}`,
    // Outlook on phones and on the web.
    ...dark.map(({ on, rule, mark }) => `[data-${mark}] .${on}${rule}`),
  ].join('\n');
}

interface DarkRule {
  readonly on: string;
  readonly rule: string;
  /** What Outlook marks: changed text colours or changed backgrounds. */
  readonly mark: 'ogsc' | 'ogsb';
}

function darkRules(dark: Palette, dyes: Dyes): DarkRule[] {
  const ink = (on: string, colour: string): DarkRule => ({ on, rule: `{color:${colour}!important}`, mark: 'ogsc' });
  const ground = (on: string, colour: string): DarkRule => ({
    on,
    rule: `{background-color:${colour}!important}`,
    mark: 'ogsb',
  });
  return [
    ground('r-bg', dark.background),
    ground('r-sf', dark.surface),
    ground('r-bt', dark.button),
    ink('r-tx', dark.text),
    ink('r-mu', dark.muted),
    ink('r-ln', dark.link),
    ink('r-bt', dark.buttonText),
    { on: 'r-hr', rule: `{border-color:${dark.line}!important}`, mark: 'ogsc' },
    ...dyes.inDark().map(([name, colour]) => ink(name, colour)),
  ];
}
