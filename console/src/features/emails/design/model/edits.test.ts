import type { Block, Design } from '@rapport/contract';
import { expect, it } from 'vitest';
import {
  afterInsertion,
  canHold,
  hasRoom,
  insertBlock,
  moveBlock,
  nextSpot,
  removeBlock,
  selectionAfterRemoval,
  spotForNew,
  spotLeft,
  updateBlock,
} from './edits.ts';
import { plain } from './new-block.ts';
import { saidBy } from './outline.ts';
import { blockAt, blockOfPlace, holderOf, pathsOf } from './places.ts';

const text = (said: string): Block => ({ type: 'text', content: plain(said) });
const columns = (...lists: Block[][]): Block => ({
  type: 'columns',
  columns: lists.map((blocks) => ({ width: 100 / lists.length, blocks })),
});
const footer: Block = { type: 'footer', address: 'F' };
const design = (...blocks: Block[]): Design => ({ version: 1, blocks });

/** As `a [b | c] d`. */
function drawn({ blocks }: Design): string {
  const all = (list: readonly Block[]): string =>
    list
      .map((block) => {
        if (block.type === 'columns') return `[${block.columns.map((column) => all(column.blocks)).join('|')}]`;
        if (block.type === 'if') return `(${all(block.blocks)}?${all(block.else ?? [])})`;
        return saidBy(block);
      })
      .join(' ');
  return all(blocks);
}

const start = design(text('a'), columns([text('b')], [text('c')]), text('d'), footer);

it('inserts, changes and removes where a path leads, and leaves the rest as it is', () => {
  const inside = insertBlock(start, { list: 'blocks[1].columns[0].blocks', at: 1 }, text('x'));
  expect(drawn(inside)).toBe('a [b x|c] d F');
  expect(inside.blocks[0]).toBe(start.blocks[0]);
  expect(drawn(updateBlock(inside, 'blocks[1].columns[0].blocks[1]', () => text('y')))).toBe('a [b y|c] d F');
  expect(drawn(removeBlock(inside, 'blocks[1].columns[0].blocks[0]'))).toBe('a [x|c] d F');
  expect(drawn(start)).toBe('a [b|c] d F');
});

it('finds another place for what comes late, and leads on to what it has moved', () => {
  const column = { list: 'blocks[1].columns[0].blocks', at: 1 };
  expect(spotLeft(start, column, text('x'))).toBe(column);
  // The columns are gone, and another block stands there.
  const gone = removeBlock(start, 'blocks[1]');
  expect(drawn(insertBlock(gone, spotLeft(gone, column, text('x')), text('x')))).toBe('a d x F');
  const below = { list: 'blocks', at: 1 };
  expect(
    ['blocks[0]', 'blocks[1]', 'blocks[1].columns[0].blocks[0]'].map((path) => afterInsertion(path, below)),
  ).toEqual(['blocks[0]', 'blocks[2]', 'blocks[2].columns[0].blocks[0]']);
  expect(afterInsertion('blocks[1].columns[0].blocks[0]', column)).toBe('blocks[1].columns[0].blocks[0]');
  expect(afterInsertion('blocks[1].columns[0].blocks[1]', column)).toBe('blocks[1].columns[0].blocks[2]');
});

it('inserts into what a condition has for the rest', () => {
  const branched = design({ type: 'if', filter: { all: [] }, blocks: [text('a')], else: [] });
  expect(drawn(insertBlock(branched, { list: 'blocks[0].else', at: 0 }, text('b')))).toBe('(a?b)');
});

it('moves within a list, down and up', () => {
  expect(moveBlock(start, 'blocks[0]', { list: 'blocks', at: 3 })).toMatchObject({ path: 'blocks[2]' });
  const down = moveBlock(start, 'blocks[0]', { list: 'blocks', at: 3 });
  expect(down && drawn(down.design)).toBe('[b|c] d a F');
  const up = moveBlock(start, 'blocks[2]', { list: 'blocks', at: 0 });
  expect(up && drawn(up.design)).toBe('d a [b|c] F');
});

it('moves into a column whose own place changes by that', () => {
  const moved = moveBlock(start, 'blocks[0]', { list: 'blocks[1].columns[1].blocks', at: 1 });
  expect(moved?.path).toBe('blocks[0].columns[1].blocks[1]');
  expect(moved && drawn(moved.design)).toBe('[b|c a] d F');
});

it('moves nothing into itself, and no columns into columns, however deep', () => {
  expect(moveBlock(start, 'blocks[1]', { list: 'blocks[1].columns[0].blocks', at: 0 })).toBeUndefined();
  const two = design(columns([], []), { type: 'if', filter: {}, blocks: [columns([], [])] });
  expect(moveBlock(two, 'blocks[1]', { list: 'blocks[0].columns[0].blocks', at: 0 })).toBeUndefined();
  expect(canHold('blocks[1].blocks', columns([], []))).toBe(true);
});

it('steps through columns and out again', () => {
  let now = design(text('a'), columns([text('b')], []), text('d'));
  let path = 'blocks[2]';
  const seen: string[] = [];
  for (let spot = nextSpot(now, path, 'up'); spot; spot = nextSpot(now, path, 'up')) {
    const moved = moveBlock(now, path, spot);
    if (!moved) throw new Error('A step leads nowhere.');
    ({ design: now, path } = moved);
    seen.push(drawn(now));
  }
  expect(seen).toEqual(['a [b|d]', 'a [b d|]', 'a [d b|]', 'a d [b|]', 'd a [b|]']);
  expect(nextSpot(now, path, 'up')).toBeUndefined();
  expect(nextSpot(now, path, 'down')).toEqual({ list: 'blocks', at: 2 });
});

it('steps columns past columns', () => {
  const two = design(columns([text('a')], []), columns([text('b')], []));
  expect(nextSpot(two, 'blocks[1]', 'up')).toEqual({ list: 'blocks', at: 0 });
});

it('selects a neighbour after a removal, and at the end of a list what is above it', () => {
  expect(selectionAfterRemoval(start, 'blocks[0]')).toBe('blocks[0]');
  expect(selectionAfterRemoval(start, 'blocks[3]')).toBe('blocks[2]');
  expect(selectionAfterRemoval(start, 'blocks[1].columns[0].blocks[0]')).toBe('blocks[1]');
  expect(selectionAfterRemoval(design(footer), 'blocks[0]')).toBeUndefined();
});

it('puts a new block below the selected one, outside what cannot hold it, and above the footer', () => {
  const at = (selected: string | undefined, block: Block) => spotForNew(start, selected, block);
  expect(at(undefined, text('x'))).toEqual({ list: 'blocks', at: 3 });
  expect(at('blocks[3]', text('x'))).toEqual({ list: 'blocks', at: 3 });
  expect(at('blocks[0]', text('x'))).toEqual({ list: 'blocks', at: 1 });
  expect(at('blocks[1].columns[0].blocks[0]', text('x'))).toEqual({ list: 'blocks[1].columns[0].blocks', at: 1 });
  expect(at('blocks[1].columns[0].blocks[0]', columns([], []))).toEqual({ list: 'blocks', at: 2 });
});

it('has room for 200 blocks, those inside others included', () => {
  const full = design(
    columns(
      Array.from({ length: 198 }, () => text('')),
      [],
    ),
  );
  expect(hasRoom(full, text('x'))).toBe(true);
  expect(hasRoom(full, columns([text('x')], []))).toBe(false);
});

it('knows all blocks in reading order, and what holds them', () => {
  expect(pathsOf(start)).toEqual([
    ...['blocks[0]', 'blocks[1]', 'blocks[1].columns[0].blocks[0]', 'blocks[1].columns[1].blocks[0]'],
    ...['blocks[2]', 'blocks[3]'],
  ]);
  expect(holderOf('blocks[1].columns[1].blocks[0]')).toBe('blocks[1]');
  expect(holderOf('blocks[4].else[2]')).toBe('blocks[4]');
  expect(holderOf('blocks[4]')).toBeUndefined();
});

it('finds the block that a problem is about', () => {
  expect(blockOfPlace(start, 'design.blocks[1].columns[1].blocks[0].content[0].spans[2].href')).toBe(
    'blocks[1].columns[1].blocks[0]',
  );
  expect(blockOfPlace(start, 'design.blocks[1].columns')).toBe('blocks[1]');
  expect(blockOfPlace(start, 'design.theme.text')).toBeUndefined();
  expect(blockOfPlace(start, 'design.blocks[12]')).toBeUndefined();
  expect(blockAt(start, 'blocks[12]')).toBeUndefined();
});
