// Dialogs open and close at once, and closing one returns the focus to where it was opened. Mantine returns the focus only if the dialog
// stays mounted while it is closed; most of ours are mounted when they open.
import { type DrawerProps, Drawer as MantineDrawer, Modal as MantineModal, type ModalProps } from '@mantine/core';
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { noTransition } from '../theme/theme.ts';

export function Modal(props: ModalProps) {
  useFocusBack(props.opened);
  return <MantineModal {...noTransition} {...props} {...useOwnEscape(props)} returnFocus={false} />;
}

export function Drawer(props: DrawerProps) {
  useFocusBack(props.opened);
  return <MantineDrawer {...noTransition} {...props} {...useOwnEscape(props)} returnFocus={false} />;
}

const open: symbol[] = [];
const watchers = new Set<() => void>();

function setOpen(id: symbol, isOpen: boolean): void {
  if (isOpen) open.push(id);
  else open.splice(open.indexOf(id), 1);
  for (const look of watchers) look();
}

const watch = (look: () => void) => {
  watchers.add(look);
  return () => void watchers.delete(look);
};

/** Escape closes only the dialog in front: no other dialog, and no panel that it was opened from. */
function useOwnEscape({
  opened,
  closeOnEscape = true,
  onKeyDown,
}: Pick<ModalProps, 'opened' | 'closeOnEscape' | 'onKeyDown'>) {
  const [id] = useState(() => Symbol());
  // A layout effect, so that it is in place before a key is pressed.
  useLayoutEffect(() => {
    if (!opened) return;
    setOpen(id, true);
    return () => setOpen(id, false);
  }, [id, opened]);
  const isInFront = useSyncExternalStore(watch, () => open.at(-1) === id);
  return {
    closeOnEscape: closeOnEscape && isInFront,
    onKeyDown: (event: KeyboardEvent<HTMLDivElement>) => {
      onKeyDown?.(event);
      // React bubbles it to where the dialog was opened, though that is elsewhere on the page.
      if (event.key === 'Escape') event.stopPropagation();
    },
  };
}

function useFocusBack(opened: boolean): void {
  // During its first render, the element that opened it still has the focus.
  const opener = useMemo(() => (opened ? openerNow() : undefined), [opened]);
  useEffect(() => {
    if (!opener) return;
    return () => {
      // After the dialog is gone, unless the focus has moved elsewhere, such as to the next dialog or page.
      setTimeout(() => document.activeElement === document.body && opener.focus({ preventScroll: true }));
    };
  }, [opener]);
}

/** A menu is gone when its dialog closes: then the focus returns to the element that opened the menu. */
function openerNow(): HTMLElement | undefined {
  const active = document.activeElement;
  const owner = active?.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const opener = owner ? document.getElementById(owner) : active;
  return opener instanceof HTMLElement ? opener : undefined;
}
