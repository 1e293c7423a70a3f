// What a design refers to.
import type { Block } from '@rapport/contract';
import { filesIn } from './check-html-block.js';

function* blocksIn(blocks: readonly Block[]): Generator<Block> {
  for (const block of blocks) {
    yield block;
    if (block.type === 'columns') for (const column of block.columns) yield* blocksIn(column.blocks);
    if (block.type === 'if' || block.type === 'each') yield* blocksIn(block.blocks);
    if (block.type === 'if' && block.else) yield* blocksIn(block.else);
  }
}

/** The ids of saved blocks that these name themselves, each once. */
export function savedBlocksOf(blocks: readonly Block[]): string[] {
  return [...new Set([...blocksIn(blocks)].flatMap((block) => (block.type === 'saved' ? [block.blockId] : [])))];
}

/** The addresses of pictures, as written, each once. In html blocks: those that may be files of ours. */
export function filesOf(blocks: readonly Block[]): string[] {
  const addresses = [...blocksIn(blocks)].flatMap((block) => {
    if (block.type === 'image') return [block.src];
    return block.type === 'html' ? filesIn(block.html) : [];
  });
  return [...new Set(addresses)];
}

/** The filters of conditions with their places. `place` is that of the blocks: `design.blocks`. */
export function filtersOf(blocks: readonly Block[], place: string): { place: string; filter: unknown }[] {
  return blocks.flatMap((block, i) => {
    const at = `${place}[${i}]`;
    if (block.type === 'columns')
      return block.columns.flatMap((column, n) => filtersOf(column.blocks, `${at}.columns[${n}].blocks`));
    if (block.type === 'each') return filtersOf(block.blocks, `${at}.blocks`);
    if (block.type !== 'if') return [];
    const own = { place: `${at}.filter`, filter: block.filter };
    return [own, ...filtersOf(block.blocks, `${at}.blocks`), ...filtersOf(block.else ?? [], `${at}.else`)];
  });
}
