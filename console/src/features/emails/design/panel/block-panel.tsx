// The settings of the selected block, from the contract's grammar.
import { Button, Stack, Text } from '@mantine/core';
import { type Block, type BlockFieldKind, blockKinds } from '@rapport/contract';
import { memo } from 'react';
import { t } from '../../../../texts/designs.ts';
import type { BlockPath } from '../model/places.ts';
import type { DesignActions } from '../use-design-editor.ts';
import type { SavedBlocks } from '../use-saved-blocks.ts';
import { fieldOf } from './fields.tsx';
import classes from './panel.module.css';
import { SavedFields } from './saved-fields.tsx';

interface BlockPanelProps {
  path: BlockPath | undefined;
  block: Block | undefined;
  actions: DesignActions;
  saved: SavedBlocks;
}

/** Not drawn again while somebody writes the text of the block. */
export const BlockPanel = memo(function BlockPanel({ path, block, actions, saved }: BlockPanelProps) {
  if (!path || !block) return <Text c="dimmed">{t.noBlock}</Text>;
  const { title, text, wants, may } = blockKinds[block.type];
  const fields = [
    ...Object.entries(wants as Record<string, BlockFieldKind>).map(([name, kind]) => ({
      name,
      kind,
      isOptional: false,
    })),
    ...Object.entries(may as Record<string, BlockFieldKind>).map(([name, kind]) => ({ name, kind, isOptional: true })),
  ];
  const set = (name: string) => (value: unknown) =>
    actions.update(path, name, (old) => {
      const { [name]: _, ...rest } = old as unknown as Record<string, unknown>;
      return (value === undefined ? rest : { ...old, [name]: value }) as unknown as Block;
    });
  return (
    <Stack gap="sm">
      <div>
        <h2 className={classes.title}>{title}</h2>
        <Text size="xs" c="dimmed">
          {text}
        </Text>
      </div>
      {fields.map(({ name, kind, isOptional }) => {
        const Field = fieldOf[kind];
        const value = (block as unknown as Record<string, unknown>)[name];
        return Field && <Field key={`${path}.${name}`} {...{ block, name, value, isOptional }} onChange={set(name)} />;
      })}
      {block.type === 'saved' && <SavedFields {...{ path, block, actions, saved }} />}
      {block.type === 'if' && (
        <Button variant="default" size="xs" onClick={() => set('else')(block.else ? undefined : [])}>
          {block.else ? t.removeElse : t.addElse}
        </Button>
      )}
    </Stack>
  );
}, isSame);

function isSame(one: BlockPanelProps, other: BlockPanelProps): boolean {
  const { path, actions, saved } = one;
  return (
    path === other.path && actions === other.actions && saved === other.saved && hasSameSettings(one.block, other.block)
  );
}

/** Equal apart from the text, which is written on the canvas. */
function hasSameSettings(one: Block | undefined, other: Block | undefined): boolean {
  if (!one || !other) return one === other;
  const [settings, others] = [settingsOf(one), settingsOf(other)];
  const names = Object.keys(settings);
  return names.length === Object.keys(others).length && names.every((name) => settings[name] === others[name]);
}

function settingsOf(block: Block): Record<string, unknown> {
  const { content: _, ...settings } = block as Block & { content?: unknown };
  return settings;
}
