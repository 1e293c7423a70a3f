// The block editor of an email, with the dialogs about saved blocks.
import type { Design } from '@rapport/contract';
import { type ReactNode, useState } from 'react';
import { DesignBoard } from './design-board.tsx';
import type { DesignWork } from './design-work.ts';
import { updateBlock } from './model/edits.ts';
import { blockAt } from './model/places.ts';
import { SaveAsDialog } from './saved/save-as-dialog.tsx';
import { SavedBlockDialog } from './saved/saved-block-dialog.tsx';
import type { Compiled } from './use-compiled.ts';
import type { SavedQuestion } from './use-design-editor.ts';

interface DesignPaneProps {
  work: DesignWork;
  design: Design;
  compiled: Compiled;
  isReadOnly: boolean;
  preview: ReactNode;
  /** A saved block was changed: emails that use it have been saved with it. */
  onSavedChange: () => void;
}

export default function DesignPane({ onSavedChange, ...board }: DesignPaneProps) {
  const { work, design, isReadOnly } = board;
  const [question, ask] = useState<SavedQuestion>();
  const close = () => ask(undefined);
  return (
    <>
      <DesignBoard {...board} ask={isReadOnly ? undefined : ask} />
      {question?.what === 'save' && (
        <SaveAsDialog
          block={question.block}
          onSaved={({ blockId }) =>
            work.change((old) =>
              blockAt(old, question.path) === question.block
                ? updateBlock(old, question.path, () => ({ type: 'saved', blockId }))
                : old,
            )
          }
          onClose={close}
        />
      )}
      {question?.what === 'edit' && (
        <SavedBlockDialog blockId={question.blockId} theme={design.theme} onChanged={onSavedChange} onClose={close} />
      )}
    </>
  );
}
