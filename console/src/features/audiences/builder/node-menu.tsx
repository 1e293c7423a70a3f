import { ActionIcon, Kbd, Menu } from '@mantine/core';
import { ArrowDownIcon, ArrowUpIcon, CopyIcon, MoreIcon, TrashIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/filter.ts';
import { useBuilder } from './builder-context.ts';
import { duplicateNode, moveNode, removeNode, unwrapGroup, wrapNode } from './model/edit.ts';
import { isGroup, type Node } from './model/tree.ts';

/** All actions on a condition or a group, for the keyboard and phones too. */
export function NodeMenu({ node, label }: { node: Node; label: string }) {
  const { tree, isReadOnly } = useBuilder();
  if (isReadOnly) return null;
  const { root, change } = tree;
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t.more(label)}>
          <MoreIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<ArrowUpIcon size={14} />}
          rightSection={<Kbd>{t.keyUp}</Kbd>}
          onClick={() => change(moveNode(root, node.id, 'up'))}
        >
          {t.moveUp}
        </Menu.Item>
        <Menu.Item
          leftSection={<ArrowDownIcon size={14} />}
          rightSection={<Kbd>{t.keyDown}</Kbd>}
          onClick={() => change(moveNode(root, node.id, 'down'))}
        >
          {t.moveDown}
        </Menu.Item>
        <Menu.Item onClick={() => change(wrapNode(root, node.id))}>{t.groupIt}</Menu.Item>
        {isGroup(node) && <Menu.Item onClick={() => change(unwrapGroup(root, node.id))}>{t.ungroup}</Menu.Item>}
        <Menu.Item leftSection={<CopyIcon size={14} />} onClick={() => change(duplicateNode(root, node.id))}>
          {t.duplicate}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<TrashIcon size={14} />} onClick={() => change(removeNode(root, node.id))}>
          {t.remove}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
