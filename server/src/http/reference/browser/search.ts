// Search by name, path and group. Operations that only mention the words are one more click away, or shown at once if
// no name contains them.
import { links, openMenu } from './contents.js';
import { all, get } from './dom.js';
import { mentions as has, spellingsOf } from './words.js';

interface Entry {
  link: HTMLAnchorElement;
  item: HTMLElement;
  name: HTMLElement;
  title: string;
  /** All text about it, including fields and error codes; collected when it is first needed. */
  text: string | undefined;
}

export function setUpSearch(): void {
  const input = get('#find', HTMLInputElement);
  const mentions = get('.mentions', HTMLButtonElement);
  const finder = finderOf(input, mentions);
  let soon = 0;
  input.addEventListener('input', () => {
    finder();
    // Some browsers refuse to change the address at every keystroke.
    clearTimeout(soon);
    soon = setTimeout(() => remember(input.value), 300);
  });
  mentions.addEventListener('click', () => {
    finder({ mentions: true });
    input.focus();
  });
  setUpKeys(input);
  input.value = new URLSearchParams(location.search).get('q') ?? '';
  if (input.value === '') return;
  openMenu();
  finder();
}

/** Shows the operations with the words of the input, in their groups, and how many there are. */
function finderOf(input: HTMLInputElement, mentions: HTMLButtonElement): (also?: { mentions: boolean }) => void {
  const entries = [...links].map(entryOf);
  const groups = all<HTMLDetailsElement>('nav details');
  const count = get('.found', HTMLElement);
  let before: HTMLDetailsElement[] | undefined;
  return (also) => {
    const words = wordsOf(input.value);
    const named = entries.filter(({ title }) => words.every((word) => has(title, word)));
    const mentioned = entries.filter((entry) => words.every((word) => has(textOf(entry), word)));
    const shown = new Set(also?.mentions || named.length === 0 ? mentioned : named);
    for (const entry of entries) show(entry, shown.has(entry) ? words.flatMap(spellingsOf) : undefined);
    // After a search, the groups are as they were before.
    if (words.length > 0) before ??= groups.filter((group) => group.open);
    for (const group of groups) {
      group.hidden = ![...shown].some(({ item }) => group.contains(item));
      if (words.length > 0) group.open = true;
      else if (before) group.open = before.includes(group) || group.querySelector('[aria-current]') !== null;
    }
    if (words.length === 0) before = undefined;
    count.textContent = words.length === 0 ? '' : countOf(shown.size);
    mentions.hidden = mentioned.length <= shown.size;
    mentions.textContent = `Show ${mentioned.length - shown.size} more that mention it`;
  };
}

/** `/` focuses from anywhere; in the field Escape clears, Enter goes to the first result, arrows move through all. */
function setUpKeys(input: HTMLInputElement): void {
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    event.preventDefault();
    openMenu();
    input.focus();
    input.select();
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') visible()[0]?.click();
    if (event.key !== 'Escape' || input.value === '') return;
    event.preventDefault();
    input.value = '';
    input.dispatchEvent(new Event('input'));
  });
  moveByArrows(input);
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

/** Hidden without words. */
function show({ item, name }: Entry, words: string[] | undefined): void {
  item.hidden = words === undefined;
  paint(name, words ?? []);
}

function textOf(entry: Entry): string {
  entry.text ??= `${entry.title} ${document.querySelector(`${entry.link.hash} .said`)?.textContent?.toLowerCase() ?? ''}`;
  return entry.text;
}

/** Highlights the words in a name. */
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

/** So that a search can be shared as a link. */
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
