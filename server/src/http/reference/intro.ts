// What applies to every operation, stated once at the top of the page.
import { type ErrorCode, errorCatalogue, exampleAnswer, exampleFailure, type Route } from '@rapport/contract';
import { codeBlock, highlightJson, sampleBlock } from './highlight.js';
import { escapeHtml, prose, table } from './html.js';
import { samplesOf } from './samples.js';

export const introSections = [
  ['about-authentication', 'Authentication'],
  ['about-envelope', 'Response format'],
  ['about-paging', 'Pagination'],
  ['about-limits', 'Rate limits'],
  ['about-retries', 'Safe retries'],
  ['about-errors', 'Errors'],
] as const;

type SectionId = (typeof introSections)[number][0];

/** Meanings of codes whose whole message is composed when they are thrown. */
const meanings: Partial<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: 'The request is malformed. `detail` names the field.',
  NOT_FOUND: 'No such resource or path. IDs of other tenants get the same answer.',
  METHOD_NOT_ALLOWED: 'The path exists, but not with this method. `Allow` lists the methods that work.',
  INVALID_STATE: 'The resource cannot be moved, changed or deleted in the state it is in.',
  CONTACTS_NOT_FOUND: 'Returned with a success: one of several contacts does not exist. `message` names it.',
  NOT_READY: 'The service is starting or cannot reach its database. Try again.',
};

const emptyStatuses = [
  [
    '401',
    'No token, or one that is unknown, revoked or expired. Carries `WWW-Authenticate: Bearer`; for an invalid token with `error="invalid_token"`.',
  ],
  [
    '403',
    'The token lacks the scope: READ for GET, WRITE for everything else. Neither includes the other. `WWW-Authenticate` says `error="insufficient_scope"` and names the `scope`.',
  ],
  ['429', 'The tenant is over its rate limit. Wait `Retry-After` seconds.'],
] as const;

/** Two operations stand for all: a paged read and a write. */
export function renderIntro(routes: readonly Route[], baseUrl: string): string {
  const read = sampleRoute(routes, 'listLists');
  const write = sampleRoute(routes, 'createList');
  const retried = { baseUrl, idempotencyKey: '0f8b3c1e-5b0a-4c7e' };
  return [
    part(
      'about-authentication',
      `<p>Send a personal access token as a bearer token with every request. A token belongs to one tenant, sees only that
tenant, and has the <strong>READ</strong> scope, the <strong>WRITE</strong> scope or both. An administrator creates it with
<a href="#createToken">Create a personal access token</a>.</p>`,
      sampleBlock('about-authentication', 'Example of an authenticated request', samplesOf(read, { baseUrl })),
    ),
    part(
      'about-envelope',
      `<p>Every response with a body is one JSON object: the payload in <code>data</code>, problems in
<code>errors</code>, and the outcome and time in <code>meta</code>. Success is always status 200. When only part of a request
succeeds, the response is a success that also has items in <code>errors</code>.</p>
<p>Times are UTC with milliseconds. Unknown query parameters and body fields are ignored.</p>
<p>Every response has an <code>X-Request-Id</code>, which identifies the request in the service log. You can send your
own.</p>`,
      codeBlock('Failure, 409', 'Example of a failure', highlightJson(exampleFailure('LIST_ALREADY_EXISTS'))),
    ),
    part(
      'about-paging',
      `<p>List endpoints take <code>pageNumber</code>, starting at 1, and <code>pageSize</code>, 1 to 200 and 20 by default. The
response has the totals in <code>pagination</code>. A page past the end is empty and still has the totals.</p>
<p>Repeat a parameter to pass several values, with or without <code>[]</code>. Any other parameter given twice is
rejected.</p>`,
      codeBlock('In the response', 'Example of pagination', highlightJson(paginationOf(read))),
    ),
    part(
      'about-limits',
      `<p>All tokens of a tenant share one limit of requests per second. Every authenticated response shows it in
<code>X-RateLimit-Limit</code>. Above it, you get a 429 with an empty body and <code>Retry-After</code>, in whole seconds.</p>`,
      codeBlock('Over the limit', 'Example of a rejected request', escapeHtml(tooMany)),
    ),
    part(
      'about-retries',
      `<p>Send an <code>Idempotency-Key</code> of 1 to 255 visible characters with a POST to retry it safely. For 24 hours, the
same key with the same body returns the first successful response, marked <code>Idempotency-Replayed: true</code>, and nothing
happens twice. The same key with another body is rejected with
<a href="#error-IDEMPOTENCY_KEY_REUSED"><code>IDEMPOTENCY_KEY_REUSED</code></a>.</p>
<p>Events can be deduplicated one by one: an <code>eventId</code> is stored once in 30 days, whatever else the request contains. See
<a href="#createEvents">Record up to 1,000 product events</a>.</p>`,
      sampleBlock('about-retries', 'Example of a request that is safe to retry', samplesOf(write, retried)),
    ),
    part('about-errors', `${errorTables()}`, ''),
  ].join('\n');
}

function sampleRoute(routes: readonly Route[], id: string): Route {
  const found = routes.find((route) => route.id === id);
  if (!found) throw new Error(`The contract has no ${id}: choose another example for the introduction.`);
  return found;
}

const tooMany = `HTTP/1.1 429 Too Many Requests
Retry-After: 1
X-RateLimit-Limit: 1000
Content-Length: 0`;

function part(id: SectionId, text: string, code: string): string {
  const title = introSections.find(([section]) => section === id)?.[1] ?? '';
  const shown = code === '' ? '' : `<div class="shown">${code}</div>`;
  return `<section class="part${code === '' ? ' wide' : ''}" id="${id}" aria-labelledby="${id}-title">
<div class="said"><h2 id="${id}-title">${title}</h2>
${text}</div>${shown}</section>`;
}

function paginationOf(sample: Route): unknown {
  const { pagination } = exampleAnswer(sample) as { pagination?: unknown };
  return { pagination };
}

function errorTables(): string {
  const codes = Object.keys(errorCatalogue) as ErrorCode[];
  const named = table('Error codes', [
    { head: 'Code', cells: codes.map((code) => `<code id="error-${escapeHtml(code)}">${escapeHtml(code)}</code>`) },
    { head: 'Status', cells: codes.map((code) => `<span class="status">${errorCatalogue[code].status}</span>`) },
    { head: 'Meaning', cells: codes.map(meaningOf) },
  ]);
  const empty = table('Statuses without a body', [
    { head: 'Status', cells: emptyStatuses.map(([status]) => `<span class="status">${status}</span>`) },
    { head: 'Meaning', cells: emptyStatuses.map(([, meaning]) => prose(meaning)) },
  ]);
  return `<p>Rely on <code>errorCode</code> in your code; it is stable. <code>message</code> is for people.</p>
${named}
<p>Three statuses have no body at all:</p>
${empty}`;
}

function meaningOf(code: ErrorCode): string {
  const written = meanings[code];
  return written ? prose(written) : prose(errorCatalogue[code].message).replace(/\{(\w+)\}/g, '<var>$1</var>');
}
