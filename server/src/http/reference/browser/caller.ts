// Who a request is made as: the reader, by the session of this browser, or the owner of a token.
import { make } from './dom.js';
import type { Operation } from './operation.js';
import { type Row, tokenRow } from './rows.js';
import type { Reader } from './session.js';

export type Caller = { token: string } | { reader: Reader };

interface CallerPart {
  element: HTMLElement;
  /** The field of the token, if that is used. */
  row(): Row | undefined;
  read(): Caller;
}

/** What the reader chose last holds for the forms that are opened next. */
let wantsToken = false;

export function callerPart(id: string, operation: Operation, reader: Reader | undefined): CallerPart {
  const kind = operation.token;
  const row = tokenRow(id, kind);
  const read = () => ({ token: row.control.value.trim() });
  const legend = make('legend', {}, 'Call as');
  // The session is that of a person in a workspace: it administers no installation.
  if (kind === 'administration') return { element: make('fieldset', {}, legend, row.element), row: () => row, read };
  if (!reader) return { element: make('fieldset', {}, legend, row.element, wayIn(operation)), row: () => row, read };
  let byToken = wantsToken;
  const button = make('button', { type: 'button', class: 'button' });
  const element = make('fieldset', {});
  const show = () => {
    button.textContent = byToken ? 'Use my session' : 'Use a token instead';
    element.replaceChildren(
      legend,
      byToken ? row.element : make('p', { class: 'caller' }, ...wordsFor(reader)),
      button,
    );
  };
  button.addEventListener('click', () => {
    byToken = !byToken;
    wantsToken = byToken;
    show();
  });
  show();
  return { element, row: () => (byToken ? row : undefined), read: () => (byToken ? read() : { reader }) };
}

/** Leads back to the operation. */
function wayIn({ id }: Operation): HTMLElement {
  const address = new URL('../oauth/sign-in', import.meta.url);
  address.searchParams.set('next', `${location.pathname}${location.search}#${id}`);
  return make('p', { class: 'caller' }, 'Or ', make('a', { href: address.href }, 'sign in'), ' and call as yourself.');
}

/** `Ada (ada@example.com), admin in Acme`. */
export function wordsFor({ name, email, workspace }: Reader): (Node | string)[] {
  return [make('strong', {}, name), ` (${email}), ${workspace.role} in `, make('strong', {}, workspace.name)];
}
