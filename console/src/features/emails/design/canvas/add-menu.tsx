import { Button, Menu } from '@mantine/core';
import { type Block, blockKinds } from '@rapport/contract';
import { memo } from 'react';
import { PlusIcon } from '../../../../shared/icons.tsx';
import { t } from '../../../../texts/designs.ts';
import { noTransition } from '../../../../theme/theme.ts';
import { kindsToAdd, newBlock } from '../model/new-block.ts';
import classes from './canvas.module.css';
import { useCanvas } from './canvas-context.ts';

/** The kinds of blocks, and saved ones, in a menu. */
export const AddMenu = memo(function AddMenu({ label, onAdd }: { label: string; onAdd: (block: Block) => void }) {
  const { saved } = useCanvas();
  return (
    <Menu position="bottom" width={280} {...noTransition} returnFocus={false}>
      <Menu.Target>
        <Button size="compact-sm" variant="default" leftSection={<PlusIcon size={13} />} className={classes.add ?? ''}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.kinds ?? ''}>
        {kindsToAdd.map((kind) => (
          <Menu.Item key={kind} onClick={() => onAdd(newBlock(kind))}>
            {blockKinds[kind].title}
            <span className={classes.kindText}>{blockKinds[kind].text}</span>
          </Menu.Item>
        ))}
        {saved.offered.length > 0 && <Menu.Label>{t.savedBlocks}</Menu.Label>}
        {saved.offered.map(({ blockId, name, usedBy }) => (
          <Menu.Item key={blockId} onClick={() => onAdd({ type: 'saved', blockId })}>
            {name}
            <span className={classes.kindText}>{t.usedIn(usedBy)}</span>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
});
