// What can be done with a list of either kind, besides editing it.
import { Menu } from '@mantine/core';
import { Link } from 'wouter';
import { CopyIcon, JourneyIcon, SplitIcon } from '../../../shared/icons.tsx';
import { t } from '../../../texts/lists.ts';
import { type ListKey, sayKey } from '../list-key.ts';

interface ListMenuItemsProps {
  list: ListKey;
  onStartJourney: () => void;
  onDuplicate: () => void;
}

export function ListMenuItems({ list, onStartJourney, onDuplicate }: ListMenuItemsProps) {
  return (
    <>
      <Menu.Item leftSection={<JourneyIcon />} onClick={onStartJourney}>
        {t.startJourney}
      </Menu.Item>
      <Menu.Item leftSection={<CopyIcon />} onClick={onDuplicate}>
        {t.duplicate}
      </Menu.Item>
      <Menu.Item leftSection={<SplitIcon />} component={Link} href={`/lists/compare?one=${sayKey(list)}`}>
        {t.compare}
      </Menu.Item>
    </>
  );
}
