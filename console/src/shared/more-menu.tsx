import { ActionIcon, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { t } from '../texts/shared.ts';
import { noTransition } from '../theme/theme.ts';
import { copyText } from './copy-button.tsx';
import { CopyIcon, MoreIcon } from './icons.tsx';

interface MoreMenuProps {
  label: string;
  /** Beside the buttons of a page, not at the end of a row. */
  isOfPage?: boolean;
  isBusy?: boolean;
  children: ReactNode;
}

/** More actions, behind one button. */
export function MoreMenu({ label, isOfPage = false, isBusy = false, children }: MoreMenuProps) {
  const look = isOfPage ? { variant: 'default', size: 36 } : { variant: 'subtle', color: 'gray' };
  return (
    // The placeholder would be a child that a menu may not have.
    <Menu withInitialFocusPlaceholder={false} position="bottom-end" withinPortal {...noTransition}>
      <Menu.Target>
        <ActionIcon {...look} aria-label={label} loading={isBusy}>
          <MoreIcon />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}

/** Without HTTPS a browser may offer no clipboard: then the id is shown to be copied manually. */
export function CopyIdItem({ id }: { id: string }) {
  const copy = async () => notifications.show({ message: (await copyText(id)) ? t.copied : id });
  return (
    <Menu.Item leftSection={<CopyIcon />} onClick={() => void copy()}>
      {t.copyId}
    </Menu.Item>
  );
}
