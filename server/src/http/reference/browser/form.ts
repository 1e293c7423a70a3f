// The form of one operation: its token, parameters, headers and body.
import { make } from './dom.js';
import type { Operation } from './operation.js';
import { bodyRows, fieldRow, type Row, tokenRow, valuesOf } from './rows.js';

export interface Entered {
  token: string;
  params: Record<string, string>;
  query: [string, string][];
  headers: Record<string, string>;
  body: string | File | undefined;
  contentType: string | undefined;
}

export interface Form {
  parts: HTMLElement[];
  /** What was entered; or undefined, with the first error shown at its field. */
  read(): Entered | undefined;
}

export function formOf(operation: Operation): Form {
  const id = `try-${operation.id}`;
  const token = tokenRow(id, operation.token);
  const params = operation.params.map((field) => fieldRow(`${id}-path`, field));
  const query = operation.query.map((field) => fieldRow(`${id}-query`, field));
  const headers = operation.headers.map((field) => fieldRow(`${id}-header`, field));
  const body = bodyRows(id, operation);
  const parts = [
    section('Your token', [token]),
    section('Path', params),
    section('Query', query),
    section('Body', body),
    section('Headers', headers),
  ].filter((part) => part !== undefined);
  const required = [token, ...params, ...query, ...body].filter(({ field }) => field.required);
  const read = () => {
    for (const row of [token, ...params, ...query, ...headers, ...body]) row.refuse('');
    const missing = required.find(({ control }) => control.value.trim() === '');
    missing?.refuse(`${missing.field.name} is required.`);
    if (missing || !isJson(body, operation)) return undefined;
    return {
      token: token.control.value.trim(),
      params: Object.fromEntries(params.map(({ field, control }) => [field.name, control.value])),
      query: query.flatMap(valuesOf),
      headers: Object.fromEntries(headers.flatMap(valuesOf)),
      ...contentOf(operation, body),
    };
  };
  return { parts, read };
}

function section(title: string, rows: Row[]): HTMLElement | undefined {
  if (rows.length === 0) return undefined;
  return make('fieldset', {}, make('legend', {}, title), ...rows.map(({ element }) => element));
}

function isJson([row]: Row[], { body }: Operation): boolean {
  if (body === null || !row || row.control.value.trim() === '') return true;
  try {
    JSON.parse(row.control.value);
    return true;
  } catch (error) {
    row.refuse(`Not valid JSON: ${error instanceof Error ? error.message : error}`);
    return false;
  }
}

function contentOf({ body }: Operation, [first, second]: Row[]): Pick<Entered, 'body' | 'contentType'> {
  if (first?.control instanceof HTMLInputElement)
    return { body: first.control.files?.[0], contentType: second?.control.value };
  const text = body === null ? '' : (first?.control.value.trim() ?? '');
  return text === '' ? { body: undefined, contentType: undefined } : { body: text, contentType: 'application/json' };
}
