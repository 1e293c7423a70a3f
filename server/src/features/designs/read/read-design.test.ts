import { blockKinds, designLimits } from '@rapport/contract';
import { describe, expect, it } from 'vitest';
import { announcement, gallery } from '../../../../test/designs/gallery.js';
import { button, design, footer, heading, p, text } from '../../../../test/designs/words.js';
import { readBlocks, readDesign } from '../index.js';

const anyFilter = () => [];

function faultsOf(value: unknown): string[] {
  const read = readDesign(value, anyFilter);
  return read.ok ? [] : read.faults.map(({ place, message }) => `${place}: ${message}`);
}
/** The places of the faults of a design with one block. */
function placesOf(block: unknown): string[] {
  const read = readDesign({ version: 1, blocks: [block] }, anyFilter);
  return read.ok ? [] : read.faults.map(({ place }) => place);
}
const content = [p('Hello')];

describe('a design', () => {
  it('is accepted as it was written', () => {
    for (const [name, one] of Object.entries(gallery)) expect(faultsOf(one), name).toEqual([]);
    expect(readDesign(announcement, anyFilter)).toEqual({ ok: true, design: announcement });
  });

  it('has a version, blocks, and nothing else but a theme', () => {
    expect(faultsOf({})).toEqual(['design.version: is required', 'design.blocks: is required']);
    expect(faultsOf({ version: 2, blocks: [footer] })).toEqual(['design.version: one of 1 is wanted']);
    expect(faultsOf({ version: 1, blocks: [footer], title: 'x', 'a b': 1 })).toEqual([
      'design.title: not known here',
      'design["a b"]: not known here',
    ]);
    for (const other of [null, 1, 'x', []]) expect(faultsOf(other)).toEqual(['design: an object is wanted']);
  });

  it('has 1 to 200 blocks in all', () => {
    expect(faultsOf({ version: 1, blocks: [] })).toEqual(['design.blocks: at least one block is wanted']);
    const many = (count: number) => Array.from({ length: count }, () => ({ type: 'divider' }));
    expect(faultsOf({ version: 1, blocks: many(200) })).toEqual([]);
    expect(faultsOf({ version: 1, blocks: many(201) })[0]).toMatch(/^design\.blocks: at most 200 blocks/);
  });

  it('counts containers and what is in them, and a saved block as one', () => {
    const saved = Array.from({ length: 196 }, () => ({ type: 'saved', blockId: 'a' }));
    const half = (blocks: unknown[]) => ({ width: 50, blocks });
    const columns = {
      type: 'columns',
      columns: [half([footer]), half([{ type: 'if', filter: {}, blocks: [footer] }])],
    };
    expect(faultsOf({ version: 1, blocks: [columns, ...saved] })).toEqual([]);
    expect(faultsOf({ version: 1, blocks: [columns, ...saved, footer] })).toHaveLength(1);
  });

  it('has at most 256 KiB as compact JSON in UTF-8', () => {
    const sized = (letter: string, bytes: number) => {
      const empty = design([text('')]);
      const room = bytes - Buffer.byteLength(JSON.stringify(empty));
      return design([text(letter.repeat(room / Buffer.byteLength(letter)))]);
    };
    expect(Buffer.byteLength(JSON.stringify(sized('x', designLimits.bytes)))).toBe(262_144);
    expect(faultsOf(sized('x', designLimits.bytes))).toEqual([]);
    expect(faultsOf(sized('x', designLimits.bytes + 1))).toEqual([
      'design: must have at most 262144 bytes of JSON in UTF-8',
    ]);
    expect(faultsOf(sized('é', designLimits.bytes + 2))).toHaveLength(1);
  });

  it('may be nested too deep to be read, and is refused', () => {
    let deep: unknown = [];
    for (let i = 0; i < 100_000; i++) deep = [deep];
    expect(faultsOf({ version: 1, blocks: deep })).toHaveLength(1);
  });
});

describe('a theme', () => {
  const themed = (theme: unknown) => faultsOf({ version: 1, theme, blocks: [footer] });

  it('has colours, a width, a radius, a font and a language within their limits', () => {
    expect(themed({})).toEqual([]);
    expect(themed({ width: 320, radius: 0, font: 'Georgia', lang: 'pt-BR', text: '#AbCdEf', dark: 'auto' })).toEqual(
      [],
    );
    expect(themed({ width: 800, radius: 32, font: 'mono', dark: { surface: '#000000' } })).toEqual([]);
    const places = themed({
      ...{ width: 319, radius: 33, font: 'Comic Sans', lang: 'x', text: 'red', link: '#fff' },
      ...{ dark: { text: '#12345', width: 600 }, shadow: 1 },
    }).map((fault) => fault.split(':')[0]);
    expect(places).toEqual(
      ['width', 'radius', 'font', 'lang', 'text', 'link', 'dark.text', 'dark.width', 'shadow'].map(
        (key) => `design.theme.${key}`,
      ),
    );
    expect(themed({ dark: 'never' })).toHaveLength(1);
    expect(themed({ dark: null })).toHaveLength(1);
    expect(themed({ width: 600.5 })).toHaveLength(1);
  });
});

describe('a block', () => {
  it('is of a known kind', () => {
    expect(faultsOf({ version: 1, blocks: [{ type: 'video' }] })[0]).toMatch(
      /^design\.blocks\[0\]\.type: one of heading, text/,
    );
    expect(placesOf({})).toEqual(['design.blocks[0].type']);
    expect(placesOf({ type: 'toString' })).toEqual(['design.blocks[0].type']);
    expect(placesOf('text')).toEqual(['design.blocks[0]']);
  });

  it('has no key that its kind does not know', () => {
    for (const type of Object.keys(blockKinds))
      expect(placesOf({ type, nonsense: 1 })).toContain('design.blocks[0].nonsense');
    expect(placesOf({ type: 'divider', __proto__: null, constructor: 1 })).toEqual(['design.blocks[0].constructor']);
  });

  it('has the keys that its kind wants', () => {
    for (const [type, { wants }] of Object.entries(blockKinds))
      expect(placesOf({ type }), type).toEqual(Object.keys(wants).map((key) => `design.blocks[0].${key}`));
  });

  it.each([
    [{ type: 'heading', level: 4, content }, 'level'],
    [{ type: 'heading', level: 1, content, align: 'middle' }, 'align'],
    [{ type: 'text', content, size: 11 }, 'size'],
    [{ type: 'text', content, size: 25 }, 'size'],
    [{ type: 'text', content: 'Hello' }, 'content'],
    [{ type: 'text', content: [{ type: 'quote', spans: [] }] }, 'content[0].type'],
    [{ type: 'text', content: [{ type: 'paragraph' }] }, 'content[0].spans'],
    [{ type: 'text', content: [{ type: 'paragraph', spans: [{ text: 1 }] }] }, 'content[0].spans[0].text'],
    [{ type: 'text', content: [{ type: 'paragraph', spans: [{ text: 'x', size: 1 }] }] }, 'content[0].spans[0].size'],
    [
      { type: 'text', content: [{ type: 'paragraph', spans: [{ text: 'x', color: 'red' }] }] },
      'content[0].spans[0].color',
    ],
    [{ type: 'text', content: [{ type: 'paragraph', spans: [{ text: 'x', bold: 1 }] }] }, 'content[0].spans[0].bold'],
    [{ type: 'text', content: [{ type: 'paragraph', spans: [{}] }] }, 'content[0].spans[0]'],
    [{ type: 'text', content: [{ type: 'paragraph', spans: [{ variable: 'a b' }] }] }, 'content[0].spans[0].variable'],
    [
      { type: 'text', content: [{ type: 'paragraph', spans: [{ variable: 'a', format: 'shout' }] }] },
      'content[0].spans[0].format',
    ],
    [
      { type: 'text', content: [{ type: 'paragraph', spans: [{ variable: 'a', bold: true }] }] },
      'content[0].spans[0].bold',
    ],
    [{ type: 'text', content: [{ type: 'paragraph', spans: [{ text: 'a\0' }] }] }, 'content[0].spans[0].text'],
    [{ type: 'button', label: 1, href: 'https://x.io' }, 'label'],
    [{ type: 'button', label: [{ text: 'x', href: 'https://x.io' }], href: 'https://x.io' }, 'label[0].href'],
    [{ type: 'button', label: 'x', href: [{ text: 'https://x.io', bold: true }] }, 'href[0].bold'],
    [{ type: 'button', label: 'x', href: 'https://x.io', wide: 'yes' }, 'wide'],
    [{ type: 'image', src: 'https://x.io/a.png', alt: null }, 'alt'],
    [{ type: 'image', src: 'https://x.io/a.png', alt: '', width: 101 }, 'width'],
    [{ type: 'divider', height: 0 }, 'height'],
    [{ type: 'spacer', height: 201 }, 'height'],
    [{ type: 'social', links: [{ network: 'myspace', href: 'https://x.io' }] }, 'links[0].network'],
    [{ type: 'social', links: [{ network: 'x' }] }, 'links[0].href'],
    [{ type: 'each', of: 'data..x', blocks: [] }, 'of'],
    [{ type: 'if', filter: {}, blocks: [], else: {} }, 'else'],
  ])('is refused at its place: %j', (block, place) => {
    expect(placesOf(block)).toEqual([`design.blocks[0].${place}`]);
  });

  it('may have an empty alt, and content without spans', () => {
    expect(placesOf({ type: 'image', src: 'https://x.io/a.png', alt: '' })).toEqual([]);
    expect(placesOf({ type: 'text', content: [{ type: 'paragraph', spans: [] }] })).toEqual([]);
  });
});

describe('columns', () => {
  const columns = (...widths: unknown[]) => ({
    type: 'columns',
    columns: widths.map((width) => ({ width, blocks: [] })),
  });

  it('are two to four, whose widths add up to 100', () => {
    for (const good of [
      [50, 50],
      [33.33, 33.33, 33.34],
      [25, 25, 25, 25],
      [10, 90],
    ])
      expect(placesOf(columns(...good))).toEqual([]);
    for (const bad of [[100], [20, 20, 20, 20, 20], [50, 51], [50, 49]])
      expect(placesOf(columns(...bad))).toEqual(['design.blocks[0].columns']);
    expect(placesOf(columns('50', 50))).toEqual(['design.blocks[0].columns[0].width']);
  });

  it('are never inside columns, whatever is between', () => {
    const inner = columns(50, 50);
    const outer = (blocks: unknown[]) => ({
      type: 'columns',
      columns: [
        { width: 50, blocks: [] },
        { width: 50, blocks },
      ],
    });
    expect(placesOf(outer([inner]))).toEqual(['design.blocks[0].columns[1].blocks[0]']);
    expect(placesOf(outer([{ type: 'if', filter: {}, blocks: [inner] }]))).toEqual([
      'design.blocks[0].columns[1].blocks[0].blocks[0]',
    ]);
  });

  it('name the place of a fault inside them', () => {
    const block = {
      type: 'columns',
      columns: [
        { width: 50, blocks: [heading('x'), { type: 'button', label: 'x' }] },
        { width: 50, blocks: [] },
      ],
    };
    expect(faultsOf(design([footer, footer, footer, block as never]))).toEqual([
      'design.blocks[3].columns[0].blocks[1].href: is required',
    ]);
  });
});

describe('the filter of a condition', () => {
  it('is told at its place', () => {
    const blocks = [{ type: 'if', filter: { event: 'x' }, blocks: [button('x')] }];
    const read = readDesign({ version: 1, blocks }, (_json, place) => [{ path: `${place}.event`, words: 'not here' }]);
    expect(read).toEqual({ ok: false, faults: [{ place: 'design.blocks[0].filter.event', message: 'not here' }] });
  });
});

describe('the content of a saved block', () => {
  it('is read like the blocks of a design, from a place of its own', () => {
    expect(readBlocks([heading('x')], anyFilter)).toMatchObject({ ok: true });
    expect(readBlocks([], anyFilter)).toMatchObject({ ok: false, faults: [{ place: 'blocks' }] });
    expect(readBlocks([heading('x'), { type: 'x' }], anyFilter)).toMatchObject({
      ok: false,
      faults: [{ place: 'blocks[1].type' }],
    });
  });
});
