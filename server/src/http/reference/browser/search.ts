// Search: names and paths first; where only the text of an operation has the words, its name stays too.
import { links, openMenu } from './contents.js';
import { all, get } from './dom.js';

interface Entry {
  link: HTMLAnchorElement;
  item: HTMLElement;
  name: HTMLElement;
  title: string;
  /** Everything that is said about it, fields and error codes included; read when it is first needed. */
  text: string | undefined;
}

export function setUpSearch(): void {
  const input = get('#find', HTMLInputElement);
  const entries = [...links].map(entryOf);
  const groups = all<HTMLDetailsElement>('nav details');
  let opened: HTMLDetailsElement[] | undefined;

  const search = () => {
    const words = wordsOf(input.value);
    // As it was before the search, it is again after it.
    if (words.length > 0) opened ??= groups.filter((group) => group.open);
    const found = entries.filter((entry) => show(entry, words));
    for (const group of groups) {
      group.hidden = words.length > 0 && !found.some(({ item }) => group.contains(item));
      if (words.length > 0) group.open = true;
      else if (opened) group.open = opened.includes(group) || group.querySelector('[aria-current]') !== null;
    }
    if (words.length === 0) opened = undefined;
    get('.found', HTMLElement).textContent = words.length === 0 ? '' : countOf(found.length);
  };
  let soon = 0;
  input.addEventListener('input', () => {
    search();
    // Some browsers refuse a new address at every letter.
    clearTimeout(soon);
    soon = setTimeout(() => remember(input.value), 300);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && input.value !== '') {
      event.preventDefault();
      input.value = '';
      input.dispatchEvent(new Event('input'));
    }
    if (event.key === 'Enter') visible()[0]?.click();
  });
  moveByArrows(input);
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    event.preventDefault();
    openMenu();
    input.focus();
    input.select();
  });
  input.value = new URLSearchParams(location.search).get('q') ?? '';
  if (input.value !== '') {
    openMenu();
    search();
  }
}

function entryOf([id, link]: [string, HTMLAnchorElement]): Entry {
  const section = document.getElementById(id);
  const endpoints = all('.endpoints', section ?? document.createElement('p'));
  const tag = link.closest('details')?.querySelector('summary')?.textContent ?? '';
  return {
    link,
    item: link.closest('li') ?? link,
    name: link.querySelector('span') ?? link,
    title: [link.textContent, id, tag, ...endpoints.map((list) => list.textContent)].join(' ').toLowerCase(),
    text: undefined,
  };
}

function show(entry: Entry, words: string[]): boolean {
  const inTitle = words.every((word) => entry.title.includes(word));
  const found = inTitle || words.every((word) => textOf(entry).includes(word));
  entry.item.hidden = !found;
  paint(entry.name, found ? words : []);
  return found;
}

function textOf(entry: Entry): string {
  entry.text ??= `${entry.title} ${document.querySelector(`${entry.link.hash} .said`)?.textContent?.toLowerCase() ?? ''}`;
  return entry.text;
}

/** Marks the words in a name. */
function paint(element: HTMLElement, words: string[]): void {
  const text = element.textContent ?? '';
  const lower = text.toLowerCase();
  const places = words.map((word) => [lower.indexOf(word), word.length] as const).filter(([at]) => at >= 0);
  let end = 0;
  const parts: (Node | string)[] = [];
  for (const [at, length] of places.sort(([a], [b]) => a - b)) {
    if (at < end) continue;
    const mark = document.createElement('mark');
    mark.textContent = text.slice(at, at + length);
    parts.push(text.slice(end, at), mark);
    end = at + length;
  }
  element.replaceChildren(...parts, text.slice(end));
}

function moveByArrows(input: HTMLInputElement): void {
  get('.side', HTMLElement).addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    const stops: HTMLElement[] = [input, ...visible()];
    const at = stops.indexOf(document.activeElement as HTMLElement);
    if (at < 0) return;
    event.preventDefault();
    stops[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
  });
}

const visible = () => [...links.values()].filter((link) => link.checkVisibility());

/** So that a search can be sent to somebody. */
function remember(query: string): void {
  const address = new URL(location.href);
  if (query.trim() === '') address.searchParams.delete('q');
  else address.searchParams.set('q', query);
  history.replaceState(null, '', address);
}

const wordsOf = (query: string) => query.toLowerCase().split(/\s+/).filter(Boolean);
const countOf = (found: number) => (found === 0 ? 'Nothing found' : found === 1 ? '1 found' : `${found} found`);

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
}
