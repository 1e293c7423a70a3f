// The operations as data, for trying them on the page.
import { type Route, takesIdempotencyKey } from '@rapport/contract';
import type { Field, Operation } from './browser/operation.js';
import { newestFirst } from './samples.js';

export function operationsOf(routes: readonly Route[]): Record<string, Operation> {
  return Object.fromEntries(routes.map((route) => [route.id, operationOf(route)]));
}

function operationOf(route: Route): Operation {
  const { body, example } = route;
  return {
    id: route.id,
    name: route.summary,
    method: route.method,
    path: newestFirst(route)[0] ?? '',
    token: route.area === 'admin' ? 'administration' : 'access',
    params: paramsOf(route),
    query: queryOf(route),
    headers: headersOf(route),
    body: body ? JSON.stringify(example.body ?? {}, null, 2) : null,
    files: Object.keys(route.consumes ?? {}),
  };
}

const plain: Field = { name: '', hint: '', required: false, example: '', choices: [], many: false };

function paramsOf({ path, pathParams = {}, example }: Route): Field[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    ...plain,
    name,
    hint: pathParams[name] ?? '',
    required: true,
    example: example.path?.[name] ?? '',
  }));
}

function queryOf({ query = {}, example }: Route): Field[] {
  return Object.entries(query).map(([name, param]) => ({
    name,
    hint: param.description,
    required: param.required ?? false,
    example: example.query?.[name] ?? (param.kind === 'whole' ? String(param.default) : ''),
    choices: param.kind === 'choice' ? [...param.words] : [],
    many: param.repeatable,
  }));
}

function headersOf(route: Route): Field[] {
  const headers: Field[] = [];
  if (takesIdempotencyKey(route))
    headers.push({ ...plain, name: 'Idempotency-Key', hint: 'Retrying with the same key is safe.' });
  if (route.hasEtag && route.method === 'PATCH')
    headers.push({ ...plain, name: 'If-Match', hint: 'The `ETag` of a read. Rejected if it has changed since.' });
  return headers;
}
