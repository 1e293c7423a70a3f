// Keys that work on every page: ⌘K or Ctrl+K, `/`, `c`, `?`, and `g` with a letter. Never while typing, and never inside a dialog.
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { places } from '../places.tsx';
import { openSearch } from '../search/open-search.ts';
import { openShortcuts } from './open-shortcuts.ts';

const chordMs = 1_200;
const typing = 'input, textarea, select, [contenteditable=true], [role=textbox], [role=combobox]';

/** A page marks its box and its button with these attributes; if there are several, the first visible one is used. */
const searchBox = '[data-shortcut=search]';
const createButton = '[data-shortcut=create]';

export function useShortcuts(): void {
  const [, navigate] = useLocation();
  useEffect(() => {
    let chordUntil = 0;
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() === 'k' && (event.metaKey || event.ctrlKey) && !event.shiftKey && !event.altKey) {
        event.preventDefault();
        openSearch();
        return;
      }
      if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented || isBusy(event.target)) return;
      const isChord = event.timeStamp < chordUntil;
      chordUntil = 0;
      const place = isChord ? places.find(({ key }) => key === event.key) : undefined;
      if (place) {
        event.preventDefault();
        navigate(place.to);
        return;
      }
      switch (event.key) {
        case 'g':
          chordUntil = event.timeStamp + chordMs;
          return;
        case '/':
          return seen<HTMLInputElement>(searchBox, event, (box) => box.focus());
        case 'c':
          return seen<HTMLElement>(createButton, event, (button) => button.click());
        case '?':
          event.preventDefault();
          openShortcuts();
      }
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [navigate]);
}

function isBusy(target: EventTarget | null): boolean {
  const isTyping = target instanceof Element && target.closest(typing) !== null;
  // Asked second: it looks through the whole page.
  return isTyping || document.querySelector('[role=dialog]') !== null;
}

function seen<Kind extends HTMLElement>(selector: string, event: KeyboardEvent, act: (element: Kind) => void): void {
  const element = [...document.querySelectorAll<Kind>(selector)].find((each) => each.offsetParent !== null);
  if (!element) return;
  event.preventDefault();
  act(element);
}
