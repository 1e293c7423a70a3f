// A button on every block of code.
import { all, make, origin } from './dom.js';

const said = make('p', { class: 'unseen', role: 'status' });

export function setUpCopying(): void {
  document.body.append(said);
  document.addEventListener('click', async (event) => {
    const button = origin(event, '.copy');
    const figure = button?.closest('figure');
    if (!button || !figure) return;
    // With several languages, the one that is shown.
    const shown = all('pre', figure).find((pre) => pre.offsetParent !== null);
    const copied = await copy(shown?.textContent ?? '');
    button.textContent = copied ? 'Copied' : 'Press Ctrl+C';
    said.textContent = copied ? 'Copied' : 'Could not copy. Select the code and press Control and C.';
    setTimeout(() => {
      button.textContent = 'Copy';
      said.textContent = '';
    }, 2000);
  });
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyOld(text);
  }
}

/** The clipboard is available only on https and on localhost; a service in an intranet may be neither. */
function copyOld(text: string): boolean {
  const field = make('textarea', { class: 'unseen', 'aria-hidden': 'true' });
  field.value = text;
  const before = document.activeElement;
  document.body.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  return copied;
}
