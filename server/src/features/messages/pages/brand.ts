// A workspace's own name, logo and colors on the pages for people, in which everything stays readable. Pure.
import { hash } from 'node:crypto';
import { escapeHtml } from '../../../http/reference/html.js';
import type { Branding } from '../../tenants/index.js';

/** What a page adds to its own design. */
export interface Brand {
  /** HTML on top of the card. */
  head: string;
  css: string;
  /** Sources of the page's policy. */
  styleSource: string;
  imageSource: string | undefined;
}

/** The cards' own color: see page.ts. */
export const cards = { light: '#ffffff', dark: '#1e222d' };

export function brandOf(branding: Branding | null | undefined): Brand | undefined {
  if (!branding) return undefined;
  const { accentColor, backgroundColor, darkBackgroundColor } = branding;
  const darkAccent = branding.darkAccentColor ?? accentColor;
  const light = rulesOf(accentColor, backgroundColor, cards.light);
  const dark = rulesOf(darkAccent, darkBackgroundColor, cards.dark);
  const css = on('light', light) + on('dark', dark);
  return {
    ...{ head: headOf(branding), css, styleSource: `'sha256-${hash('sha256', css, 'base64')}'` },
    imageSource: branding.logoUrl === null ? undefined : sourceOf(branding.logoUrl),
  };
}

/** Each on its own screens: the page's own rules hold for the rest. */
function on(screen: 'light' | 'dark', rules: string): string {
  return rules === '' ? '' : `@media (prefers-color-scheme: ${screen}) { :root { ${rules} } }\n`;
}

function rulesOf(accent: string | null, background: string | null, card: string): string {
  return [
    ...(background === null ? [] : [`--page: ${background};`]),
    ...(accent === null
      ? []
      : [`--button: ${accent};`, `--on-button: ${textOn(accent)};`, `--accent: ${readable(accent, card)};`]),
  ].join(' ');
}

function headOf({ name, logoUrl }: Branding): string {
  if (logoUrl !== null)
    return `<p class="brand"><img src="${escapeHtml(logoUrl)}" alt="${escapeHtml(name ?? '')}"></p>\n`;
  return name === null ? '' : `<p class="brand">${escapeHtml(name)}</p>\n`;
}

/** This image and no other. A query cannot be part of a source, and these two characters would end it. */
function sourceOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C');
}

/** Black or white: one of them always has a contrast of more than 4.5. */
function textOn(color: string): string {
  return contrast('#000000', color) >= contrast('#ffffff', color) ? '#000000' : '#ffffff';
}

// What WCAG asks for of text.
const enough = 4.5;

/** The color itself, or as near to it as can be read on the card. */
export function readable(color: string, card: string): string {
  const goal = textOn(card);
  for (let share = 0; share < 1; share += 0.05) {
    const mixed = mix(color, goal, share);
    if (contrast(mixed, card) >= enough) return mixed;
  }
  return goal;
}

/** From 1 to 21, as WCAG 2 defines it. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = channels(color).map((value) => {
    const part = value / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function mix(from: string, to: string, share: number): string {
  const [a, b] = [channels(from), channels(to)];
  const mixed = a.map((value, i) => Math.round(value + ((b[i] ?? 0) - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}
