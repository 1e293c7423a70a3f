// One call in three languages, each a program that works as pasted, given a token and the resources that its example names.
//
// TypeScript uses our own client. Python uses only its standard library, so nothing has to be installed first.
import { pathsOf, type Route } from '@rapport/contract';
import { literal, python, typescript } from './literal.js';

export const languages = [
  ['curl', 'curl'],
  ['typescript', 'TypeScript'],
  ['python', 'Python'],
] as const;
export type Language = (typeof languages)[number][0];

interface SampleOptions {
  baseUrl: string;
  /** Shown if a request may be repeated. */
  idempotencyKey?: string;
}

export function samplesOf(route: Route, options: SampleOptions): Record<Language, string> {
  return {
    curl: curl(route, options),
    typescript: typescriptSample(route, options),
    python: pythonSample(route, options),
  };
}

/** The newest version first: new code should use it. */
export function newestFirst(route: Route): string[] {
  return pathsOf(route).toReversed();
}

function addressOf(route: Route, baseUrl: string): string {
  const { path = {}, query = {} } = route.example;
  const filled = (newestFirst(route)[0] ?? '').replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  );
  const search = new URLSearchParams(query).toString();
  return `${baseUrl}${filled}${search ? `?${search}` : ''}`;
}

const tokenOf = ({ area }: Route) => (area === 'admin' ? 'ADMIN_TOKEN' : 'TOKEN');
const streamedType = ({ consumes = {} }: Route): string | undefined => Object.keys(consumes)[0];

function curl(route: Route, { baseUrl, idempotencyKey }: SampleOptions): string {
  const { body } = route.example;
  const url = quote(addressOf(route, baseUrl));
  const lines = [
    ...(route.method === 'GET' ? [`curl ${url}`] : [`curl -X ${route.method}`, url]),
    `-H "Authorization: Bearer $${tokenOf(route)}"`,
  ];
  if (idempotencyKey) lines.push(`-H 'Idempotency-Key: ${idempotencyKey}'`);
  const streamed = streamedType(route);
  if (streamed) lines.push(`-H 'Content-Type: ${streamed}'`, '-T file.csv');
  if (body !== undefined) lines.push(`-H 'Content-Type: application/json'`, `-d ${quote(shortJson(body))}`);
  return lines.join(' \\\n  ');
}

/** On one line if that fits the code column, else indented below `-d`. */
function shortJson(body: unknown): string {
  const line = JSON.stringify(body);
  return line.length <= 44 ? line : JSON.stringify(body, null, 2).replaceAll('\n', '\n  ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function typescriptSample(route: Route, { baseUrl, idempotencyKey }: SampleOptions): string {
  const streamed = streamedType(route);
  const lines = [
    ...(streamed ? [`import { createReadStream } from 'node:fs';`] : []),
    `import { createClient } from '@rapport/client';`,
    `import { ${route.id} } from '@rapport/contract';`,
    '',
    'const client = createClient({',
    `  baseUrl: ${typescript.string(baseUrl)},`,
    `  token: process.env.${tokenOf(route)} ?? '',`,
    '});',
  ];
  const { path, body } = route.example;
  const query = typedQuery(route);
  const fields = Object.entries({
    params: path && Object.keys(path).length > 0 ? path : undefined,
    query: query && Object.keys(query).length > 0 ? query : undefined,
    body,
    idempotencyKey,
  }).flatMap(([name, value]) =>
    value === undefined ? [] : [`  ${name}: ${literal(value, typescript, 2, name.length + 2)},\n`],
  );
  if (streamed)
    fields.push(`  body: createReadStream('file.csv'),\n`, `  contentType: ${typescript.string(streamed)},\n`);
  const input = fields.length === 0 ? '' : `, {\n${fields.join('')}}`;
  const [call, shown] = route.paged ? ['page', 'rows'] : ['call', 'data'];
  lines.push(`const { ${shown} } = await client.${call}(${route.id}${input});`, `console.log(${shown});`);
  return lines.join('\n');
}

/** In a URL everything is text; the client takes numbers as numbers and several values as an array. */
function typedQuery({ query: params = {}, example }: Route): Record<string, unknown> | undefined {
  if (!example.query) return undefined;
  return Object.fromEntries(
    Object.entries(example.query).map(([name, text]) => {
      const value = params[name]?.kind === 'whole' ? Number(text) : text;
      return [name, params[name]?.repeatable ? [value] : value];
    }),
  );
}

function pythonSample(route: Route, { baseUrl, idempotencyKey }: SampleOptions): string {
  const { body } = route.example;
  const streamed = streamedType(route);
  const type = streamed ?? (body === undefined ? undefined : 'application/json');
  const headers = [
    '"Authorization": f"Bearer {token}"',
    ...(idempotencyKey ? [`"Idempotency-Key": ${python.string(idempotencyKey)}`] : []),
    ...(type ? [`"Content-Type": ${python.string(type)}`] : []),
  ];
  const lines = [
    'import json',
    'import os',
    'from urllib.request import Request, urlopen',
    '',
    `token = os.environ["${tokenOf(route)}"]`,
    ...(body === undefined ? [] : [`body = ${literal(body, python, 0, 7)}`]),
    'request = Request(',
    `    ${python.string(addressOf(route, baseUrl))},`,
    ...(route.method === 'GET' ? [] : [`    method="${route.method}",`]),
    '    headers={',
    ...headers.map((header) => `        ${header},`),
    '    },',
    ...(streamed ? ['    data=open("file.csv", "rb"),'] : []),
    ...(body === undefined ? [] : ['    data=json.dumps(body).encode(),']),
    ')',
    'with urlopen(request, timeout=60) as answer:',
    '    print(json.load(answer)["data"])',
  ];
  return lines.join('\n');
}
