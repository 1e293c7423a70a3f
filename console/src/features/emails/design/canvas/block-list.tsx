// A list of blocks: at the top, in a column, in a condition. Empty, it is a place to drop the first.
import { useState } from 'react';
import { words } from '../../../../texts/designs.ts';
import { isWithin, type ListPath, pathIn } from '../model/places.ts';
import { AddMenu } from './add-menu.tsx';
import { BlockFrame } from './block-frame.tsx';
import classes from './canvas.module.css';
import { type BlockListProps, useCanvas } from './canvas-context.ts';

export function BlockList({ list, blocks, selection, first }: BlockListProps) {
  if (blocks.length === 0) return <EmptyList list={list} />;
  return blocks.map((block, at) => {
    const path = pathIn(list, at);
    return (
      <BlockFrame
        key={path}
        path={path}
        block={block}
        // Only those that it concerns are drawn again.
        selection={selection && isWithin(selection.path, path) ? selection : undefined}
        isStop={first === path}
      />
    );
  });
}

function EmptyList({ list }: { list: ListPath }) {
  const { actions, isReadOnly } = useCanvas();
  const [isOver, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same
    // biome-ignore lint/a11y/useKeyWithClickEvents: it only keeps a click from what is around
    <div
      className={classes.empty}
      data-over={isOver || undefined}
      // The menu is not part of the block around it.
      onClick={(event) => event.stopPropagation()}
      onDragOver={(event) => {
        if (isReadOnly) return;
        event.preventDefault();
        event.stopPropagation();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (isReadOnly) return;
        event.preventDefault();
        event.stopPropagation();
        setOver(false);
        const { files } = event.dataTransfer;
        if (files.length > 0) void actions.addPictures(files, { list, at: 0 });
        else actions.drop({ list, at: 0 });
      }}
    >
      {isReadOnly ? (
        words.emptyList
      ) : (
        <AddMenu label={words.addHere} onAdd={(block) => actions.insert({ list, at: 0 }, block)} />
      )}
    </div>
  );
}
