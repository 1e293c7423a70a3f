// A block on the canvas: what it looks like, and all that can be done with it by hand and by keyboard.
import type { Block } from '@rapport/contract';
import { type DragEvent, type KeyboardEvent, type MouseEvent, memo, useEffect, useRef, useState } from 'react';
import { words } from '../../../../texts/designs.ts';
import { nameOf } from '../model/outline.ts';
import { type BlockPath, spotOf } from '../model/places.ts';
import { isTextual, type Selection } from '../use-design-editor.ts';
import { BlockTools } from './block-tools.tsx';
import { BlockView } from './block-view.tsx';
import classes from './canvas.module.css';
import { useCanvas } from './canvas-context.ts';

interface BlockFrameProps {
  path: BlockPath;
  block: Block;
  /** Of this block, or of one inside it. */
  selection: Selection | undefined;
  isStop: boolean;
}

export const BlockFrame = memo(function BlockFrame({ path, block, selection, isStop }: BlockFrameProps) {
  const { actions, isReadOnly, saved, keysId } = useCanvas();
  const frame = useRef<HTMLDivElement>(null);
  const own = selection?.path === path ? selection : undefined;
  const drop = useDrop(path);
  // Selecting a block moves the focus to it, or to its text while that is being edited.
  useEffect(() => {
    const element = frame.current;
    if (own && !own.isEditing && element && !element.contains(document.activeElement)) element.focus();
  }, [own]);
  if (isReadOnly)
    return (
      <div className={classes.frame} data-kind={block.type}>
        <BlockView path={path} block={block} selection={undefined} />
      </div>
    );
  const onClick = (event: MouseEvent) => {
    event.stopPropagation();
    if (own?.isEditing) return;
    const isText = isTextual(block) && (event.target as Element).closest('[data-text]') !== null;
    actions.select(path, isText, { x: event.clientX, y: event.clientY });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a form's
    <div
      ref={frame}
      role="group"
      aria-label={words.blockLabel(nameOf(block, saved.byId))}
      aria-describedby={keysId}
      className={classes.frame}
      data-path={path}
      data-kind={block.type}
      data-selected={own ? true : undefined}
      data-drop={drop.side}
      // One block at a time has the keyboard; the arrows lead to the others.
      tabIndex={own || isStop ? 0 : -1}
      onClick={onClick}
      onKeyDown={(event) => {
        if (event.target === event.currentTarget && take(event)) event.preventDefault();
      }}
      onFocus={(event) => {
        if (event.target === event.currentTarget && !own) actions.select(path);
      }}
      {...drop.handlers}
    >
      {own && (
        <BlockTools
          path={path}
          kind={block.type}
          blockId={block.type === 'saved' ? block.blockId : undefined}
          isEditing={own.isEditing}
        />
      )}
      <BlockView path={path} block={block} selection={selection} />
    </div>
  );

  /** True if the key means something here. */
  function take({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
    const isMod = ctrlKey || metaKey;
    if (key === 'ArrowUp' || key === 'ArrowDown') {
      const isUp = key === 'ArrowUp';
      if (altKey) actions.step(path, isUp ? 'up' : 'down');
      else actions.walk(path, isUp ? -1 : 1);
    } else if (key === 'Enter') {
      if (isTextual(block)) actions.select(path, true);
      else actions.openSettings();
    } else if (key === 'Delete' || key === 'Backspace') actions.remove(path);
    else if (key.toLowerCase() === 'd' && isMod) actions.duplicate(path);
    else return false;
    return true;
  }
});

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files');

/** A block or file that is dragged over it goes above or below. */
function useDrop(path: BlockPath) {
  const { actions } = useCanvas();
  const [side, setSide] = useState<'before' | 'after'>();
  const sideOf = ({ currentTarget, clientY }: DragEvent) => {
    const { top, height } = currentTarget.getBoundingClientRect();
    return clientY < top + height / 2 ? 'before' : 'after';
  };
  return {
    side,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!actions.dragged.current && !hasFiles(event)) return;
        event.preventDefault();
        event.stopPropagation();
        setSide(sideOf(event));
      },
      onDragLeave: () => setSide(undefined),
      onDrop: (event: DragEvent) => {
        if (!actions.dragged.current && !hasFiles(event)) return;
        event.preventDefault();
        event.stopPropagation();
        setSide(undefined);
        const { list, at } = spotOf(path);
        const spot = { list, at: sideOf(event) === 'before' ? at : at + 1 };
        if (actions.dragged.current) actions.drop(spot);
        else void actions.addPictures(event.dataTransfer.files, spot);
      },
    },
  };
}
