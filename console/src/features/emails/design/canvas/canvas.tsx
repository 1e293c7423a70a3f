// The email as it will look, made of blocks that can be selected, moved and written in.
import type { Design } from '@rapport/contract';
import { type CSSProperties, useMemo } from 'react';
import { words } from '../../../../texts/designs.ts';
import { lookOf } from '../model/look.ts';
import { pathIn, topList } from '../model/places.ts';
import type { DesignActions, Selection } from '../use-design-editor.ts';
import type { SavedBlocks } from '../use-saved-blocks.ts';
import { AddMenu } from './add-menu.tsx';
import { BlockList } from './block-list.tsx';
import classes from './canvas.module.css';
import { CanvasContext } from './canvas-context.ts';

interface CanvasProps {
  design: Design;
  selection: Selection | undefined;
  actions: DesignActions;
  isReadOnly: boolean;
  saved: SavedBlocks;
  keysId: string;
}

const none: readonly string[] = [];

export function Canvas({ design, selection, actions, isReadOnly, saved, keysId }: CanvasProps) {
  const { theme, blocks } = design;
  const look = useMemo(() => lookOf(theme), [theme]);
  const state = useMemo(
    () => ({ actions, look, isReadOnly, saved, keysId, within: none, List: BlockList }),
    [actions, look, isReadOnly, saved, keysId],
  );
  const style = {
    '--canvas-link': look.link,
    '--canvas-text': look.text,
    '--canvas-surface': look.surface,
  } as CSSProperties;
  return (
    <CanvasContext value={state}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a click beside the email ends the selection, as Escape does */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above */}
      <div
        className={classes.page}
        style={{ ...style, background: look.background, color: look.text, fontFamily: look.font }}
        onClick={() => actions.select(undefined)}
      >
        <section
          aria-label={words.canvas}
          className={classes.sheet}
          style={{ maxWidth: look.width, background: look.surface, borderRadius: look.radius }}
        >
          <BlockList
            list={topList}
            blocks={blocks}
            selection={selection}
            first={selection ? undefined : pathIn(topList, 0)}
          />
        </section>
        {!isReadOnly && blocks.length > 0 && (
          // biome-ignore lint/a11y/noStaticElementInteractions: keeps the selection
          // biome-ignore lint/a11y/useKeyWithClickEvents: keeps the selection
          <div className={classes.end} onClick={(event) => event.stopPropagation()}>
            <AddMenu label={words.addBlock} onAdd={actions.add} />
          </div>
        )}
      </div>
    </CanvasContext>
  );
}
