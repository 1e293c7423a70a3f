// A saved block: what is in it, under its name. It is changed where it is stored, not here.
import type { SavedBlock } from '@rapport/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { about } from '../../../../api/ask.ts';
import { AlertIcon, BookmarkIcon } from '../../../../shared/icons.tsx';
import { words } from '../../../../texts/designs.ts';
import canvasClasses from './canvas.module.css';
import { CanvasContext, useCanvas } from './canvas-context.ts';
import classes from './saved-view.module.css';

export function SavedView({ block: { blockId } }: { block: SavedBlock }) {
  const canvas = useCanvas();
  const { saved, within, List } = canvas;
  const inner = useMemo(
    () => ({ ...canvas, isReadOnly: true, within: [...canvas.within, blockId] }),
    [canvas, blockId],
  );
  const found = saved.byId.get(blockId);
  const queries = useQueryClient();
  const isMissing = saved.isKnown && !found;
  // It may be newer than what was read.
  useEffect(() => {
    if (isMissing) void queries.invalidateQueries(about('blocks'));
  }, [isMissing, queries]);
  if (within.includes(blockId)) return null;
  if (!found)
    return (
      <div className={canvasClasses.saved} data-missing={isMissing || undefined}>
        <p className={classes.label}>
          {isMissing ? <AlertIcon size={13} /> : <BookmarkIcon size={13} />}
          {isMissing ? words.savedGone : words.titleOf('saved')}
        </p>
        {isMissing && <p className={classes.text}>{words.savedGoneText}</p>}
      </div>
    );
  return (
    <CanvasContext value={inner}>
      <div className={canvasClasses.saved}>
        <p className={classes.label}>
          <BookmarkIcon size={13} />
          {found.name}
        </p>
        <List list="saved" blocks={found.blocks} selection={undefined} />
      </div>
    </CanvasContext>
  );
}
