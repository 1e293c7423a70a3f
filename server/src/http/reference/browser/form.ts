// The form of one operation: who calls, parameters, headers and body.
import { type Caller, callerPart } from './caller.js';
import { make } from './dom.js';
import type { Operation } from './operation.js';
import { bodyRows, fieldRow, type Row, valuesOf } from './rows.js';
import type { Reader } from './session.js';

export interface Entered {
  caller: Caller;
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

export function formOf(operation: Operation, reader: Reader | undefined): Form {
  const id = `try-${operation.id}`;
  const caller = callerPart(id, operation, reader);
  const params = operation.params.map((field) => fieldRow(`${id}-path`, field));
  const query = operation.query.map((field) => fieldRow(`${id}-query`, field));
  const headers = operation.headers.map((field) => fieldRow(`${id}-header`, field));
  const body = bodyRows(id, operation);
  const parts = [
    caller.element,
    section('Path', params),
    section('Query', query),
    section('Body', body),
    section('Headers', headers),
  ].filter((part) => part !== undefined);
  const read = () => {
    const token = caller.row();
    const rows = [...(token ? [token] : []), ...params, ...query, ...headers, ...body];
    for (const row of rows) row.refuse('');
    const required = rows.filter(({ field }) => field.required);
    const missing = required.find(({ control }) => control.value.trim() === '');
    missing?.refuse(`${missing.field.name} is required.`);
    if (missing || !isJson(body, operation)) return undefined;
    return {
      caller: caller.read(),
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
