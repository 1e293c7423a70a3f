// All kinds of blocks, and the saved ones, to press or to drag onto the email.
import { ActionIcon, UnstyledButton } from '@mantine/core';
import { type Block, blockKinds } from '@rapport/contract';
import type { ReactNode } from 'react';
import { EditIcon } from '../../../../shared/icons.tsx';
import { t } from '../../../../texts/designs.ts';
import type { StoredBlock } from '../design-api.ts';
import { kindsToAdd, newBlock } from '../model/new-block.ts';
import type { DesignActions } from '../use-design-editor.ts';
import classes from './panel.module.css';

interface PaletteProps {
  actions: DesignActions;
  saved: readonly StoredBlock[];
}

export function Palette({ actions, saved }: PaletteProps) {
  const { ask } = actions;
  return (
    <>
      <div className={classes.palette}>
        {kindsToAdd.map((kind) => (
          <Piece key={kind} actions={actions} make={() => newBlock(kind)}>
            {blockKinds[kind].title}
          </Piece>
        ))}
      </div>
      {saved.length > 0 && (
        <section aria-labelledby="saved-blocks">
          <h2 id="saved-blocks" className={classes.section}>
            {t.savedBlocks}
          </h2>
          {saved.map(({ blockId, name, usedBy }) => (
            <div key={blockId} className={classes.savedRow}>
              <Piece actions={actions} make={() => ({ type: 'saved', blockId })}>
                {name}
                <span className={classes.kindText}>{t.usedIn(usedBy)}</span>
              </Piece>
              {ask && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={t.editSavedOf(name)}
                  title={t.editSavedOf(name)}
                  onClick={() => ask({ what: 'edit', blockId })}
                >
                  <EditIcon />
                </ActionIcon>
              )}
            </div>
          ))}
        </section>
      )}
    </>
  );
}

interface PieceProps {
  actions: DesignActions;
  make: () => Block;
  children: ReactNode;
}

function Piece({ actions, make, children }: PieceProps) {
  return (
    <UnstyledButton
      className={classes.kind ?? ''}
      draggable
      onClick={() => actions.add(make())}
      onDragStart={(event) => {
        actions.dragged.current = { block: make() };
        event.dataTransfer.effectAllowed = 'copy';
        event.dataTransfer.setData('text/plain', '');
      }}
      onDragEnd={() => {
        actions.dragged.current = undefined;
      }}
    >
      {children}
    </UnstyledButton>
  );
}
