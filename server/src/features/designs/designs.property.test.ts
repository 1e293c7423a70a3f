// Any design: compiled, rendered and read again, it shows every text once and in order.
import type { Block, BlockContent, ContentSpan, Design } from '@rapport/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compiled, rendered, seenIn } from '../../../test/designs/render.js';
import { readDesign } from './read/read-design.js';
import { soundPart } from './read/sound-part.js';

// Words have a mark at each end that occurs nowhere else, so that each can be found.
let count = 0;
const mark = () => `⟦${count++}⟧`;

const awkward = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom('{{ x }}', '{% if %}', '<b>', '&amp;', '{', '{{', '%}', '"\'\\', 'x'.repeat(300), 'שלום', '👩‍👩‍👧'),
);
// Line breaks become elements, and blanks at the edges may be moved to another line.
const words = awkward.map((text) => `${mark()}${text.replace(/[\r\n\t\v\f\u2028\u2029\u0085\p{Cc}]/gu, '')}${mark()}`);
const flag = fc.option(fc.boolean(), { nil: undefined });
const given = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T;

const span: fc.Arbitrary<ContentSpan> = fc
  .record({
    text: words,
    bold: flag,
    italic: flag,
    underline: flag,
    strike: flag,
    href: fc.option(fc.constant('https://x.io/a?b=1&c'), { nil: undefined }),
  })
  .map((one) => given(one) as ContentSpan);
const content: fc.Arbitrary<BlockContent> = fc.array(
  fc.record({
    type: fc.constantFrom('paragraph' as const, 'bullet' as const, 'number' as const),
    spans: fc.array(span, { minLength: 1, maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 3 },
);
const align = fc.option(fc.constantFrom('left' as const, 'center' as const, 'right' as const), { nil: undefined });

const leaf: fc.Arbitrary<Block> = fc
  .oneof(
    fc.record({
      type: fc.constant('heading' as const),
      level: fc.constantFrom(1 as const, 2 as const, 3 as const),
      content,
      align,
    }),
    fc.record({
      type: fc.constant('text' as const),
      content,
      align,
      size: fc.option(fc.integer({ min: 12, max: 24 }), { nil: undefined }),
    }),
    fc.record({
      type: fc.constant('button' as const),
      label: words,
      href: fc.constant('https://x.io'),
      wide: flag,
      align,
    }),
    fc.record({ type: fc.constant('divider' as const), height: fc.integer({ min: 1, max: 200 }) }),
    fc.record({ type: fc.constant('spacer' as const) }),
    fc.record({ type: fc.constant('footer' as const), address: words }),
    fc.record({
      type: fc.constant('html' as const),
      html: fc.constant(null).map(() => `<p>${mark()}by hand${mark()}</p>`),
    }),
  )
  .map((one) => given(one) as Block);
const leaves = fc.array(leaf, { maxLength: 3 });
const columns: fc.Arbitrary<Block> = fc
  .record({ blocks: fc.array(leaves, { minLength: 2, maxLength: 4 }), stack: fc.boolean() })
  .map(({ blocks, stack }) => ({
    type: 'columns',
    stack,
    columns: blocks.map((own, i) => ({ width: i === 0 ? 100 - 10 * (blocks.length - 1) : 10, blocks: own })),
  }));
const condition: fc.Arbitrary<Block> = fc
  .record({ blocks: leaves, other: leaves, value: words })
  .map(({ blocks, other, value }) => ({ type: 'if', filter: { property: 'plan', is: value }, blocks, else: other }));
const repeated: fc.Arbitrary<Block> = leaves.map((blocks) => ({ type: 'each', of: 'data.rows', blocks }));
/** What the one saved block holds. It may stand in a design several times. */
const shared: Block = { type: 'text', content: [{ type: 'paragraph', spans: [{ text: '⟦s⟧of many⟦s⟧' }] }] };
const known = { blocks: { shared: [shared] }, files: {} };
const saved: fc.Arbitrary<Block> = fc.constant({ type: 'saved', blockId: 'shared' });
const designs: fc.Arbitrary<Design> = fc
  .array(fc.oneof({ weight: 4, arbitrary: leaf }, columns, condition, repeated, saved), { minLength: 1, maxLength: 6 })
  .map((blocks) => ({ version: 1, blocks }));

/** The texts of a design in their order, if its conditions hold or do not, and with so many rounds. */
function textsOf(blocks: readonly Block[], holds: boolean, rounds: number): string[] {
  const ofContent = (own: BlockContent) =>
    own.flatMap(({ spans }) => spans.flatMap((one) => ('text' in one ? one.text : [])));
  return blocks.flatMap((block) => {
    switch (block.type) {
      case 'heading':
      case 'text':
        return ofContent(block.content);
      case 'button':
        return [block.label as string];
      case 'footer':
        return [block.address];
      case 'columns':
        return block.columns.flatMap((column) => textsOf(column.blocks, holds, rounds));
      case 'if':
        return textsOf(holds ? block.blocks : (block.else ?? []), holds, rounds);
      case 'each':
        return Array.from({ length: rounds }, () => textsOf(block.blocks, holds, rounds)).flat();
      case 'saved':
        return textsOf([shared], holds, rounds);
      case 'html':
        return [block.html.replaceAll(/<[^>]*>/g, '')];
      default:
        return [];
    }
  });
}

/** Everything between the marks, in order. */
const found = (all: string) => all.match(/⟦\w+⟧.*?⟦\w+⟧/gs) ?? [];

describe('any design', () => {
  it('shows every text once and in order, in the html and in the plain text', () => {
    fc.assert(
      fc.property(designs, fc.boolean(), fc.nat({ max: 3 }), (design, holds, rounds) => {
        expect(readDesign(design, () => []).ok).toBe(true);
        const texts = textsOf(design.blocks, holds, rounds);
        const words = { data: { rows: Array.from({ length: rounds }, (_, i) => i) } };
        const { html, text } = rendered(design, { known, words, holds: () => holds });
        expect(found(seenIn(html))).toEqual(texts);
        expect(found(text)).toEqual(texts);
        expect(
          compiled(design, known).problems.filter(({ place }) => place !== 'design.blocks' && place !== 'design'),
        ).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('is refused with a place, or compiled, whatever was sent', () => {
    const anything = fc.oneof(
      fc.jsonValue({ maxDepth: 5 }),
      designs.chain((one) => mutated(one)),
    );
    fc.assert(
      fc.property(anything, (value) => {
        const read = readDesign(value, () => []);
        if (read.ok) return void compiled(read.design);
        for (const { place } of read.faults) expect(place).toMatch(/^design(?:[.[]|$)/);
        const sound = soundPart(value, read.faults);
        if (!sound) return;
        expect(readDesign(sound, () => [])).toEqual({ ok: true, design: sound });
        compiled(sound);
      }),
      { numRuns: 300 },
    );
  });
});

/** A design in which one value was replaced. */
function mutated(design: Design): fc.Arbitrary<unknown> {
  return fc.tuple(fc.nat(), fc.jsonValue()).map(([at, other]) => {
    let seen = 0;
    const total = JSON.stringify(design).split(/[:,]/).length;
    return JSON.parse(JSON.stringify(design), (_key, value) => (seen++ === at % total ? other : value));
  });
}
