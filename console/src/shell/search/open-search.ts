// The search is loaded when it is first wanted: this is all that the first page has of it.
const wanted = 'rapport-search';

export const openSearch = (): void => void window.dispatchEvent(new Event(wanted));

export function onSearchWanted(open: () => void): () => void {
  window.addEventListener(wanted, open);
  return () => window.removeEventListener(wanted, open);
}
