// Where blocks stand, in the words of the compiler: `blocks[3].columns[0].blocks[1]` is a block, `blocks[3].columns[0].blocks` a list of
// them. Pure.
import type { Block, Design } from '@rapport/contract';

/** Of a block. */
export type BlockPath = string;
/** Of a list of blocks. */
export type ListPath = string;

/** A gap in a list: `at` 0 is before its first block. */
export interface Spot {
  readonly list: ListPath;
  readonly at: number;
}

export const topList: ListPath = 'blocks';
export const pathIn = (list: ListPath, at: number): BlockPath => `${list}[${at}]`;

export function spotOf(path: BlockPath): Spot {
  const [, list = '', at = '0'] = /^(.*)\[(\d+)\]$/.exec(path) ?? [];
  return { list, at: Number(at) };
}

export const keysOf = (path: string): readonly (string | number)[] =>
  [...path.matchAll(/\[(\d+)\]|(\w+)/g)].map(([, at, name]) => (at === undefined ? (name ?? '') : Number(at)));

export function valueAt(design: Design, path: string): unknown {
  return keysOf(path).reduce<unknown>(
    (value, key) => (value as Record<string | number, unknown> | undefined)?.[key],
    design,
  );
}

export const blockAt = (design: Design, path: BlockPath) => valueAt(design, path) as Block | undefined;
export const listAt = (design: Design, list: ListPath) => (valueAt(design, list) ?? []) as readonly Block[];

/** The lists of blocks that a block holds. */
export function listsIn(block: Block, path: BlockPath): { list: ListPath; blocks: readonly Block[] }[] {
  switch (block.type) {
    case 'columns':
      return block.columns.map(({ blocks }, at) => ({ list: `${path}.columns[${at}].blocks`, blocks }));
    case 'if':
      return [
        { list: `${path}.blocks`, blocks: block.blocks },
        ...(block.else ? [{ list: `${path}.else`, blocks: block.else }] : []),
      ];
    case 'each':
      return [{ list: `${path}.blocks`, blocks: block.blocks }];
    default:
      return [];
  }
}

/** All blocks, in reading order. */
export function pathsOf(design: Design): BlockPath[] {
  const below = (list: ListPath, blocks: readonly Block[]): BlockPath[] =>
    blocks.flatMap((block, at) => {
      const path = pathIn(list, at);
      return [path, ...listsIn(block, path).flatMap((inner) => below(inner.list, inner.blocks))];
    });
  return below(topList, design.blocks);
}

/** The block above it; undefined for one at the top. */
export function holderOf(path: BlockPath): BlockPath | undefined {
  return /^(.*\])\.\w+\[\d+\]$/.exec(path)?.[1]?.replace(/\.columns\[\d+\]$/, '');
}

export const isWithin = (path: string, outer: BlockPath) => path === outer || path.startsWith(`${outer}.`);

/** The innermost block at a place such as `design.blocks[3].columns[0].blocks[1].href`. */
export function blockOfPlace(design: Design, place: string): BlockPath | undefined {
  const path = place.replace(/^design\./, '');
  return pathsOf(design)
    .filter((each) => isWithin(path, each) || path.startsWith(`${each}[`))
    .at(-1);
}
