import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brandOf, cards, contrast, readable } from './brand.js';

const color = fc.integer({ min: 0, max: 0xffffff }).map((n) => `#${n.toString(16).padStart(6, '0')}`);
const unset = {
  ...{ name: null, logoUrl: null, accentColor: null, backgroundColor: null },
  ...{ darkAccentColor: null, darkBackgroundColor: null },
};
const rule = (css: string, name: string) => new RegExp(`${name}: (#[0-9a-f]{6})`).exec(css)?.[1] ?? '';

describe('the colors of a workspace', () => {
  it('can be read, whatever they are: on buttons, and on the card, light and dark', () => {
    fc.assert(
      fc.property(color, color, (accentColor, darkAccentColor) => {
        const css = brandOf({ ...unset, accentColor, darkAccentColor })?.css ?? '';
        const [, light = '', dark = ''] = css.split('@media');
        expect([light, dark].map((part) => /scheme: (\w+)/.exec(part)?.[1])).toEqual(['light', 'dark']);
        for (const [part, card] of [
          [light, cards.light],
          [dark, cards.dark],
        ] as const) {
          expect(contrast(rule(part, '--on-button'), rule(part, '--button'))).toBeGreaterThanOrEqual(4.5);
          expect(contrast(rule(part, '--accent'), card)).toBeGreaterThanOrEqual(4.5);
        }
      }),
    );
  });

  it('stay as they are where they can be read', () => {
    expect(readable('#2148b8', cards.light)).toBe('#2148b8');
    expect(readable('#ffff00', cards.light)).not.toBe('#ffff00');
    expect(contrast('#000000', '#ffffff')).toBe(21);
  });
});

describe('the logo of a workspace', () => {
  it('is the only image that the page may load, with its name for those who do not see it', () => {
    const brand = brandOf({ ...unset, name: 'A "B" & C', logoUrl: 'https://cdn.example/a;b,c.png?x=1' });
    expect(brand?.head).toBe(
      '<p class="brand"><img src="https://cdn.example/a;b,c.png?x=1" alt="A &quot;B&quot; &amp; C"></p>\n',
    );
    expect(brand?.imageSource).toBe('https://cdn.example/a%3Bb%2Cc.png');
    expect(brandOf({ ...unset, name: '<b>' })?.head).toBe('<p class="brand">&lt;b&gt;</p>\n');
    expect(brandOf(null)).toBeUndefined();
  });
});
