// The buttons of the selected block.
import { ActionIcon } from '@mantine/core';
import type { BlockKind } from '@rapport/contract';
import { memo, type ReactNode } from 'react';
import {
  ArrowDownIcon,
  ArrowUpIcon,
  BookmarkIcon,
  CopyIcon,
  DetachIcon,
  DragIcon,
  EditIcon,
  GearIcon,
  TrashIcon,
} from '../../../../shared/icons.tsx';
import { words } from '../../../../texts/designs.ts';
import type { BlockPath } from '../model/places.ts';
import { StyleTools } from '../text/style-tools.tsx';
import classes from './canvas.module.css';
import { useCanvas } from './canvas-context.ts';

interface BlockToolsProps {
  path: BlockPath;
  kind: BlockKind;
  /** Of a saved block. */
  blockId: string | undefined;
  isEditing: boolean;
}

/** Not drawn again while somebody writes. */
export const BlockTools = memo(function BlockTools({ path, kind, blockId, isEditing }: BlockToolsProps) {
  const { actions, saved } = useCanvas();
  const { ask } = actions;
  const held = blockId === undefined ? undefined : saved.byId.get(blockId);
  return (
    <div
      role="toolbar"
      aria-label={words.blockTools}
      className={classes.tools}
      data-editing={isEditing || undefined}
      onClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        if (event.key === 'Escape') actions.select(path);
      }}
    >
      <span
        className={classes.handle}
        draggable
        aria-hidden="true"
        data-testid="drag-handle"
        onDragStart={(event) => {
          actions.dragged.current = { path };
          event.dataTransfer.effectAllowed = 'move';
          event.dataTransfer.setData('text/plain', '');
        }}
        onDragEnd={() => {
          actions.dragged.current = undefined;
        }}
      >
        <DragIcon size={14} />
        {words.titleOf(kind)}
      </span>
      {isEditing && <StyleTools hasLists={kind === 'text' || kind === 'footer'} />}
      <Tool label={words.moveUp} icon={<ArrowUpIcon size={14} />} onClick={() => actions.step(path, 'up')} />
      <Tool label={words.moveDown} icon={<ArrowDownIcon size={14} />} onClick={() => actions.step(path, 'down')} />
      <Tool label={words.duplicate} icon={<CopyIcon size={14} />} onClick={() => actions.duplicate(path)} />
      {ask && kind !== 'saved' && (
        <Tool label={words.saveAs} icon={<BookmarkIcon size={14} />} onClick={() => actions.saveAs(path)} />
      )}
      {ask && held && (
        <Tool
          label={words.editSaved}
          icon={<EditIcon size={14} />}
          onClick={() => ask({ what: 'edit', blockId: held.blockId })}
        />
      )}
      {held && (
        <Tool label={words.detach} icon={<DetachIcon size={14} />} onClick={() => actions.replace(path, held.blocks)} />
      )}
      <Tool label={words.settings} icon={<GearIcon size={14} />} onClick={actions.openSettings} />
      <Tool label={words.remove} icon={<TrashIcon size={14} />} onClick={() => actions.remove(path)} />
    </div>
  );
});

function Tool({ label, icon, onClick }: { label: string; icon: ReactNode; onClick: () => void }) {
  return (
    <ActionIcon variant="subtle" color="gray" size="sm" aria-label={label} title={label} onClick={onClick}>
      {icon}
    </ActionIcon>
  );
}
