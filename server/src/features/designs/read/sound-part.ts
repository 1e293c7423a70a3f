// What of a design with faults can be compiled all the same, so that whatever else is wrong with it is told at once.
import { type Block, type BlockKind, blockKinds, type Design, type DesignTheme } from '@rapport/contract';
import { type DesignFault, mostFaults } from './reading.js';

type Fields = Readonly<Record<string, unknown>>;

const blockPlace = /^design\.blocks\[\d+\](?:(?:\.columns\[\d+\])?\.(?:blocks|else)\[\d+\])*/;

/** The design without what was found at fault, every block in its place. Undefined if the faults do not tell what can be read. */
export function soundPart(value: unknown, faults: readonly DesignFault[]): Design | undefined {
  const isWhole =
    faults.length < mostFaults && !faults.some(({ place }) => ['design', 'design.blocks'].includes(place));
  const { theme, blocks } = (value ?? {}) as { theme?: DesignTheme; blocks?: unknown };
  if (!isWhole || !Array.isArray(blocks)) return undefined;
  const isThemeSound = !faults.some(({ place }) => place.startsWith('design.theme'));
  const atFault = new Map<string, Set<string>>();
  for (const { place } of faults) {
    const [block] = blockPlace.exec(place) ?? [];
    if (block === undefined) continue;
    const keys = atFault.get(block) ?? new Set();
    // A key that is no plain name is no key of a block.
    atFault.set(block, keys.add(/^\.(\w+)/.exec(place.slice(block.length))?.[1] ?? ''));
  }
  return {
    version: 1,
    ...(theme && isThemeSound ? { theme } : {}),
    blocks: soundBlocks(blocks, 'design.blocks', atFault),
  };
}

type AtFault = ReadonlyMap<string, ReadonlySet<string>>;

function soundBlocks(blocks: unknown, place: string, atFault: AtFault): Block[] {
  if (!Array.isArray(blocks)) return [];
  return blocks.map((block, i) => soundBlock(block, `${place}[${i}]`, atFault));
}

function soundBlock(block: Fields, place: string, atFault: AtFault): Block {
  const faulty = atFault.get(place);
  if (faulty && !isKept(block, faulty)) return standIn(block, place, atFault);
  const inside = (key: string, value: unknown) => {
    if (key === 'blocks' || key === 'else') return soundBlocks(value, `${place}.${key}`, atFault);
    if (key !== 'columns') return value;
    return (value as Fields[]).map(({ width, blocks }, i) => {
      return { width, blocks: soundBlocks(blocks, `${place}.columns[${i}].blocks`, atFault) };
    });
  };
  const { wants, may } = blockKinds[block.type as BlockKind];
  const kept = Object.entries(block).filter(
    ([key]) => key === 'type' || Object.hasOwn(wants, key) || (Object.hasOwn(may, key) && !faulty?.has(key)),
  );
  return Object.fromEntries(kept.map(([key, value]) => [key, inside(key, value)])) as unknown as Block;
}

/** Whether what is at fault can simply be left out. */
function isKept(block: Fields, faulty: ReadonlySet<string>): boolean {
  const { type } = block ?? {};
  if (typeof type !== 'string' || !Object.hasOwn(blockKinds, type)) return false;
  const { wants } = blockKinds[type as BlockKind];
  // Columns inside columns are told at the block itself.
  const isItself = faulty.has('') && type === 'columns';
  return !isItself && ![...faulty].some((key) => Object.hasOwn(wants, key));
}

/** Of what it holds, the blocks. One that may well bring the unsubscribe link counts as if it did. */
function standIn(block: Fields, place: string, atFault: AtFault): Block {
  const inside = (key: string) => soundBlocks(block[key], `${place}.${key}`, atFault);
  switch (block?.type) {
    case 'if':
      return { type: 'if', filter: { all: [] }, blocks: inside('blocks'), else: inside('else') };
    case 'each':
      return { type: 'each', of: 'data', blocks: inside('blocks') };
    case 'columns':
    case 'html':
    case 'footer':
    case 'saved':
      return { type: 'html', html: '{{unsubscribe_url}}' };
    default:
      return { type: 'spacer' };
  }
}
