// The one catalogue of error codes: code → HTTP status and message.
// A `{placeholder}` in a message is filled from the parameters of the error.

export const errorCatalogue = {
  VALIDATION_ERROR: { status: 400, message: '{reason}' },
  'BAS-E-002': {
    status: 400,
    message: 'No such contact.',
  },
  RESULT_SET_TOO_LARGE: {
    status: 400,
    message: 'The filter matches more than {limit} journeys, which is what one request covers. Narrow the filter.',
  },
  UnapprovedEmailDomainException: {
    status: 400,
    message: 'The domain "{domain}" is not approved for sending. Ask an administrator to add it as a sending domain.',
  },
  UnknownVariablesException: {
    status: 400,
    message: 'Unknown variables: {variables}. Use a property key that a contact has, or remove the token.',
  },
  NOT_FOUND: { status: 404, message: 'No such {what}.' },
  CONTACT_NOT_FOUND: { status: 404, message: 'The contact is not a member of this list.' },
  METHOD_NOT_ALLOWED: { status: 405, message: '{method} is not allowed here. Allowed: {allow}.' },
  LIST_ALREADY_EXISTS: { status: 409, message: 'A list named "{name}" already exists. Choose another name.' },
  FOLDER_ALREADY_EXISTS: { status: 409, message: 'A folder named "{name}" already exists. Choose another name.' },
  TEMPLATE_ALREADY_EXISTS: { status: 409, message: 'An email named "{name}" already exists. Choose another name.' },
  TOPIC_ALREADY_EXISTS: { status: 409, message: 'A topic with the {what} "{value}" already exists. Choose another.' },
  ORGANIZATION_ALREADY_EXISTS: {
    status: 409,
    message: 'An organization with the id "{orgId}" already exists.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    message: 'The request did not arrive within {seconds} seconds. Send it again, in smaller parts if need be.',
  },
  INVALID_STATE: { status: 409, message: '{reason}' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    message: 'This Idempotency-Key was used with another body. Send a new key with a new request.',
  },
  EDIT_CONFLICT: {
    status: 412,
    message: 'Someone else changed this meanwhile. Read it again and repeat your change.',
  },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The body is larger than {limit}. Send it in smaller parts.' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests. Try again in {seconds} seconds.' },
  EXPECTATION_FAILED: { status: 417, message: 'Expect must be 100-continue, or left out.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The request line and headers are too large.' },
  INTERNAL_ERROR: {
    status: 500,
    message:
      'Something went wrong on our side. Try again. If it keeps happening, report the X-Request-Id of this response.',
  },
  MAIL_NOT_SENT: { status: 502, message: 'The mail server did not take the message: {reason}.' },
  NOT_READY: { status: 503, message: 'The service is not ready: {reason}.' },
  // Only ever inside a 200, beside what did succeed.
  CONTACTS_NOT_FOUND: { status: 200, message: 'No such contact: {contactId}.' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ErrorCode = keyof typeof errorCatalogue;

export interface ErrorItem {
  errorCode: ErrorCode;
  message: string;
  detail?: string;
}

const placeholder = /\{(\w+)\}/g;

export function describeError(code: ErrorCode, params: Record<string, unknown> = {}): string {
  return errorCatalogue[code].message.replace(placeholder, (_, key: string) => String(params[key] ?? key));
}

/** The reverse: what a message was made of. An error item carries its parameters only in its words. */
export function wordsIn(code: ErrorCode, message: string): Partial<Record<string, string>> {
  const literal = errorCatalogue[code].message.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  return { ...new RegExp(`^${literal.replace(placeholder, '(?<$1>.+)')}$`, 's').exec(message)?.groups };
}
