import type { Block } from '@rapport/contract';
import { type ComponentType, createContext, useContext } from 'react';
import type { CanvasLook } from '../model/look.ts';
import type { ListPath } from '../model/places.ts';
import type { DesignActions, Selection } from '../use-design-editor.ts';
import type { SavedBlocks } from '../use-saved-blocks.ts';

export interface BlockListProps {
  list: ListPath;
  blocks: readonly Block[];
  selection: Selection | undefined;
  /** The block that Tab reaches while none is selected. */
  first?: string | undefined;
}

interface CanvasState {
  actions: DesignActions;
  look: CanvasLook;
  isReadOnly: boolean;
  saved: SavedBlocks;
  /** The saved blocks that this is part of: none may be part of itself. */
  within: readonly string[];
  /** The element that says what the keys do. */
  keysId: string;
  /** Blocks hold lists of blocks: through here, not by an import that would go in a circle. */
  List: ComponentType<BlockListProps>;
}

export const CanvasContext = createContext<CanvasState | undefined>(undefined);

export function useCanvas(): CanvasState {
  const state = useContext(CanvasContext);
  if (!state) throw new Error('There is no canvas around this.');
  return state;
}
