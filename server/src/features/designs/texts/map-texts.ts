// The texts of a design that a translator translates, each with its place.
import type { Block, BlockContent, ContentSpan, Design } from '@rapport/contract';

/** A text as it is, or spans with forms and variables. */
export type DesignText = string | readonly ContentSpan[];
/** Gives the text that is to stand at a place. */
type Change = (place: string, text: DesignText) => DesignText;

/** The same design with other texts. Saved blocks stay as they are: they are shared. */
export function mapTexts(design: Design, change: Change): Design {
  return { ...design, blocks: mapBlocks(design.blocks, 'design.blocks', change) };
}

/** The texts by place, in the order in which they are read. */
export function textsOfDesign(design: Design): Map<string, DesignText> {
  const texts = new Map<string, DesignText>();
  mapTexts(design, (place, text) => {
    texts.set(place, text);
    return text;
  });
  return texts;
}

function mapBlocks(blocks: readonly Block[], place: string, change: Change): Block[] {
  return blocks.map((block, i) => mapBlock(block, `${place}[${i}]`, change));
}

function mapBlock(block: Block, place: string, change: Change): Block {
  const plain = (key: string, text: string) => change(`${place}.${key}`, text) as string;
  switch (block.type) {
    case 'heading':
    case 'text':
      return { ...block, content: mapContent(block.content, `${place}.content`, change) };
    case 'button':
      return { ...block, label: change(`${place}.label`, block.label) };
    case 'image':
      return { ...block, alt: plain('alt', block.alt) };
    case 'html':
      return { ...block, html: plain('html', block.html) };
    case 'footer': {
      const content = block.content && mapContent(block.content, `${place}.content`, change);
      return { ...block, address: plain('address', block.address), ...(content && { content }) };
    }
    case 'columns':
      return {
        ...block,
        columns: block.columns.map((column, i) => {
          return { ...column, blocks: mapBlocks(column.blocks, `${place}.columns[${i}].blocks`, change) };
        }),
      };
    case 'if': {
      const otherwise = block.else && mapBlocks(block.else, `${place}.else`, change);
      return {
        ...block,
        blocks: mapBlocks(block.blocks, `${place}.blocks`, change),
        ...(otherwise && { else: otherwise }),
      };
    }
    case 'each':
      return { ...block, blocks: mapBlocks(block.blocks, `${place}.blocks`, change) };
    case 'divider':
    case 'spacer':
    case 'social':
    case 'saved':
      return block;
    default:
      return block satisfies never;
  }
}

function mapContent(content: BlockContent, place: string, change: Change): BlockContent {
  return content.map((item, i) => {
    return { ...item, spans: change(`${place}[${i}]`, item.spans) as readonly ContentSpan[] };
  });
}
