// Changes of a design. A design is never changed in place: what an edit does not touch stays the same object. Pure.
import { type Block, type Design, designLimits } from '@rapport/contract';
import {
  type BlockPath,
  blockAt,
  holderOf,
  isWithin,
  keysOf,
  type ListPath,
  listAt,
  listsIn,
  pathIn,
  pathsOf,
  type Spot,
  spotOf,
  topList,
  valueAt,
} from './places.ts';

function withList(design: Design, list: ListPath, change: (blocks: readonly Block[]) => readonly Block[]): Design {
  const put = (value: unknown, keys: readonly (string | number)[]): unknown => {
    const [key, ...rest] = keys;
    if (key === undefined) return change((value ?? []) as readonly Block[]);
    if (Array.isArray(value)) return value.map((each, at) => (at === key ? put(each, rest) : each));
    const held = value as Record<string, unknown>;
    return { ...held, [key]: put(held[key], rest) };
  };
  return put(design, keysOf(list)) as Design;
}

const hasColumns = (block: Block): boolean =>
  block.type === 'columns' || listsIn(block, '').some(({ blocks }) => blocks.some(hasColumns));

/** There are no columns inside columns. */
export const canHold = (list: ListPath, block: Block) => !(/columns\[/.test(list) && hasColumns(block));

const sizeOf = (block: Block): number =>
  listsIn(block, '').reduce((sum, { blocks }) => blocks.reduce((all, each) => all + sizeOf(each), sum), 1);

/** Whether the design has room for it. */
export const hasRoom = (design: Design, block: Block) =>
  design.blocks.reduce((sum, each) => sum + sizeOf(each), sizeOf(block)) <= designLimits.blocks;

export function insertBlock(design: Design, { list, at }: Spot, block: Block): Design {
  return withList(design, list, (blocks) => [...blocks.slice(0, at), block, ...blocks.slice(at)]);
}

export function removeBlock(design: Design, path: BlockPath): Design {
  const { list, at } = spotOf(path);
  return withList(design, list, (blocks) => blocks.filter((_, each) => each !== at));
}

export function updateBlock(design: Design, path: BlockPath, change: (block: Block) => Block): Design {
  const { list, at } = spotOf(path);
  return withList(design, list, (blocks) => blocks.map((block, each) => (each === at ? change(block) : block)));
}

/** The spot, if there is still such a list; else where a new block goes. */
export function spotLeft(design: Design, spot: Spot, block: Block): Spot {
  return Array.isArray(valueAt(design, spot.list)) ? spot : spotForNew(design, undefined, block);
}

/** Where a path leads to once there is one more block at the spot. */
export function afterInsertion(path: BlockPath, { list, at }: Spot): BlockPath {
  const [, index, rest = ''] = path.startsWith(`${list}[`)
    ? (/^\[(\d+)\](.*)$/.exec(path.slice(list.length)) ?? [])
    : [];
  return index !== undefined && Number(index) >= at ? `${pathIn(list, Number(index) + 1)}${rest}` : path;
}

/** Where a path leads to once the block at `gone` is no longer there. */
function afterRemoval(path: string, gone: BlockPath): string {
  const { list, at } = spotOf(gone);
  if (!path.startsWith(`${list}[`)) return path;
  const [, index = '0', rest = ''] = /^\[(\d+)\](.*)$/.exec(path.slice(list.length)) ?? [];
  return Number(index) > at ? `${list}[${Number(index) - 1}]${rest}` : path;
}

/** Undefined where it cannot go: into itself, or columns into columns. */
export function moveBlock(design: Design, path: BlockPath, to: Spot): { design: Design; path: BlockPath } | undefined {
  const block = blockAt(design, path);
  if (!block || isWithin(to.list, path) || !canHold(to.list, block)) return undefined;
  const from = spotOf(path);
  const at = to.list === from.list && to.at > from.at ? to.at - 1 : to.at;
  const list = afterRemoval(to.list, path);
  return { design: insertBlock(removeBlock(design, path), { list, at }, block), path: pathIn(list, at) };
}

/** All gaps, in reading order. */
function spotsOf(design: Design): Spot[] {
  const below = (list: ListPath, blocks: readonly Block[]): Spot[] => [
    ...blocks.flatMap((block, at) => [
      { list, at },
      ...listsIn(block, pathIn(list, at)).flatMap((inner) => below(inner.list, inner.blocks)),
    ]),
    { list, at: blocks.length },
  ];
  return below(topList, design.blocks);
}

/** The next gap above or below that takes the block: into columns and conditions, through them, and out again. */
export function nextSpot(design: Design, path: BlockPath, direction: 'up' | 'down'): Spot | undefined {
  const block = blockAt(design, path);
  if (!block) return undefined;
  const own = spotOf(path);
  const spots = spotsOf(design).filter(({ list }) => !isWithin(list, path) && canHold(list, block));
  const here = spots.findIndex(({ list, at }) => list === own.list && at === own.at);
  return direction === 'up' ? spots[here - 1] : spots[here + 2];
}

/** What to select after a block is removed. */
export function selectionAfterRemoval(design: Design, path: BlockPath): BlockPath | undefined {
  const { list, at } = spotOf(path);
  const left = listAt(design, list).length - 1;
  if (left > 0) return pathIn(list, Math.min(at, left - 1));
  const paths = pathsOf(design);
  return paths[paths.indexOf(path) - 1];
}

/** Where a new block goes: below the selected one, else at the end, but above a footer. */
export function spotForNew(design: Design, selected: BlockPath | undefined, block: Block): Spot {
  for (let path = selected; path; path = holderOf(path)) {
    const { list, at } = spotOf(path);
    const isFooter = list === topList && blockAt(design, path)?.type === 'footer' && at === design.blocks.length - 1;
    if (canHold(list, block)) return { list, at: isFooter ? at : at + 1 };
  }
  const { length } = design.blocks;
  return { list: topList, at: design.blocks.at(-1)?.type === 'footer' ? length - 1 : length };
}
