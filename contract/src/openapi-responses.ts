// The parts of the OpenAPI documents that are the same for every operation.
import { type ErrorCode, errorCatalogue } from './errors.js';
import { errorCodesOf, exampleAnswer, exampleFailure, takesIdempotencyKey } from './openapi-examples.js';
import { type Json, refTo, type SchemaBook } from './openapi-schema.js';
import type { Route } from './route.js';

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
const everyAnswer = { 'X-Request-Id': header('RequestId') };
const authenticated = { ...everyAnswer, 'X-RateLimit-Limit': header('RateLimitLimit') };

/** Statuses whose response is the same everywhere. */
const shared: Record<number, string> = { 413: 'PayloadTooLarge', 500: 'InternalError', 503: 'NotReady' };
const titles: Record<number, string> = {
  400: 'The request is not valid.',
  404: 'Not found.',
  409: 'In conflict with the current state.',
  412: 'Changed since it was read.',
  413: 'The body is too large.',
  500: 'Something went wrong in the service.',
  502: 'The mail server refused.',
  503: 'Not now: ask again after `Retry-After`.',
};

const etag = { type: 'string', pattern: '^"[^"]*"$' };

export const sharedHeaders: Json = {
  RequestId: {
    description: "Names this request in the service's log. The caller's own `X-Request-Id` when it sent a sane one.",
    schema: { type: 'string' },
  },
  RateLimitLimit: {
    description: 'Requests a second that the tenant may make, all its tokens together.',
    schema: { type: 'integer' },
  },
  RetryAfter: { description: 'Seconds to wait, at least 1.', schema: { type: 'integer', minimum: 1 } },
  ETag: {
    description: 'The revision of what is answered. Send it as `If-Match` to change this one only.',
    schema: etag,
  },
  WwwAuthenticate: {
    description:
      'The scheme to use (RFC 6750), and where tokens are issued (RFC 9728). For an invalid token: `error="invalid_token"`.',
    schema: { type: 'string', pattern: '^Bearer' },
    example: 'Bearer error="invalid_token"',
  },
  InsufficientScope: {
    description:
      '`error="insufficient_scope"`, and the `scope` that the operation needs; without `scope`, the role of the account does not suffice. Left out if the token does not work from this address.',
    schema: { type: 'string', pattern: '^Bearer' },
    example: 'Bearer error="insufficient_scope", scope="WRITE"',
  },
  IdempotencyReplayed: {
    description: 'Present when this is the stored answer to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
};

export const sharedParameters: Json = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes a retry safe: for 24 hours, the same key with the same body answers what the first request answered. ' +
      'The same key with another body is a 409. 1 to 255 visible characters.',
    schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
    example: '0f8b3c1e-5b0a-4c7e-9a57-2d7d0a4f5f10',
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'The `ETag` that was read. If it was changed since, the answer is 412.',
    schema: { type: 'string' },
    example: '"3"',
  },
};

export const sharedResponses: Json = {
  Unauthorized: {
    description: 'No token, or one that is unknown, revoked or expired. The body is empty.',
    headers: { 'WWW-Authenticate': header('WwwAuthenticate'), ...everyAnswer },
  },
  Forbidden: {
    description: 'The token lacks the scope of this operation. The body is empty.',
    headers: { 'WWW-Authenticate': header('InsufficientScope'), ...authenticated },
  },
  TooManyRequests: {
    description: 'The tenant is over its budget. The body is empty.',
    headers: { 'Retry-After': header('RetryAfter'), ...authenticated },
  },
  PayloadTooLarge: failure(['PAYLOAD_TOO_LARGE']),
  InternalError: failure(['INTERNAL_ERROR']),
  NotReady: withRetryAfter(failure(['NOT_READY'])),
};

function withRetryAfter(response: Json): Json {
  return { ...response, headers: { 'Retry-After': header('RetryAfter'), ...(response.headers as Json) } };
}

/** One flat object: with `allOf`, generators lose what is required. */
function envelope(data: Json, paged: boolean): Json {
  const errors = { type: 'array', items: refTo('ErrorItem'), description: 'Empty unless something failed.' };
  return object({ data, ...(paged ? { pagination: refTo('Pagination') } : {}), errors, meta: refTo('Meta') });
}

/** What the envelopes of the operations have in common. */
export function addEnvelopeSchemas(book: SchemaBook): void {
  const errors = { type: 'array', items: refTo('ErrorItem'), minItems: 1 };
  book.add('Failure', object({ data: { type: 'null' }, errors, meta: refTo('FailureMeta') }));
  book.add('Pagination', object({ pageNumber: int32, pageSize: int32, totalElements: whole, totalPages: whole }));
  book.add('Meta', object({ status: { type: 'string', const: 'SUCCESS' }, timestamp: instant }));
  book.add('FailureMeta', object({ status: { type: 'string', const: 'FAILURE' }, timestamp: instant }));
  book.add('ErrorCode', {
    type: 'string',
    enum: Object.keys(errorCatalogue),
    description:
      'Stable; decide on this one. Later versions may add codes: treat an unknown one as its HTTP status says.',
  });
  book.add('ErrorItem', {
    type: 'object',
    required: ['errorCode', 'message'],
    properties: {
      errorCode: refTo('ErrorCode'),
      message: { type: 'string', description: 'For people; may change.' },
      detail: { type: 'string', description: 'The field or id that the error is about.' },
    },
  });
}

const instant = { type: 'string', format: 'date-time' };
const whole = { type: 'integer', minimum: 0 };
const int32 = { type: 'integer', format: 'int32', minimum: 1 };
const object = (properties: Json) => ({ type: 'object', required: Object.keys(properties), properties });

export function responsesOf(route: Route, book: SchemaBook): Json {
  const row = book.emit(route.data);
  const data = route.paged ? { type: 'array', items: row } : row;
  const own = {
    ...(takesIdempotencyKey(route) ? { 'Idempotency-Replayed': header('IdempotencyReplayed') } : {}),
    ...(route.hasEtag ? { ETag: header('ETag') } : {}),
  };
  return {
    200: {
      description: 'Done.',
      headers: { ...authenticated, ...own },
      content: {
        'application/json': {
          schema: envelope(data, route.paged),
          example: exampleAnswer(route),
        },
      },
    },
    401: { $ref: '#/components/responses/Unauthorized' },
    403: { $ref: '#/components/responses/Forbidden' },
    429: { $ref: '#/components/responses/TooManyRequests' },
    ...failuresOf(route),
  };
}

/** One response per status, with one example per code that it may carry. */
function failuresOf(route: Route): Json {
  const byStatus: Record<number, ErrorCode[]> = {};
  for (const code of errorCodesOf(route)) {
    const { status } = errorCatalogue[code];
    // A code that only ever comes beside a success is shown in the 200.
    if (status !== 200) byStatus[status] = [...(byStatus[status] ?? []), code];
  }
  const responses = Object.entries(byStatus).map(([status, codes]) => [
    status,
    shared[Number(status)] ? { $ref: `#/components/responses/${shared[Number(status)]}` } : failure(codes, route),
  ]);
  return Object.fromEntries(responses);
}

function failure(codes: ErrorCode[], route?: Route): Json {
  const status = errorCatalogue[codes[0] as ErrorCode].status;
  const examples = Object.fromEntries(codes.map((code) => [code, { value: exampleFailure(code, route) }]));
  return {
    description: `${titles[status] ?? 'Refused.'} Codes: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    headers: authenticated,
    content: { 'application/json': { schema: refTo('Failure'), examples } },
  };
}
