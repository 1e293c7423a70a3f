// One operation of the reference: what it does on the left, how that looks on the right.
import {
  type ErrorCode,
  errorCatalogue,
  errorCodesOf,
  exampleAnswer,
  pathsOf,
  type Route,
  scopeOf,
} from '@rapport/contract';
import { answerTables, bodyTable, pathTable, queryTable, streamTable } from './fields.js';
import { codeBlock, highlightJson, highlightShell } from './highlight.js';
import { breakable, escapeHtml, prose } from './html.js';

export function methodBadge(method: string): string {
  return `<span class="method ${method.toLowerCase()}">${method}</span>`;
}

export function renderOperation(route: Route, baseUrl: string): string {
  const sections = [
    section('Path parameters', pathTable(route)),
    section('Query parameters', queryTable(route)),
    section('Body', bodyTable(route) + streamTable(route)),
    section('Errors', errorList(route)),
    answerFields(route),
  ];
  return `<article class="operation" id="${escapeHtml(route.id)}" aria-labelledby="${escapeHtml(route.id)}-title">
<div class="said">
<h3 id="${escapeHtml(route.id)}-title"><a href="#${escapeHtml(route.id)}">${escapeHtml(route.summary)}</a></h3>
${endpoints(route)}
${route.description ? `<p>${prose(route.description)}</p>` : ''}
<p class="scope">${credential(route)}</p>
${sections.filter(Boolean).join('\n')}
</div>
<div class="shown">
${codeBlock('Request', `Example request: ${route.summary}`, highlightShell(curl(route, baseUrl)))}
${codeBlock('Answer, 200', `Example answer: ${route.summary}`, highlightJson(exampleAnswer(route)))}
</div>
</article>`;
}

function section(heading: string, content: string): string {
  return content === '' ? '' : `<h4>${heading}</h4>\n${content}`;
}

/** The newest version first: that is the one to write new code against. */
function paths(route: Route): string[] {
  return pathsOf(route).toReversed();
}

function endpoints(route: Route): string {
  const lines = paths(route).map((path) => `<li>${methodBadge(route.method)} <code>${breakable(path)}</code></li>`);
  return `<ul class="endpoints">${lines.join('')}</ul>`;
}

function credential(route: Route): string {
  if (route.area === 'admin') return 'Needs the administration token, <code>ADMIN_TOKEN</code>.';
  return `Needs a token with the <strong>${scopeOf(route.method)}</strong> scope.`;
}

function errorList(route: Route): string {
  const item = (code: ErrorCode) =>
    `<li><a href="#error-${escapeHtml(code)}"><span class="status">${errorCatalogue[code].status}</span> ` +
    `<code>${escapeHtml(code)}</code></a></li>`;
  return `<ul class="codes">${errorCodesOf(route).map(item).join('')}</ul>`;
}

function answerFields(route: Route): string {
  const what = route.paged ? 'Fields of a row' : 'Fields of the answer';
  return `<details class="fields"><summary><span>${what}</span></summary>${answerTables(route)}</details>`;
}

/** A command that works as it is pasted, given a token and what its example names. */
function curl(route: Route, baseUrl: string): string {
  const { path = {}, query = {}, body } = route.example;
  const filled = (paths(route)[0] ?? '').replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? ''),
  );
  const search = new URLSearchParams(query).toString();
  const url = quote(`${baseUrl}${filled}${search ? `?${search}` : ''}`);
  const lines = [
    ...(route.method === 'GET' ? [`curl ${url}`] : [`curl -X ${route.method}`, url]),
    `-H "Authorization: Bearer $${route.area === 'admin' ? 'ADMIN_TOKEN' : 'TOKEN'}"`,
  ];
  const [streamed] = Object.keys(route.consumes ?? {});
  if (streamed) lines.push(`-H 'Content-Type: ${streamed}'`, '-T file.csv');
  if (body !== undefined) lines.push(`-H 'Content-Type: application/json'`, `-d ${quote(shortJson(body))}`);
  return lines.join(' \\\n  ');
}

/** On one line where that fits the column of code, else indented below `-d`. */
function shortJson(body: unknown): string {
  const line = JSON.stringify(body);
  return line.length <= 44 ? line : JSON.stringify(body, null, 2).replaceAll('\n', '\n  ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
