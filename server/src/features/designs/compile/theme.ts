import {
  type DesignColour,
  type DesignTheme,
  designColours,
  designFonts,
  designLimits,
  usualColours,
} from '@rapport/contract';
import { contrastOf, darkened, isDark, mix, readableOn } from './colours.js';

/** The colours of one scheme: those that a theme names, and those that follow from them. */
export interface Palette extends Readonly<Record<DesignColour, string>> {
  /** Of small print. */
  readonly muted: string;
  /** Of lines. */
  readonly line: string;
}

/** A theme with everything that it leaves open. */
export interface Look {
  readonly width: number;
  readonly radius: number;
  readonly font: string;
  readonly lang: string;
  readonly dir: 'ltr' | 'rtl';
  readonly light: Palette;
  readonly dark: Palette;
}

export function lookOf(theme: DesignTheme = {}): Look {
  const { width = designLimits.width.usual, radius = designLimits.radius.usual, font = 'sans', lang = 'en' } = theme;
  const light = colours((name) => theme[name] ?? usualColours[name]);
  const own = typeof theme.dark === 'object' ? theme.dark : {};
  const derived = darkOf(light);
  const dark = colours((name) => own[name] ?? derived[name]);
  return {
    width,
    radius,
    font: designFonts[font],
    lang,
    dir: isRightToLeft(lang) ? 'rtl' : 'ltr',
    light: paletteOf(light),
    dark: paletteOf(dark),
  };
}

type Colours = Readonly<Record<DesignColour, string>>;

function colours(choose: (name: DesignColour) => string): Colours {
  return Object.fromEntries(designColours.map((name) => [name, choose(name).toLowerCase()])) as Colours;
}

/** Colours for dark mode: the hues stay, and what is read on them can be read. A theme that is dark already stays as it is. */
function darkOf(light: Colours): Colours {
  if (isDark(light.surface)) return light;
  const surface = darkened(light.surface, 0.11);
  // A coloured button stands out on a dark ground, too; a black one does not.
  const button = contrastOf(light.button, surface) >= 2 ? light.button : readableOn(surface, light.button, 3);
  const buttonText =
    contrastOf(light.buttonText, button) >= 4.5 ? light.buttonText : readableOn(button, light.text, 4.5);
  return {
    background: darkened(light.background, 0.065),
    surface,
    text: readableOn(surface, mix('#ffffff', light.text, 0.88), 10),
    link: readableOn(surface, light.link, 5.5),
    button,
    buttonText,
  };
}

function paletteOf(named: Colours): Palette {
  const { text, surface } = named;
  const muted = mix(text, surface, 0.62);
  return { ...named, muted: readableOn(surface, muted, 5), line: mix(text, surface, 0.14) };
}

const rightToLeft = new Set('ar arc ckb dv fa he iw ji ks ku-arab nqo ps sd syr ug ur yi'.split(' '));

function isRightToLeft(lang: string): boolean {
  const parts = lang.toLowerCase().split('-');
  if (parts.some((part) => ['arab', 'hebr', 'syrc', 'thaa', 'nkoo'].includes(part))) return true;
  return !parts.includes('latn') && rightToLeft.has(parts[0] as string);
}
