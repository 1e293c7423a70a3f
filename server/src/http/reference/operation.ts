// One operation of the reference: the description on the left, an example on the right.
import { type ErrorCode, errorCatalogue, errorCodesOf, exampleAnswer, type Route, scopeOf } from '@rapport/contract';
import { answerTables, bodyTable, pathTable, queryTable, streamTable } from './fields.js';
import { codeBlock, highlightJson, sampleBlock } from './highlight.js';
import { breakable, escapeHtml, prose } from './html.js';
import { newestFirst, samplesOf } from './samples.js';

function methodBadge(method: string): string {
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
${sampleBlock(escapeHtml(route.id), `Example request: ${route.summary}`, samplesOf(route, { baseUrl }))}
<p class="scripted"><button type="button" class="try" data-operation="${escapeHtml(route.id)}" data-name="${escapeHtml(route.summary)}" aria-expanded="false" aria-label="Try it: ${escapeHtml(route.summary)}">Try it</button></p>
${codeBlock('Response, 200', `Example response: ${route.summary}`, highlightJson(exampleAnswer(route)))}
</div>
</article>`;
}

function section(heading: string, content: string): string {
  return content === '' ? '' : `<h4>${heading}</h4>\n${content}`;
}

function endpoints(route: Route): string {
  const lines = newestFirst(route).map(
    (path) => `<li>${methodBadge(route.method)} <code>${breakable(path)}</code></li>`,
  );
  return `<ul class="endpoints">${lines.join('')}</ul>`;
}

function credential(route: Route): string {
  if (route.area === 'admin') return 'Requires the administration token, <code>ADMIN_TOKEN</code>.';
  const role = route.adminOnly ? ' from an account with the <strong>admin</strong> role' : '';
  return `Requires a token with the <strong>${scopeOf(route)}</strong> scope${role}.`;
}

function errorList(route: Route): string {
  const item = (code: ErrorCode) =>
    `<li><a href="#error-${escapeHtml(code)}"><span class="status">${errorCatalogue[code].status}</span> ` +
    `<code>${escapeHtml(code)}</code></a></li>`;
  return `<ul class="codes">${errorCodesOf(route).map(item).join('')}</ul>`;
}

function answerFields(route: Route): string {
  const what = route.paged ? 'Row fields' : 'Response fields';
  return `<details class="fields"><summary><span>${what}</span></summary>${answerTables(route)}</details>`;
}
