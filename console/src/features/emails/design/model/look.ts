// A theme as the canvas draws it: what is left open is filled in as the compiler does. Pure.
import { type DesignTheme, designFonts, designLimits, usualColours } from '@rapport/contract';

export interface CanvasLook {
  readonly width: number;
  readonly radius: number;
  readonly font: string;
  readonly background: string;
  readonly surface: string;
  readonly text: string;
  readonly link: string;
  readonly button: string;
  readonly buttonText: string;
}

export function lookOf(theme: DesignTheme = {}): CanvasLook {
  const { width = designLimits.width.usual, radius = designLimits.radius.usual, font = 'sans' } = theme;
  const { background, surface, text, link, button, buttonText } = { ...usualColours, ...theme };
  return {
    ...{ width, radius, font: designFonts[font] ?? designFonts.sans },
    ...{ background, surface, text, link, button, buttonText },
  };
}

/** An email as dark mode shows it, or as light mode does, whatever the reader's own machine prefers. */
export function inScheme(html: string, isDark: boolean): string {
  return html.replaceAll(/\(\s*prefers-color-scheme\s*:\s*(dark|light)\s*\)/gi, (_, scheme: string) =>
    (scheme.toLowerCase() === 'dark') === isDark ? '(min-width:0)' : '(max-width:0)',
  );
}

/** Whether it looks otherwise on dark screens. */
export function knowsDark(html: string): boolean {
  return /\(\s*prefers-color-scheme\s*:\s*dark\s*\)/i.test(html);
}

/** The address of an uploaded picture on this service, whatever name the service has outside. */
export function ownPicture(src: string): string | undefined {
  return /\/files\/[0-9a-f]+\.\w+$/.exec(src)?.[0];
}
