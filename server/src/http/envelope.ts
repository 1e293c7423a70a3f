import type { ErrorItem } from '@rapport/contract';

// Envelopes are concatenated as text around data that is already JSON: no second pass over the payload.

interface Pagination {
  pageNumber: number;
  pageSize: number;
  totalElements: number;
}

export function successJson(data: string, at: Date, errors: ErrorItem[] = []): string {
  return `{"data":${data},${tail('SUCCESS', at, errors)}`;
}

/** The same around data that arrives in pieces. The time is that of the end. */
export async function* successPieces(data: AsyncIterable<string>, now: () => Date): AsyncGenerator<string> {
  yield '{"data":';
  yield* data;
  yield `,${tail('SUCCESS', now(), [])}`;
}

export function pageJson(data: string, page: Pagination, at: Date): string {
  const { pageNumber, pageSize, totalElements } = page;
  const totalPages = Math.ceil(totalElements / pageSize);
  return `{"data":${data},"pagination":{"pageNumber":${pageNumber},"pageSize":${pageSize},"totalElements":${totalElements},"totalPages":${totalPages}},${tail('SUCCESS', at, [])}`;
}

export function failureJson(errors: ErrorItem[], at: Date): string {
  return `{"data":null,${tail('FAILURE', at, errors)}`;
}

function tail(status: string, at: Date, errors: ErrorItem[]): string {
  const items = errors.length === 0 ? '[]' : JSON.stringify(errors);
  return `"errors":${items},"meta":{"status":"${status}","timestamp":"${at.toISOString()}"}}`;
}

export const jsonType = 'application/json; charset=utf-8';
