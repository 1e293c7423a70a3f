// Rows of a form: a label, a control, a hint, and an error message.
import { make, prose } from './dom.js';
import type { Field, Operation } from './operation.js';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** The reader's tokens, in the memory of this page and nowhere else. */
const tokens: Record<Operation['token'], string> = { access: '', administration: '' };

export interface Row {
  element: HTMLElement;
  control: Control;
  field: Field;
  refuse(reason: string): void;
}

export function tokenRow(id: string, kind: Operation['token']): Row {
  const control = make('input', { type: 'password', autocomplete: 'off', spellcheck: 'false', 'data-token': kind });
  control.value = tokens[kind];
  control.addEventListener('input', () => {
    tokens[kind] = control.value;
    for (const other of document.querySelectorAll<HTMLInputElement>(`input[data-token="${kind}"]`))
      if (other !== control) other.value = control.value;
  });
  const name = kind === 'access' ? 'Personal access token' : 'Administration token';
  const hint = 'Kept in memory only. It is gone when you leave or reload the page.';
  return row(id, { name, hint, required: true, example: '', choices: [], many: false }, control, name);
}

export function fieldRow(id: string, field: Field): Row {
  return row(id, field, controlOf(field), make('code', {}, field.name));
}

function controlOf({ choices, many, example, required }: Field): Control {
  if (choices.length > 0 && !many)
    return make(
      'select',
      {},
      ...(required ? [] : [make('option', { value: '' }, 'Not sent')]),
      ...choices.map((choice) => make('option', { value: choice }, choice)),
    );
  const placeholder = example === '' ? undefined : `For example, ${example}`;
  if (many) return make('textarea', { rows: '2', placeholder: placeholder ?? 'One per line', spellcheck: 'false' });
  return make('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', placeholder });
}

export function bodyRows(id: string, { body, files }: Operation): Row[] {
  const plain = { required: false, example: '', choices: [], many: false };
  if (body !== null) {
    const control = make('textarea', { rows: String(Math.min(16, body.split('\n').length + 1)), spellcheck: 'false' });
    control.value = body;
    return [row(id, { ...plain, name: 'JSON', hint: 'Edit the example.' }, control, 'JSON')];
  }
  if (files.length === 0) return [];
  const file = { ...plain, name: 'File', hint: '', required: true };
  const type = { ...plain, name: 'Content-Type', hint: '', required: true, choices: files };
  return [row(id, file, make('input', { type: 'file' }), 'File'), row(id, type, controlOf(type), 'Content type')];
}

function row(prefix: string, field: Field, control: Control, label: Node | string): Row {
  const id = `${prefix}-${field.name.replace(/\W+/g, '-')}`;
  const fault = make('p', { class: 'fault', id: `${id}-fault`, role: 'alert' });
  const hint = field.hint + (field.many ? ' One per line.' : '');
  control.id = id;
  control.setAttribute('aria-describedby', `${id}-hint ${id}-fault`);
  const marked = field.required ? [' ', make('span', { class: 'mark' }, 'required')] : [];
  const element = make(
    'div',
    { class: 'field' },
    make('label', { for: id }, label, ...marked),
    control,
    make('p', { class: 'hint', id: `${id}-hint` }, ...prose(hint)),
    fault,
  );
  const refuse = (reason: string) => {
    fault.textContent = reason;
    control.toggleAttribute('aria-invalid', false);
    if (reason === '') return;
    control.setAttribute('aria-invalid', 'true');
    control.focus();
  };
  return { element, control, field, refuse };
}

export function valuesOf({ field, control }: Row): [string, string][] {
  const values = field.many ? control.value.split('\n') : [control.value];
  return values.filter((value) => value.trim() !== '').map((value) => [field.name, value.trim()]);
}
