import type { Block } from '@rapport/contract';
import { describe, expect, it } from 'vitest';
import { design, text } from '../../../../test/designs/words.js';
import { compilerVersion, filesOf, filtersOf, savedBlocksOf } from '../index.js';

const saved = (blockId: string): Block => ({ type: 'saved', blockId });
const picture = (src: string): Block => ({ type: 'image', src, alt: '' });
const half = (...blocks: Block[]) => ({ width: 50, blocks });
const filter = (is: string) => ({ property: 'plan', is });
const { blocks } = design([
  saved('a'),
  picture('https://x.io/a.png'),
  { type: 'columns', columns: [half(saved('b'), picture('/files/1a.png')), half(saved('a'))] },
  {
    type: 'if',
    filter: filter('pro'),
    blocks: [saved('c'), { type: 'each', of: 'tags', blocks: [saved('d')] }],
    else: [{ type: 'if', filter: filter('free'), blocks: [picture('/files/1a.png')] }],
  },
  { type: 'html', html: '<img src="https://r.io/files/2b.webp"> https://x.io/other.png url(/files/3c.gif)' },
  text('/files/4d.png'),
]);

describe('what a design names', () => {
  it('are saved blocks, each once, wherever they stand', () => {
    expect(savedBlocksOf(blocks)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('are pictures, and in html blocks what may be a file', () => {
    expect(filesOf(blocks)).toEqual([
      'https://x.io/a.png',
      '/files/1a.png',
      'https://r.io/files/2b.webp',
      '/files/3c.gif',
    ]);
  });

  it.each(['a', '/files/', '/files/a', '/files/a.', ' /files/', '/files/a.png'])(
    'are found in linear time in an html block of many %s',
    (part) => {
      const html = `${part.repeat(240_000 / part.length)} /files/5e.png`;
      expect(filesOf([{ type: 'html', html }]).at(-1)).toBe('/files/5e.png');
    },
  );

  it('are filters with their places', () => {
    expect(filtersOf(blocks, 'design.blocks')).toEqual([
      { place: 'design.blocks[3].filter', filter: filter('pro') },
      { place: 'design.blocks[3].else[0].filter', filter: filter('free') },
    ]);
  });
});

describe('the compiler', () => {
  it('has a version, to be stored with what it made', () => {
    expect(compilerVersion).toBe(2);
  });
});
