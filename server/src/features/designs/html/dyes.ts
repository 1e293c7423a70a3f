// Colours of single spans: each gets a class, so that dark mode can replace it by one that is readable there.
import { designLimits } from '@rapport/contract';
import { readableOn } from '../compile/colours.js';
import type { Look } from '../compile/theme.js';

/** What a text is drawn on. */
export type Ground = 'surface' | 'button';

export class Dyes {
  private readonly dyes = new Map<string, { name: string; ground: Ground; colour: string }>();

  constructor(private readonly look: Look) {}

  classOf(colour: string, ground: Ground): string {
    const key = `${ground} ${colour.toLowerCase()}`;
    const known = this.dyes.get(key);
    if (known) return known.name;
    const name = `r-c${this.dyes.size}`;
    this.dyes.set(key, { name, ground, colour: colour.toLowerCase() });
    return name;
  }

  /** Each class with its colour in dark mode. */
  inDark(): [name: string, colour: string][] {
    return [...this.dyes.values()].map(({ name, ground, colour }) => [
      name,
      readableOn(this.look.dark[ground], colour, designLimits.contrast),
    ]);
  }
}
