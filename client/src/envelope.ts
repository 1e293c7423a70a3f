// The form of every answer of the API.
import type { ErrorItem } from '@rapport/contract';
import { ApiFailure, bareRefusal } from './failure.js';
import type { FetchAnswer } from './fetch.js';
import type { Answer, Pagination } from './input.js';

interface Envelope {
  data: unknown;
  errors: readonly ErrorItem[];
  pagination?: Pagination;
}

export function readEnvelope(text: string): Envelope | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isEnvelope(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

// What is inside is the contract's word: checking it would take the schemas, half a megabyte, into every page.
function isEnvelope(value: unknown): value is Envelope {
  return (
    typeof value === 'object' && value !== null && 'data' in value && 'errors' in value && Array.isArray(value.errors)
  );
}

/** What a good answer says. Anything else that comes with a 200 is not the API. */
export async function readAnswer(response: FetchAnswer): Promise<Answer<unknown> & { pagination?: Pagination }> {
  const { status, headers } = response;
  const requestId = headers.get('x-request-id');
  const envelope = readEnvelope(await response.text());
  if (!envelope) throw new ApiFailure(status, [bareRefusal(status)], { requestId });
  const { data, errors, pagination } = envelope;
  return {
    data,
    errors,
    etag: headers.get('etag'),
    replayed: headers.get('idempotency-replayed') === 'true',
    requestId,
    ...(pagination ? { pagination } : {}),
  };
}
