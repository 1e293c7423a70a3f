// What happens to unsaved work when the user leaves a page, and the key that saves it.
import { useCallback, useEffect, useMemo, useState } from 'react';
import { type Guard, useLeaveGuard } from '../leave-guard.ts';

export function useUnsavedGuard(isDirty: boolean, home: string, onLeave: () => void) {
  const [leave, setLeave] = useState<() => void>();
  const [released, setReleased] = useState(false);
  const active = isDirty && !released;
  const guard = useMemo<Guard | undefined>(
    () =>
      active
        ? {
            allows: (path) => path.replace(/[?#].*$/, '') === home || path.startsWith(`${home}/`),
            ask: (go) => setLeave(() => go),
          }
        : undefined,
    [active, home],
  );
  useLeaveGuard(guard);
  return {
    isAsking: leave !== undefined,
    stay: () => setLeave(undefined),
    leave: () => {
      setLeave(undefined);
      // The user chose to discard it.
      onLeave();
      leave?.();
    },
    /** Unsaved work no longer matters: the thing is deleted. */
    release: useCallback(() => setReleased(true), []),
  };
}

/** Ctrl+S or Cmd+S saves; the browser's own dialog is of no use here. */
export function useSaveKey(save: (() => Promise<unknown>) | undefined) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      if (!event.repeat) void save?.();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [save]);
}
