// The question before a request that changes something.
import { make } from './dom.js';

interface Question {
  title: string;
  text: (Node | string)[];
  yes: string;
  dangerous: boolean;
}

/** Returns whether it was confirmed. Escape means no. */
export function confirm({ title, text, yes, dangerous }: Question): Promise<boolean> {
  const no = make('button', { type: 'button', class: 'button' }, 'Cancel');
  const go = make('button', { type: 'button', class: `button ${dangerous ? 'danger' : 'main'}` }, yes);
  const dialog = make(
    'dialog',
    { 'aria-labelledby': 'confirm-title' },
    make('h2', { id: 'confirm-title' }, title),
    make('p', {}, ...text),
    make('div', { class: 'actions' }, no, go),
  );
  document.body.append(dialog);
  dialog.showModal();
  // Enter alone must not do something that cannot be undone.
  (dangerous ? no : go).focus();
  return new Promise((resolve) => {
    go.addEventListener('click', () => dialog.close('yes'));
    no.addEventListener('click', () => dialog.close());
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
  });
}
