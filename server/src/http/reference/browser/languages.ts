// The tabs above every example. One choice applies to all of them, and to the next visit.
import { all, origin } from './dom.js';

const tab = '[data-language][role="tab"]';

export function setUpLanguages(): void {
  mark(document.documentElement.dataset.language ?? 'curl');
  document.addEventListener('click', (event) => {
    const chosen = origin(event, tab);
    if (chosen) choose(chosen);
  });
  document.addEventListener('keydown', (event) => {
    const current = origin(event, tab);
    const next = current && neighbour(current, event.key);
    if (!next) return;
    event.preventDefault();
    choose(next);
    next.focus({ preventScroll: true });
  });
}

function neighbour(current: HTMLElement, key: string): HTMLElement | undefined {
  const tabs = all(tab, current.parentElement ?? document);
  const at = tabs.indexOf(current);
  const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[key];
  return to === undefined ? undefined : tabs.at(to % tabs.length);
}

/** Every example on the page changes its height, so this keeps the reader's position. */
function choose(chosen: HTMLElement): void {
  const { language = '' } = chosen.dataset;
  const before = chosen.getBoundingClientRect().top;
  document.documentElement.dataset.language = language;
  mark(language);
  window.scrollBy({ top: chosen.getBoundingClientRect().top - before, behavior: 'instant' });
  try {
    localStorage.setItem('rapport-reference-language', language);
  } catch {
    // A browser without storage: the choice holds until the page is left.
  }
}

function mark(language: string): void {
  for (const button of all(tab)) {
    const selected = button.dataset.language === language;
    button.setAttribute('aria-selected', String(selected));
    button.tabIndex = selected ? 0 : -1;
  }
}
