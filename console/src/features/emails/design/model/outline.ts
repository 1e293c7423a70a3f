// A design in words: names of blocks, and a text to compare two of them. Pure.
import { type Block, blockKinds, type Design } from '@rapport/contract';
import { listsIn } from './places.ts';
import { lineOf, wordsOf } from './spans.ts';

/** What a block says; empty where it says nothing. */
export function saidBy(block: Block): string {
  switch (block.type) {
    case 'heading':
    case 'text':
      return wordsOf(block.content);
    case 'button':
      return lineOf(block.label);
    case 'image':
      return block.alt;
    case 'html':
      return block.html;
    case 'footer':
      return [wordsOf(block.content ?? []), block.address].filter(Boolean).join('\n');
    case 'social':
      return block.links.map(({ network }) => network).join(', ');
    case 'each':
      return block.of;
    default:
      return '';
  }
}

const longest = 60;

/** “Heading: Welcome”. `saved`: the saved blocks by id, whose names are theirs. */
export function nameOf(block: Block, saved?: ReadonlyMap<string, { readonly name: string }>): string {
  const own = block.type === 'saved' ? saved?.get(block.blockId)?.name : undefined;
  const said = (own ?? saidBy(block)).replace(/\s+/g, ' ').trim();
  const { title } = blockKinds[block.type];
  return said ? `${title}: ${said.length > longest ? `${said.slice(0, longest)}…` : said}` : title;
}

/** One line for each field: what two people changed can be seen side by side. */
export function outlineOf({ theme, blocks }: Design): string {
  const lines = (list: readonly Block[], indent: string): string[] =>
    list.flatMap((block) => [
      `${indent}${blockKinds[block.type].title}${fieldsOf(block)}`,
      ...saidBy(block)
        .split('\n')
        .filter(Boolean)
        .map((line) => `${indent}  ${line}`),
      ...listsIn(block, '').flatMap((inner) => lines(inner.blocks, `${indent}    `)),
    ]);
  return [...(theme ? [JSON.stringify(theme)] : []), ...lines(blocks, '')].join('\n');
}

const spoken = new Set([
  'type',
  'content',
  'label',
  'alt',
  'html',
  'address',
  'columns',
  'blocks',
  'else',
  'links',
  'of',
]);

function fieldsOf(block: Block): string {
  const rest = Object.entries(block).filter(([key]) => !spoken.has(key));
  const addresses = block.type === 'social' ? block.links.map(({ href }) => lineOf(href)) : [];
  const said = [
    ...rest.map(([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`),
    ...addresses,
  ];
  return said.length > 0 ? ` (${said.join(', ')})` : '';
}
