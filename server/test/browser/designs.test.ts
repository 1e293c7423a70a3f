// What designs look like in Chromium, on a screen and on a phone, in light and in dark.
import { mkdirSync } from 'node:fs';
import { type Design, startingPoints } from '@rapport/contract';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gallery, pictures } from '../designs/gallery.js';
import { rendered } from '../designs/render.js';
import { hasChromium, launchBrowser } from './chromium.js';

const widths = [600, 375] as const;
const schemes = ['light', 'dark'] as const;
const words = {
  data: {
    lines: [
      { name: 'Seats', price: 1234.5 },
      { name: 'Support', price: 99 },
    ],
  },
};
interface Case {
  design: Design;
  words: Record<string, unknown>;
}
const cases: Record<string, Case> = Object.fromEntries([
  ...Object.entries(gallery).map(([name, design]) => [name, { design, words }]),
  ...(await Promise.all(
    startingPoints.map(async ({ id, data, load }) => [`start with ${id}`, { design: await load(), words: { data } }]),
  )),
]);
/** Name a folder to look at them. */
const folder = process.env.DESIGN_PICTURES;

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}
interface Seen {
  /** The text itself, and where it is drawn. */
  words: string;
  box: Box;
  lines: Box[];
  isVisible: boolean;
  contrast: number;
}

/** Every piece of text, as the page draws it. Runs in the page. */
const look = `(() => {
  const channels = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const luminance = (colour) => {
    const [r, g, b] = channels(colour).map((one) => (one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const groundOf = (start) => {
    for (let at = start; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at);
      if (channels(backgroundColor)[3] !== 0) return backgroundColor;
    }
    return 'rgb(255, 255, 255)';
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const pieces = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.textContent.trim()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, right, top, bottom, width, height } = range.getBoundingClientRect();
    const [a, b] = [luminance(getComputedStyle(parent).color), luminance(groundOf(parent))].sort((x, y) => y - x);
    pieces.push({
      words: node.textContent.trim().slice(0, 40),
      box: { left, right, top, bottom },
      lines: [...range.getClientRects()].map((line) => ({ left: line.left, right: line.right, top: line.top, bottom: line.bottom })),
      isVisible: width > 0 && height > 0 && parent.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
      contrast: (a + 0.05) / (b + 0.05),
    });
  }
  return { pieces, overflow: document.documentElement.scrollWidth - window.innerWidth };
})()`;
/** Where the columns of each row begin. */
const rowsOf = (selector: string) => `(() => {
  const rows = new Map();
  for (const one of document.querySelectorAll(${JSON.stringify(selector)})) {
    const { top, left } = one.getBoundingClientRect();
    rows.set(one.parentElement, [...(rows.get(one.parentElement) ?? []), { top, left }]);
  }
  return [...rows.values()];
})()`;

describe.skipIf(!hasChromium)('a design in Chromium', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await launchBrowser();
    page = await browser.newPage();
    await page.route(/^https:/, (route) => {
      const body = pictures[route.request().url()];
      return body ? route.fulfill({ contentType: 'image/svg+xml', body }) : route.abort();
    });
    if (folder) mkdirSync(folder, { recursive: true });
  });
  afterAll(() => browser?.close());

  async function show(name: string, width: number, scheme: 'light' | 'dark', withStyle = true): Promise<void> {
    const { design, words } = cases[name] as Case;
    const { html } = rendered(design, { words });
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme });
    await page.setContent(withStyle ? html : html.replace(/<style>[\s\S]*?<\/style>/g, ''), { waitUntil: 'load' });
  }
  const seen = () => page.evaluate<{ pieces: Seen[]; overflow: number }>(look);
  const columns = (selector: string) => page.evaluate<{ top: number; left: number }[][]>(rowsOf(selector));

  it.each(Object.keys(cases))('shows everything, within the screen and readable: %s', async (name) => {
    for (const width of widths)
      for (const scheme of schemes) {
        await show(name, width, scheme);
        if (folder)
          await page.screenshot({
            path: `${folder}/${name.replaceAll(' ', '-')}-${width}-${scheme}.png`,
            fullPage: true,
          });
        const { pieces, overflow } = await seen();
        const where = `${name} at ${width} in ${scheme}`;
        expect(overflow, where).toBeLessThanOrEqual(0);
        expect(pieces.length, where).toBeGreaterThan(2);
        expect(
          pieces.filter(({ isVisible }) => !isVisible),
          where,
        ).toEqual([]);
        expect(
          pieces.filter(({ box }) => box.left < -0.5 || box.right > width + 0.5),
          where,
        ).toEqual([]);
        expect(
          pieces.filter(({ contrast }) => contrast < 4.5),
          where,
        ).toEqual([]);
        expect(overlapping(pieces), where).toEqual([]);
      }
  });

  it.each(Object.keys(cases))('holds without a style sheet: %s', async (name) => {
    for (const width of widths) {
      await show(name, width, 'light', false);
      const { pieces, overflow } = await seen();
      expect(overflow).toBeLessThanOrEqual(0);
      expect(overlapping(pieces)).toEqual([]);
    }
  });

  it.each(['two columns', 'three columns', 'four columns', 'broad columns', 'uneven columns', 'right to left'])(
    'has columns side by side at 600 pixels and one below the other at 375, with and without a style sheet: %s',
    async (name) => {
      for (const withStyle of [true, false]) {
        await show(name, 600, 'light', withStyle);
        for (const row of await columns('.r-col')) expect(new Set(row.map(({ top }) => top)).size).toBe(1);
        await show(name, 375, 'light', withStyle);
        for (const row of await columns('.r-col')) {
          expect(new Set(row.map(({ top }) => top)).size).toBe(row.length);
          expect(new Set(row.map(({ left }) => left)).size).toBe(1);
        }
      }
    },
  );

  it('stacks the columns of a narrow email only on a phone', async () => {
    await show('narrow columns', 600, 'light');
    for (const row of await columns('.r-col')) expect(new Set(row.map(({ top }) => top)).size).toBe(1);
    await show('narrow columns', 375, 'light');
    for (const row of await columns('.r-col')) expect(new Set(row.map(({ top }) => top)).size).toBe(row.length);
  });

  it('keeps columns that do not stack side by side on a phone', async () => {
    await show('fixed columns', 375, 'light');
    const rows = await columns('td[valign=top]');
    expect(rows).toHaveLength(2);
    for (const row of rows) expect(new Set(row.map(({ top }) => top)).size).toBe(1);
  });
});

/** Pieces of text that are drawn over each other. */
function overlapping(pieces: readonly Seen[]): string[] {
  return pieces.flatMap((a, i) =>
    pieces.slice(i + 1).flatMap((b) => {
      const isOver = a.lines.some((one) => b.lines.some((other) => meet(one, other)));
      return isOver ? [`${a.words} / ${b.words}`] : [];
    }),
  );
}

/** By more than letters that lean over. */
function meet(a: Box, b: Box): boolean {
  const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return across > 2 && down > 4;
}
