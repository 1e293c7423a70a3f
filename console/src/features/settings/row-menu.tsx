import { ActionIcon, Menu } from '@mantine/core';
import type { ReactNode } from 'react';
import { MoreIcon } from '../../shared/icons.tsx';
import { noTransition } from '../../theme/theme.ts';

/** What one can do with a row, behind one button at its end. */
export function RowMenu({ label, children }: { label: string; children: ReactNode }) {
  return (
    // The placeholder would be a child that a menu may not have.
    <Menu withInitialFocusPlaceholder={false} position="bottom-end" withinPortal {...noTransition}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={label}>
          <MoreIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
