import { useEffect } from 'react';
import type { JourneyWork } from './use-journey-work.ts';

const typing = 'input, textarea, select, [contenteditable=true]';

/** ⌘Z and ⇧⌘Z (Ctrl elsewhere, Ctrl+Y too) undo and redo. Inside a field they belong to the field. */
export function useEditKeys({ undo, redo }: JourneyWork, isReadOnly: boolean): void {
  useEffect(() => {
    if (isReadOnly) return;
    const onKey = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.altKey) return;
      if (event.target instanceof HTMLElement && event.target.closest(typing)) return;
      const key = event.key.toLowerCase();
      if (key !== 'z' && key !== 'y') return;
      event.preventDefault();
      if (key === 'y' || event.shiftKey) redo();
      else undo();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [undo, redo, isReadOnly]);
}
