// The state of the block editor: what is selected, and the edits of it. The design itself is in the email's draft, with its undo history.
import { notifications } from '@mantine/notifications';
import {
  type Block,
  type BlockContent,
  type BlockKind,
  type Design,
  type DesignTheme,
  mostFileBytes,
} from '@rapport/contract';
import type { Editor } from '@tiptap/core';
import { useId, useMemo, useRef, useState } from 'react';
import { useApi } from '../../../api/session/session.tsx';
import { t, words } from '../../../texts/designs.ts';
import { uploadPicture } from './design-api.ts';
import type { DesignWork } from './design-work.ts';
import {
  afterInsertion,
  canHold,
  hasRoom,
  insertBlock,
  moveBlock,
  nextSpot,
  removeBlock,
  selectionAfterRemoval,
  spotForNew,
  spotLeft,
  updateBlock,
} from './model/edits.ts';
import { nameOf } from './model/outline.ts';
import { type BlockPath, blockAt, pathIn, pathsOf, type Spot, spotOf } from './model/places.ts';

export interface Selection {
  readonly path: BlockPath;
  /** Its text is being edited. */
  readonly isEditing: boolean;
  /** Where the pointer was. */
  readonly at?: { x: number; y: number } | undefined;
}

/** What is beside the canvas, and instead of it on a phone. `edit`: what fits the selection. */
export type Side = 'edit' | 'add' | 'block' | 'theme' | 'preview';

/** What is asked in a dialog about a saved block. */
export type SavedQuestion =
  | { readonly what: 'save'; readonly path: BlockPath; readonly block: Block }
  | { readonly what: 'edit'; readonly blockId: string };

/** What is in the hand while it is dragged: a block of the design, or a new one. */
type Dragged = { path: BlockPath } | { block: Block };

export type DesignEditor = ReturnType<typeof useDesignEditor>;
export type DesignActions = DesignEditor['actions'];

const textual = new Set<BlockKind>(['heading', 'text', 'button', 'footer']);
export const isTextual = ({ type }: Block) => textual.has(type);

// A pause of a second ends what one undo takes back.
const burstMs = 1000;

/** @param ask undefined where blocks cannot be saved. Never changes. */
export function useDesignEditor(work: DesignWork, design: Design, ask?: (question: SavedQuestion) => void) {
  const [selection, setSelection] = useState<Selection>();
  const [said, setSaid] = useState('');
  const [editor, setEditor] = useState<Editor>();
  const [side, setSide] = useState<Side>('edit');
  const latest = useRef({ design, selection });
  latest.current = { design, selection };
  const dragged = useRef<Dragged>(undefined);
  const burst = useRef({ count: 0, last: 0 });
  const { change, undo, redo } = work;
  const panelId = useId();
  const api = useApi();

  const actions = useMemo(() => {
    const now = () => latest.current.design;
    /** Consecutive edits of one field are one step of undo, until there is a pause. */
    const typing = (field: string) => {
      const at = performance.now();
      if (at - burst.current.last > burstMs) burst.current.count++;
      burst.current.last = at;
      return `design:${field}:${burst.current.count}`;
    };
    const select = (path: BlockPath | undefined, isEditing = false, at?: { x: number; y: number }) => {
      setSelection(path === undefined ? undefined : { path, isEditing, at });
      // A preview beside the canvas stays.
      setSide((old) => (old === 'preview' ? old : 'edit'));
    };
    const insert = (spot: Spot, block: Block): boolean => {
      const fault = canHold(spot.list, block) ? !hasRoom(now(), block) && words.noRoom : words.noColumnsInColumns;
      setSaid(fault || words.added(nameOf(block)));
      if (fault) return false;
      change((old) => insertBlock(old, spot, block));
      select(pathIn(spot.list, spot.at), isTextual(block));
      return true;
    };
    const move = (path: BlockPath, spot: Spot) => {
      const moved = moveBlock(now(), path, spot);
      const block = blockAt(now(), path);
      if (!moved || !block) return setSaid(words.cannotGoThere);
      change(() => moved.design);
      select(moved.path);
      const { at } = spotOf(moved.path);
      setSaid(words.moved(nameOf(block), at + 1, moved.path.includes('.')));
    };
    return {
      select,
      go: (path: BlockPath) => select(path),
      showTheme: () => setSide('theme'),
      insert,
      move,
      say: setSaid,
      setEditor,
      setSide,
      openSettings: () => {
        setSide('block');
        requestAnimationFrame(() =>
          document
            .getElementById(panelId)
            ?.querySelector<HTMLElement>(':is(input, textarea, button):not([type=radio])')
            ?.focus(),
        );
      },
      dragged,
      add: (block: Block) => insert(spotForNew(now(), latest.current.selection?.path, block), block),
      /** Blocks after the text that is being written; instead of it, if there is none. */
      goOn: (path: BlockPath, blocks: readonly Block[], isEmpty: boolean) => {
        const { list, at } = spotOf(path);
        const fitting = blocks.filter((block) => canHold(list, block));
        const last = fitting.at(-1);
        if (!last) return setSaid(words.noColumnsInColumns);
        if (!hasRoom(now(), { type: 'each', of: '', blocks: fitting })) return setSaid(words.noRoom);
        change((old) => {
          const rest = isEmpty ? removeBlock(old, path) : old;
          const first = isEmpty ? at : at + 1;
          return fitting.reduce((so, block, i) => insertBlock(so, { list, at: first + i }, block), rest);
        });
        select(pathIn(list, at + fitting.length - (isEmpty ? 1 : 0)), isTextual(last));
        setSaid(words.added(nameOf(last)));
      },
      ask,
      saveAs: (path: BlockPath) => {
        const block = blockAt(now(), path);
        if (block) ask?.({ what: 'save', path, block });
      },
      /** Other blocks in its place, such as those of a saved block. */
      replace: (path: BlockPath, blocks: readonly Block[]) => {
        const { list, at } = spotOf(path);
        if (!blocks.every((block) => canHold(list, block))) return setSaid(words.noColumnsInColumns);
        if (!hasRoom(removeBlock(now(), path), { type: 'each', of: '', blocks })) return setSaid(words.noRoom);
        change((old) =>
          blocks.reduce((so, block, i) => insertBlock(so, { list, at: at + i }, block), removeBlock(old, path)),
        );
        select(pathIn(list, at));
        setSaid(words.replaced);
      },
      /** Files that were dropped or pasted. */
      addPictures: async (files: FileList, { list, at }: Spot) => {
        let next = at;
        for (const file of files) {
          try {
            if (file.size > mostFileBytes) throw new Error(t.pictureTooLarge);
            const block: Block = { type: 'image', src: await uploadPicture(api, file), alt: '' };
            const { selection } = latest.current;
            // Somebody who went on writing meanwhile is not interrupted, and the place may be gone.
            const spot = spotLeft(now(), { list, at: next }, block);
            if (!insert(spot, block)) return;
            if (selection?.isEditing) select(afterInsertion(selection.path, spot), true);
            next++;
          } catch (error) {
            notifications.show({ color: 'red', title: file.name, message: (error as Error).message });
          }
        }
      },
      drop: (spot: Spot) => {
        const held = dragged.current;
        dragged.current = undefined;
        if (!held) return;
        if ('path' in held) move(held.path, spot);
        else insert(spot, held.block);
      },
      step: (path: BlockPath, direction: 'up' | 'down') => {
        const spot = nextSpot(now(), path, direction);
        if (spot) move(path, spot);
        else setSaid(direction === 'up' ? words.isFirst : words.isLast);
      },
      remove: (path: BlockPath) => {
        const block = blockAt(now(), path);
        if (!block) return;
        const next = selectionAfterRemoval(now(), path);
        change((old) => removeBlock(old, path));
        select(next);
        setSaid(words.removed(nameOf(block)));
      },
      duplicate: (path: BlockPath) => {
        const block = blockAt(now(), path);
        const { list, at } = spotOf(path);
        if (block) insert({ list, at: at + 1 }, block);
      },
      update: (path: BlockPath, field: string, make: (block: Block) => Block) =>
        change((old) => (blockAt(old, path) ? updateBlock(old, path, make) : old), typing(`${path}.${field}`)),
      write: (path: BlockPath, content: BlockContent, put: (block: Block, content: BlockContent) => Block) =>
        change((old) => updateBlock(old, path, (block) => put(block, content)), typing(`${path}.text`)),
      setTheme: (make: (theme: DesignTheme) => DesignTheme) =>
        change((old) => ({ ...old, theme: make(old.theme ?? {}) }), typing('theme')),
      /** The block above or below in reading order. */
      walk: (path: BlockPath, direction: 1 | -1) => {
        const paths = pathsOf(now());
        const next = paths[paths.indexOf(path) + direction];
        if (next) select(next);
      },
      undo,
      redo,
    };
  }, [change, undo, redo, ask, panelId, api]);

  // A block that an undo, or somebody else, has taken away is no longer selected.
  const selected = selection && blockAt(design, selection.path) ? selection : undefined;
  return { actions, selection: selected, said, editor, side, panelId };
}
