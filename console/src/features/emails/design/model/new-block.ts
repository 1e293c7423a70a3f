// What a new block begins with: enough to be seen, and no more. Pure.
import {
  type Block,
  type BlockContent,
  type BlockKind,
  blockKinds,
  type Design,
  type DesignTheme,
} from '@rapport/contract';
import { words } from '../../../../texts/designs.ts';

export const plain = (text: string): BlockContent => [{ type: 'paragraph', spans: text ? [{ text }] : [] }];

/** The kinds that a person adds by name. A saved block is chosen from a list of them. */
export const kindsToAdd = (Object.keys(blockKinds) as BlockKind[]).filter((kind) => kind !== 'saved');

export function newBlock(kind: BlockKind): Block {
  switch (kind) {
    case 'heading':
      return { type: 'heading', level: 2, content: plain('') };
    case 'text':
      return { type: 'text', content: plain('') };
    case 'button':
      return { type: 'button', label: words.buttonLabel, href: 'https://' };
    case 'image':
      return { type: 'image', src: '', alt: '' };
    case 'columns':
      return {
        type: 'columns',
        columns: [
          { width: 50, blocks: [] },
          { width: 50, blocks: [] },
        ],
      };
    case 'divider':
      return { type: 'divider' };
    case 'spacer':
      return { type: 'spacer' };
    case 'social':
      return { type: 'social', links: [{ network: 'website', href: 'https://' }] };
    case 'html':
      return { type: 'html', html: '' };
    case 'footer':
      return { type: 'footer', address: '' };
    case 'if':
      return { type: 'if', filter: { all: [] }, blocks: [] };
    case 'each':
      return { type: 'each', of: 'data.items', blocks: [] };
    case 'saved':
      return { type: 'saved', blockId: '' };
  }
}

/** A new email. It can be saved as it is: it has an address and a way to unsubscribe. */
export function starterDesign(workspace: string): Design {
  return {
    version: 1,
    blocks: [
      { type: 'heading', level: 1, content: plain(words.starterHeading) },
      { type: 'text', content: plain(words.starterText) },
      { type: 'footer', address: workspace },
    ],
  };
}

/** With the colours and font of the workspace: what a new email begins with. */
export function withBrand(design: Design, brand: DesignTheme | null): Design {
  return brand ? { ...design, theme: { ...design.theme, ...brand } } : design;
}

/** `count` columns of equal width, with the blocks that there are; those of columns that go move into the last that stays. */
export function withColumns(
  columns: readonly { readonly width: number; readonly blocks: readonly Block[] }[],
  count: number,
) {
  const width = Math.floor(10_000 / count) / 100;
  return Array.from({ length: count }, (_, at) => ({
    width: at === count - 1 ? Math.round((100 - width * (count - 1)) * 100) / 100 : width,
    blocks: at === count - 1 ? columns.slice(at).flatMap(({ blocks }) => blocks) : (columns[at]?.blocks ?? []),
  }));
}

/** The widths after one was changed: the others share what is left in their proportion. */
export function withWidth(widths: readonly number[], at: number, width: number): number[] {
  const others = widths.reduce((sum, each, i) => (i === at ? sum : sum + each), 0);
  const most = 100 - (widths.length - 1) * 5;
  const wanted = Math.min(most, Math.max(5, width));
  const shared = widths.map((each, i) =>
    i === at ? wanted : Math.round(((each * (100 - wanted)) / (others || 1)) * 100) / 100,
  );
  const last = at === widths.length - 1 ? widths.length - 2 : widths.length - 1;
  const sum = shared.reduce((all, each) => all + each, 0);
  shared[last] = Math.round(((shared[last] ?? 0) + 100 - sum) * 100) / 100;
  return shared;
}
