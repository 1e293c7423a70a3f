import type { ErrorCode, ErrorItem } from '@rapport/contract';

/** The catalogue of the API, and a word for each answer that comes without one. */
export type FailureCode =
  | ErrorCode
  | 'NO_ANSWER'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'TOO_MANY_REQUESTS'
  | 'NOT_RAPPORT'
  | 'UNKNOWN';
export type FailureItem = Pick<ErrorItem, 'message' | 'detail'> & { errorCode: FailureCode };

interface Circumstances {
  requestId?: string | null;
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** A refusal of the API, or (status 0) no answer at all. Its message is a sentence for a person. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure';
  readonly status: number;
  readonly items: readonly FailureItem[];
  /** What support asks for. */
  readonly requestId: string | null;
  /** Seconds that the service asked to wait. */
  readonly retryAfter: number | undefined;

  constructor(status: number, items: readonly FailureItem[], { requestId, retryAfter, cause }: Circumstances = {}) {
    super(items.map(({ message }) => message).join(' '), cause === undefined ? {} : { cause });
    this.status = status;
    this.items = items;
    this.requestId = requestId ?? null;
    this.retryAfter = retryAfter;
  }

  get errorCode(): FailureCode {
    return this.items[0]?.errorCode ?? 'UNKNOWN';
  }
}

export function noAnswer(cause: unknown): ApiFailure {
  return new ApiFailure(0, [{ errorCode: 'NO_ANSWER', message: 'The service cannot be reached. Try again.' }], {
    cause,
  });
}

export function lateAnswer(seconds: number): ApiFailure {
  const message = `The service did not answer within ${seconds} seconds. Try again.`;
  return new ApiFailure(0, [{ errorCode: 'NO_ANSWER', message }]);
}

/** What a status means that comes without an envelope. */
export function bareRefusal(status: number): FailureItem {
  switch (status) {
    case 401:
      return {
        errorCode: 'UNAUTHORIZED',
        message: 'The token is not accepted. It may have expired or been revoked.',
      };
    case 403:
      return {
        errorCode: 'FORBIDDEN',
        message: 'Your token does not allow this. Reading needs the READ scope; previews and changes need WRITE.',
      };
    case 429:
      return {
        errorCode: 'TOO_MANY_REQUESTS',
        message: 'Too many requests for this workspace at the moment. Try again in a minute.',
      };
    // A browser hides the status of a redirect.
    case 0:
    case 301:
    case 302:
    case 303:
    case 307:
    case 308: {
      const message = 'What answered wants to redirect, and Rapport never does. Check the address; it may need https.';
      return { errorCode: 'NOT_RAPPORT', message };
    }
    default:
      return status < 400
        ? { errorCode: 'NOT_RAPPORT', message: `What answered (${status}) is not Rapport. Check the address.` }
        : { errorCode: 'UNKNOWN', message: `The service answered ${status} without an explanation.` };
  }
}
