// Dialogs: they open and close at once, and whoever closes one goes on where they opened it. Mantine gives the focus back only where the dialog
// stays in the tree while it is closed; most of ours are made when they are wanted.
import { type DrawerProps, Drawer as MantineDrawer, Modal as MantineModal, type ModalProps } from '@mantine/core';
import { useEffect, useMemo } from 'react';
import { noTransition } from '../theme/theme.ts';

export function Modal(props: ModalProps) {
  useFocusBack(props.opened);
  return <MantineModal {...noTransition} {...props} returnFocus={false} />;
}

export function Drawer(props: DrawerProps) {
  useFocusBack(props.opened);
  return <MantineDrawer {...noTransition} {...props} returnFocus={false} />;
}

function useFocusBack(opened: boolean): void {
  // While it is drawn for the first time, what opened it still has the focus.
  const opener = useMemo(() => (opened ? openerNow() : undefined), [opened]);
  useEffect(() => {
    if (!opener) return;
    return () => {
      // After the dialog is gone; unless the focus has found another place, such as the next dialog or page.
      setTimeout(() => document.activeElement === document.body && opener.focus({ preventScroll: true }));
    };
  }, [opener]);
}

/** A menu is gone when its dialog closes: then it is what opened the menu. */
function openerNow(): HTMLElement | undefined {
  const active = document.activeElement;
  const owner = active?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const opener = owner ? document.getElementById(owner) : active;
  return opener instanceof HTMLElement ? opener : undefined;
}
