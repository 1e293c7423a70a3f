// The search is loaded on first use: this is the only part of it in the first page.
const wanted = 'rapport-search';
/** How long keys wait for the search box; after that they go to the page again. */
const patienceMs = 15_000;

let early = '';
let patience: number | undefined;

/** Keys typed from now on are for the search, even before its box exists. */
export function openSearch(): void {
  early = '';
  window.clearTimeout(patience);
  patience = window.setTimeout(takeEarlyKeys, patienceMs);
  // Only once, however often it is called.
  window.addEventListener('keydown', keep, { capture: true });
  window.dispatchEvent(new Event(wanted));
}

/** The box exists now: returns what was typed before, once. */
export function takeEarlyKeys(): string {
  const typed = early;
  early = '';
  window.clearTimeout(patience);
  window.removeEventListener('keydown', keep, { capture: true });
  return typed;
}

function keep(event: KeyboardEvent): void {
  // Some keyboards use both together to write an @.
  if (event.metaKey || (event.ctrlKey && !event.altKey)) return;
  if (event.key === 'Escape') takeEarlyKeys();
  else if (event.key === 'Backspace') early = early.slice(0, -1);
  else if (event.key.length === 1) early += event.key;
  // Enter is not for the focused button.
  else if (event.key !== 'Enter') return;
  event.preventDefault();
  event.stopPropagation();
}

export function onSearchWanted(open: () => void): () => void {
  window.addEventListener(wanted, open);
  return () => window.removeEventListener(wanted, open);
}
