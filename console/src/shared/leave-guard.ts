// Asks before work is lost: every way out of a page goes through here, links and the browser's Back alike.
import { useEffect } from 'react';
import type { BaseLocationHook, NavigateOptions } from 'wouter';
import { useBrowserLocation } from 'wouter/use-browser-location';

export interface Guard {
  /** Destinations that lose nothing, such as another tab of the same email. */
  allows(path: string): boolean;
  /** Asks the user; calls `leave` if the answer is yes. */
  ask(leave: () => void): void;
}

let guard: Guard | undefined;
/** Where the user stays until leaving is allowed. */
let here = location.href;

function passes(path: string): boolean {
  return !guard || guard.allows(path);
}

/** For wouter's Router: like its own hook, but a guarded page is asked first. */
export const useGuardedLocation: BaseLocationHook = () => {
  const [path, navigate] = useBrowserLocation();
  const go = (to: string | URL, options?: NavigateOptions) => {
    const leave = () => {
      navigate(to, options);
      here = location.href;
    };
    if (passes(new URL(to, location.href).pathname)) leave();
    else guard?.ask(leave);
  };
  return [path, go];
};

// The browser has already moved when this event fires: move back, then ask. Registered before wouter's listener, so that it never sees the event.
window.addEventListener(
  'popstate',
  (event) => {
    if (passes(location.pathname)) {
      here = location.href;
      return;
    }
    event.stopImmediatePropagation();
    const asked = guard;
    history.pushState(null, '', here);
    asked?.ask(() => {
      guard = undefined;
      history.back();
    });
  },
  { capture: true },
);

export function useLeaveGuard(active: Guard | undefined): void {
  useEffect(() => {
    if (!active) return;
    guard = active;
    here = location.href;
    const onBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', onBeforeUnload);
    return () => {
      if (guard === active) guard = undefined;
      window.removeEventListener('beforeunload', onBeforeUnload);
    };
  }, [active]);
}

/** For ways out other than navigation, such as signing out. */
export function leaveFor(leave: () => void): void {
  if (guard) guard.ask(leave);
  else leave();
}
