// Whole example answers, made from the route objects. The OpenAPI documents and the reference page show the same ones.
import { describeError, type ErrorCode, type ErrorItem, errorCatalogue } from './errors.js';
import type { Route } from './route.js';

const timestamp = '2026-11-15T09:30:00.000Z';

/** Plausible values for the placeholders of each message; a route's own example body goes first. */
export const plausibleParams: Partial<Record<ErrorCode, Record<string, unknown>>> = {
  VALIDATION_ERROR: { reason: 'The request is not valid.' },
  RESULT_SET_TOO_LARGE: { limit: 500 },
  UnapprovedEmailDomainException: { domain: 'example.org' },
  UnknownVariablesException: { variables: '{{favourite_color}} (html, line 3)' },
  NOT_FOUND: { what: 'resource' },
  METHOD_NOT_ALLOWED: { method: 'PUT', allow: 'GET, POST' },
  LIST_ALREADY_EXISTS: { name: 'Beta testers' },
  FOLDER_ALREADY_EXISTS: { name: 'Onboarding' },
  TEMPLATE_ALREADY_EXISTS: { name: 'Welcome' },
  TOPIC_ALREADY_EXISTS: { what: 'name', value: 'Product news' },
  ORGANIZATION_ALREADY_EXISTS: { orgId: 'acme' },
  REQUEST_TIMEOUT: { seconds: 60 },
  INVALID_STATE: { reason: 'It is in use by an active journey. Deactivate the journey first.' },
  PAYLOAD_TOO_LARGE: { limit: '10 MiB' },
  TOO_MANY_REQUESTS: { seconds: 60 },
  MAIL_NOT_SENT: { reason: 'it cannot be reached' },
  NOT_READY: { reason: 'the database does not answer' },
  CONTACTS_NOT_FOUND: { contactId: '019a8b2c4d5e6f708192a3b4c5d6e7f8' },
};

/** Every code that an operation may answer with, those that all share included. */
export function errorCodesOf(route: Route): ErrorCode[] {
  const codes: ErrorCode[] = ['VALIDATION_ERROR', ...route.errors];
  if (takesIdempotencyKey(route)) codes.push('IDEMPOTENCY_KEY_REUSED');
  if (route.body) codes.push('PAYLOAD_TOO_LARGE');
  codes.push('INTERNAL_ERROR', 'NOT_READY');
  return [...new Set(codes)].sort((a, b) => errorCatalogue[a].status - errorCatalogue[b].status);
}

export function takesIdempotencyKey(route: Route): boolean {
  return route.area === 'api' && route.method === 'POST';
}

export function takesIfMatch(route: Route): boolean {
  return route.hasEtag === true && route.errors.includes('EDIT_CONFLICT');
}

/** The whole 200 answer of a route. */
export function exampleAnswer({ example, paged }: Route): object {
  const rows = paged && Array.isArray(example.data) ? example.data.length : 0;
  const pagination = { pageNumber: 1, pageSize: 20, totalElements: rows, totalPages: rows > 0 ? 1 : 0 };
  return {
    data: example.data,
    ...(paged ? { pagination } : {}),
    errors: example.errors ?? [],
    meta: { status: 'SUCCESS', timestamp },
  };
}

/** The whole answer of a route that fails with this code. */
export function exampleFailure(code: ErrorCode, route?: Route): object {
  return { data: null, errors: [exampleItem(code, route)], meta: { status: 'FAILURE', timestamp } };
}

function exampleItem(errorCode: ErrorCode, route?: Route): ErrorItem {
  if (errorCode === 'VALIDATION_ERROR' && route) {
    const { reason, detail } = invalidField(route);
    return { errorCode, message: describeError(errorCode, { reason }), ...(detail ? { detail } : {}) };
  }
  const own = route ? { ...(route.example.body as object | undefined), what: nounOf(route) } : {};
  return { errorCode, message: describeError(errorCode, { ...plausibleParams[errorCode], ...own }) };
}

function invalidField({ body, consumes, mostFileBytes, query, pathParams }: Route): {
  reason: string;
  detail?: string;
} {
  if (mostFileBytes !== undefined) return { reason: 'file is not a PNG, JPEG, GIF or WebP picture.', detail: 'file' };
  if (consumes) return { reason: 'Line 7 has 4 cells; the header has 5.', detail: 'line 7' };
  const required = body?.required?.[0];
  if (required) return { reason: `${required} is required.`, detail: required };
  if (body) return { reason: 'Send at least one field to change.' };
  const whole = Object.entries(query ?? {}).find(([name, param]) => param.kind === 'whole' && name !== 'pageNumber');
  if (whole && whole[1].kind === 'whole') {
    const [name, { min, max }] = whole;
    return { reason: `${name} must be a whole number from ${min} to ${max}.`, detail: name };
  }
  const inPath = Object.keys(pathParams ?? {})[0];
  return inPath
    ? { reason: `${inPath} must be valid Unicode without NUL.`, detail: inPath }
    : { reason: 'The request is not valid.' };
}

/** "Lists" → "list": what a 404 of this route misses. */
function nounOf({ tag, area }: Route): string {
  return area === 'admin' ? 'tenant' : tag.toLowerCase().replace(/s$/, '');
}
