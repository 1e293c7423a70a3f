// A saved block where it is used: which one it is, and what can be done with it.
import { Alert, Button, Select, Stack, Text } from '@mantine/core';
import type { SavedBlock } from '@rapport/contract';
import { t, words } from '../../../../texts/designs.ts';
import type { BlockPath } from '../model/places.ts';
import type { DesignActions } from '../use-design-editor.ts';
import type { SavedBlocks } from '../use-saved-blocks.ts';

interface SavedFieldsProps {
  path: BlockPath;
  block: SavedBlock;
  actions: DesignActions;
  saved: SavedBlocks;
}

export function SavedFields({ path, block, actions, saved }: SavedFieldsProps) {
  const held = saved.byId.get(block.blockId);
  const { ask } = actions;
  return (
    <Stack gap="sm">
      {!held && saved.isKnown && (
        <Alert color="red" title={words.savedGone}>
          {words.savedGoneText}
        </Alert>
      )}
      <Select
        label={t.savedBlock}
        data={saved.offered.map(({ blockId, name }) => ({ value: blockId, label: name }))}
        value={held ? block.blockId : null}
        placeholder={t.chooseSaved}
        allowDeselect={false}
        searchable
        onChange={(blockId) => blockId && actions.update(path, 'blockId', () => ({ type: 'saved', blockId }))}
      />
      {held && <Text c="dimmed">{t.usedIn(held.usedBy)}</Text>}
      {held && ask && (
        <Button variant="default" size="xs" onClick={() => ask({ what: 'edit', blockId: held.blockId })}>
          {words.editSaved}
        </Button>
      )}
      {held && (
        <Button variant="default" size="xs" onClick={() => actions.replace(path, held.blocks)}>
          {words.detach}
        </Button>
      )}
      {!held && saved.isKnown && (
        <Button variant="default" size="xs" onClick={() => actions.remove(path)}>
          {words.remove}
        </Button>
      )}
    </Stack>
  );
}
