// A saved block, edited where it is stored: the change reaches every email that uses it.
import { Alert, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { compileEmail, type DesignTheme, getBlock } from '@rapport/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { about, answersOf, foundOf } from '../../../../api/ask.ts';
import { useApi } from '../../../../api/session/session.tsx';
import { Modal } from '../../../../shared/dialog.tsx';
import { ErrorState } from '../../../../shared/error-state.tsx';
import { ConfirmDialog } from '../../../../shared/form/confirm-dialog.tsx';
import { DialogButtons } from '../../../../shared/form/dialog-buttons.tsx';
import { useAction } from '../../../../shared/form/use-action.ts';
import { LoadingState } from '../../../../shared/loading-state.tsx';
import { t, words } from '../../../../texts/designs.ts';
import { changeSaved, deleteSaved, type StoredBlock } from '../design-api.ts';
import { DesignBoard } from '../design-board.tsx';
import { isSameJson } from '../model/same.ts';
import { useBlocksWork } from './use-blocks-work.ts';

interface SavedBlockDialogProps {
  blockId: string;
  /** Of the email, so that the block looks as it does there. */
  theme: DesignTheme | undefined;
  onChanged: () => void;
  onClose: () => void;
}

export function SavedBlockDialog({ blockId, ...rest }: SavedBlockDialogProps) {
  const api = useApi();
  const { data, error } = useQuery({
    ...foundOf(api, getBlock, { params: { blockId } }),
    // It must not change while it is being edited.
    ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
  });
  if (data) return <SavedBlockEditor stored={data} {...rest} />;
  return (
    <Modal opened onClose={rest.onClose} title={words.editSaved}>
      {error && <ErrorState error={error} compact />}
      {data === undefined && !error && <LoadingState label={t.loadingSaved} />}
      {data === null && <Text>{words.savedGone}</Text>}
      {data === null && <DialogButtons onCancel={rest.onClose} />}
    </Modal>
  );
}

type SavedBlockEditorProps = Omit<SavedBlockDialogProps, 'blockId'> & { stored: StoredBlock };

function SavedBlockEditor({ stored, theme, onChanged, onClose }: SavedBlockEditorProps) {
  const api = useApi();
  const queries = useQueryClient();
  const [name, setName] = useState(stored.name);
  const [asked, setAsked] = useState<'discard' | 'delete'>();
  const { work, design, compiled } = useBlocksWork(stored.blocks, theme);
  const isChanged = !isSameJson(design.blocks, stored.blocks);
  const isDirty = isChanged || name !== stored.name;
  const saving = useAction({
    act: () => changeSaved(api, stored, { name, ...(isChanged ? { blocks: design.blocks } : {}) }),
    said: ({ usedBy }) => t.savedEverywhere(usedBy),
    refresh: ['blocks'],
    isToldInPlace: true,
    onDone: () => {
      void queries.invalidateQueries(answersOf(compileEmail));
      onChanged();
      onClose();
    },
  });
  const leave = () => (isDirty && !saving.isPending ? setAsked('discard') : onClose());
  return (
    // Escape ends the editing of a text first, and a click beside it must not lose work.
    <Modal
      opened
      onClose={leave}
      // Its height follows the panel: what is in the middle would move away under the pointer.
      centered={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      size="76rem"
      title={words.editSaved}
    >
      <Stack gap="sm">
        {stored.usedBy > 0 && <Alert color="yellow">{t.savedWarning(stored.usedBy)}</Alert>}
        <TextInput
          label={t.savedName}
          value={name}
          maxLength={255}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <DesignBoard {...{ work, design, compiled }} isReadOnly={false} preview={undefined} within={stored.blockId} />
        <Group justify="space-between" align="flex-end">
          <Button variant="subtle" color="gray" c="var(--bad)" onClick={() => setAsked('delete')}>
            {t.deleteSaved}
          </Button>
          <div>
            <DialogButtons
              confirm={t.saveBlock}
              fault={saving.error?.message}
              onCancel={leave}
              onConfirm={() => saving.mutate()}
              isBusy={saving.isPending}
              isDisabled={!isDirty || name.trim() === '' || design.blocks.length === 0}
            />
          </div>
        </Group>
      </Stack>
      {asked === 'discard' && (
        <ConfirmDialog
          title={t.discardSavedTitle}
          text={t.discardSavedText}
          confirm={t.discard}
          act={() => undefined}
          onDone={onClose}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title={t.deleteSaved}
          text={t.deleteSavedText(stored.name)}
          confirm={t.deleteSaved}
          act={() => deleteSaved(api, stored.blockId)}
          onDone={() => {
            void queries.invalidateQueries(about('blocks'));
            void queries.invalidateQueries(answersOf(compileEmail));
            onClose();
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Modal>
  );
}
