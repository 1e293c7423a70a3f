// The parts of the OpenAPI documents that are the same for every operation.
import { type ErrorCode, errorCatalogue } from './errors.js';
import { errorCodesOf, exampleAnswer, exampleFailure, takesIdempotencyKey } from './openapi-examples.js';
import { type Json, refTo, type SchemaBook } from './openapi-schema.js';
import type { Route } from './route.js';

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
const everyAnswer = { 'X-Request-Id': header('RequestId') };
const authenticated = { ...everyAnswer, 'X-RateLimit-Limit': header('RateLimitLimit') };

/** Statuses whose response is the same everywhere. */
const shared: Record<number, string> = { 413: 'PayloadTooLarge', 500: 'InternalError' };
const titles: Record<number, string> = {
  400: 'The request is not valid.',
  404: 'Not found.',
  409: 'In conflict with what is there.',
  413: 'The body is too large.',
  500: 'Something went wrong in the service.',
};

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
  WwwAuthenticate: { description: 'The scheme to use.', schema: { type: 'string', const: 'Bearer' } },
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
};

export const sharedResponses: Json = {
  Unauthorized: {
    description: 'No token, or one that is unknown, revoked or expired. The body is empty.',
    headers: { 'WWW-Authenticate': header('WwwAuthenticate'), ...everyAnswer },
  },
  Forbidden: { description: 'The token lacks the scope of this operation. The body is empty.', headers: authenticated },
  TooManyRequests: {
    description: 'The tenant is over its budget. The body is empty.',
    headers: { 'Retry-After': header('RetryAfter'), ...authenticated },
  },
  PayloadTooLarge: failure(['PAYLOAD_TOO_LARGE']),
  InternalError: failure(['INTERNAL_ERROR']),
};

export function addEnvelopeSchemas(book: SchemaBook): void {
  const errors = { type: 'array', items: refTo('ErrorItem'), description: 'Empty unless something failed.' };
  const meta = refTo('Meta');
  const envelope = { type: 'object', required: ['data', 'errors', 'meta'] };
  book.add('Envelope', { ...envelope, properties: { data: { description: 'The payload.' }, errors, meta } });
  book.add('PagedEnvelope', {
    allOf: [
      refTo('Envelope'),
      { type: 'object', required: ['pagination'], properties: { pagination: refTo('Pagination') } },
    ],
  });
  book.add('FailureEnvelope', {
    ...envelope,
    properties: { data: { type: 'null' }, errors: { type: 'array', items: refTo('ErrorItem'), minItems: 1 }, meta },
  });
  book.add(
    'Pagination',
    object({ pageNumber: whole(1), pageSize: whole(1), totalElements: whole(0), totalPages: whole(0) }),
  );
  book.add('Meta', object({ status: { type: 'string', enum: ['SUCCESS', 'FAILURE'] }, timestamp: instant }));
  book.add('ErrorItem', {
    type: 'object',
    required: ['errorCode', 'message'],
    properties: {
      errorCode: { type: 'string', description: 'Stable; decide on this one.' },
      message: { type: 'string', description: 'For people; may change.' },
      detail: { type: 'string', description: 'The field or id that the error is about.' },
    },
  });
}

const instant = { type: 'string', format: 'date-time' };
const whole = (minimum: number) => ({ type: 'integer', minimum });
const object = (properties: Json) => ({ type: 'object', required: Object.keys(properties), properties });

export function responsesOf(route: Route, book: SchemaBook): Json {
  const row = book.emit(route.data);
  const data = route.paged ? { type: 'array', items: row } : row;
  const replayed = takesIdempotencyKey(route) ? { 'Idempotency-Replayed': header('IdempotencyReplayed') } : {};
  return {
    200: {
      description: 'Done.',
      headers: { ...authenticated, ...replayed },
      content: {
        'application/json': {
          schema: {
            allOf: [refTo(route.paged ? 'PagedEnvelope' : 'Envelope'), { type: 'object', properties: { data } }],
          },
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
    // A code that only ever stands beside a success is shown in the 200.
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
    content: { 'application/json': { schema: refTo('FailureEnvelope'), examples } },
  };
}
