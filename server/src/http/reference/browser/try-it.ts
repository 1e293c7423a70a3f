// "Try it": a form below the example that calls this service as the reader, by the session of their browser or with a token of theirs.
import { showAnswer, showFailure } from './answer.js';
import { wordsFor } from './caller.js';
import { confirm } from './confirm.js';
import { make, origin } from './dom.js';
import { type Entered, type Form, formOf } from './form.js';
import type { Operation } from './operation.js';
import { addressOf, send } from './request.js';
import { findReader, type Reader } from './session.js';

let operations: Promise<Record<string, Operation>> | undefined;

export function setUpTrying(): void {
  document.addEventListener('click', (event) => {
    const button = origin(event, '.try');
    if (button) void toggle(button);
  });
}

async function toggle(button: HTMLElement): Promise<void> {
  const place = button.closest('p');
  const open = place?.nextElementSibling;
  if (open?.classList.contains('panel')) {
    open.remove();
    return say(button, false);
  }
  say(button, true);
  const [loaded, reader] = await Promise.all([load(), findReader()]);
  const operation = loaded?.[button.dataset.operation ?? ''];
  if (!operation || place?.nextElementSibling?.classList.contains('panel')) return say(button, Boolean(operation));
  const panel = panelOf(operation, reader);
  place?.after(panel);
  panel.querySelector<HTMLElement>('input, select, textarea')?.focus({ preventScroll: true });
  panel.scrollIntoView({ block: 'nearest' });
}

function say(button: HTMLElement, opened: boolean): void {
  button.setAttribute('aria-expanded', String(opened));
  button.textContent = opened ? 'Close' : 'Try it';
  button.setAttribute('aria-label', `${button.textContent}: ${button.dataset.name}`);
}

/** Loaded when the reader first tries something; a failure is retried at the next click. */
function load(): Promise<Record<string, Operation> | undefined> {
  operations ??= fetch(new URL('operations.json', import.meta.url)).then((response) => response.json());
  return operations.catch(() => {
    operations = undefined;
    return undefined;
  });
}

function panelOf(operation: Operation, reader: Reader | undefined): HTMLElement {
  const form = formOf(operation, reader);
  const button = make('button', { class: 'button main' }, 'Send');
  const answer = make('div', { class: 'answer' });
  let running: AbortController | undefined;
  const element = make(
    'form',
    { class: 'panel', novalidate: true, 'aria-label': `Try: ${operation.name}` },
    ...form.parts,
    make('div', { class: 'actions' }, button),
    answer,
  );
  element.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (running) return running.abort();
    const entered = await enteredIn(form, operation);
    if (!entered) return;
    running = new AbortController();
    button.textContent = 'Stop';
    await run(operation, entered, running.signal, answer);
    running = undefined;
    button.textContent = 'Send';
  });
  return element;
}

/** What to send, once nothing is missing and, if it would change something, the reader has confirmed. */
async function enteredIn(form: Form, operation: Operation): Promise<Entered | undefined> {
  const entered = form.read();
  if (!entered || operation.method === 'GET') return entered;
  const { pathname } = addressOf(operation, entered);
  const confirmed = await confirm({
    title: `${operation.name}?`,
    text: [
      'This is a real request: ',
      make('code', {}, `${operation.method} ${pathname}`),
      ' will be sent to this service ',
      ...('reader' in entered.caller ? ['as ', ...wordsFor(entered.caller.reader)] : ['with your token']),
      '.',
    ],
    yes: `Send ${operation.method}`,
    dangerous: operation.method === 'DELETE',
  });
  return confirmed ? entered : undefined;
}

async function run(operation: Operation, entered: Entered, signal: AbortSignal, into: HTMLElement): Promise<void> {
  into.replaceChildren();
  into.setAttribute('aria-busy', 'true');
  try {
    showAnswer(into, await send(operation, entered, signal));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    showFailure(into, signal.aborted ? 'Stopped. The request may still have gone through.' : `No response: ${reason}`);
  } finally {
    into.removeAttribute('aria-busy');
    into.scrollIntoView({ block: 'nearest' });
  }
}
