// The tree that is compiled: saved blocks are replaced by their content, and every block knows its place.
import type {
  Block,
  ButtonBlock,
  ColumnsBlock,
  DesignProblem,
  DividerBlock,
  EachBlock,
  FooterBlock,
  HeadingBlock,
  HtmlBlock,
  IfBlock,
  ImageBlock,
  SocialBlock,
  SpacerBlock,
  TextBlock,
} from '@rapport/contract';

export type LeafBlock =
  | HeadingBlock
  | TextBlock
  | ButtonBlock
  | ImageBlock
  | DividerBlock
  | SpacerBlock
  | SocialBlock
  | HtmlBlock
  | FooterBlock;

interface Placed {
  readonly place: string;
  /** Part of a saved block: its problems are told at the place that refers to it. */
  readonly isSaved: boolean;
}
export interface Leaf extends Placed {
  readonly kind: 'leaf';
  readonly block: LeafBlock;
}
export interface Columns extends Placed {
  readonly kind: 'columns';
  readonly block: ColumnsBlock;
  readonly columns: readonly { readonly width: number; readonly items: readonly Item[] }[];
}
interface Condition extends Placed {
  readonly kind: 'if';
  readonly block: IfBlock;
  readonly then: readonly Item[];
  readonly otherwise: readonly Item[];
}
interface Repeat extends Placed {
  readonly kind: 'each';
  readonly block: EachBlock;
  readonly items: readonly Item[];
}
export type Item = Leaf | Columns | Condition | Repeat;

/** The place of a part of a block. */
export function within({ place, isSaved }: Placed, part: string): string {
  return isSaved ? place : place + part;
}

// Saved blocks may be used many times over, in each other too.
const mostExpanded = 2000;

type Saved = Readonly<Record<string, readonly Block[] | null>>;

export function expand(
  blocks: readonly Block[],
  saved: Saved,
  place: string,
): { items: readonly Item[]; problems: DesignProblem[] } {
  const expansion = new Expansion(saved);
  const items = expansion.all(blocks, place, { path: [], isInColumns: false });
  return { items, problems: expansion.problems };
}

interface Around {
  /** The saved blocks that this one is in, from the outside in. */
  readonly path: readonly string[];
  readonly isInColumns: boolean;
}

class Expansion {
  readonly problems: DesignProblem[] = [];
  private count = 0;

  constructor(private readonly saved: Saved) {}

  /** `place` is that of the list; inside a saved block, that of the block that refers to it. */
  all(blocks: readonly Block[], place: string, around: Around): Item[] {
    const isSaved = around.path.length > 0;
    return blocks.flatMap((block, i) => this.one(block, isSaved ? place : `${place}[${i}]`, around));
  }

  private one(block: Block, place: string, around: Around): Item[] {
    if (++this.count > mostExpanded) {
      if (this.count === mostExpanded + 1)
        this.error(place, `saved blocks bring more than ${mostExpanded.toLocaleString('en')} blocks`);
      return [];
    }
    const isSaved = around.path.length > 0;
    const placed = { place, isSaved };
    const inside = (part: string) => within(placed, part);
    switch (block.type) {
      case 'saved':
        return this.savedBlock(block.blockId, place, around);
      case 'columns': {
        if (around.isInColumns) {
          this.error(place, 'a saved block brings columns into columns');
          return [];
        }
        const columns = block.columns.map(({ width, blocks }, i) => ({
          width,
          items: this.all(blocks, inside(`.columns[${i}].blocks`), { ...around, isInColumns: true }),
        }));
        return [{ kind: 'columns', block, columns, ...placed }];
      }
      case 'if': {
        const then = this.all(block.blocks, inside('.blocks'), around);
        const otherwise = this.all(block.else ?? [], inside('.else'), around);
        return [{ kind: 'if', block, then, otherwise, ...placed }];
      }
      case 'each':
        return [{ kind: 'each', block, items: this.all(block.blocks, inside('.blocks'), around), ...placed }];
      default:
        return [{ kind: 'leaf', block, ...placed }];
    }
  }

  private savedBlock(blockId: string, place: string, around: Around): Item[] {
    const at = around.path.length > 0 ? place : `${place}.blockId`;
    if (around.path.includes(blockId)) {
      this.error(at, 'this saved block contains itself');
      return [];
    }
    const blocks = Object.hasOwn(this.saved, blockId) ? this.saved[blockId] : null;
    if (!blocks) {
      this.error(at, 'this saved block no longer exists');
      return [];
    }
    return this.all(blocks, place, { ...around, path: [...around.path, blockId] });
  }

  private error(place: string, message: string): void {
    this.problems.push({ place, severity: 'error', message });
  }
}
