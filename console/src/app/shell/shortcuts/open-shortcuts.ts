const wanted = 'rapport-shortcuts';

export const openShortcuts = (): void => void window.dispatchEvent(new Event(wanted));

export function onShortcutsWanted(open: () => void): () => void {
  window.addEventListener(wanted, open);
  return () => window.removeEventListener(wanted, open);
}
