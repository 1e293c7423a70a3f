// What the block editor works on: the design of an email, of one of its translations, or a saved block.
import type { Design } from '@rapport/contract';

export interface DesignWork {
  /** `about` as in the history of drafts. Never changes, as undo and redo. */
  readonly change: (make: (design: Design) => Design, about?: string) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** Why it was not saved. */
  readonly fault: string | undefined;
}
