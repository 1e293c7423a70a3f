// Lists of tools: `limit` and `cursor` in, `items`, `total` and `nextCursor` out. A cursor is a place, so that an answer that was cut goes on there.
import { Type } from 'typebox';
import { invalid } from '../../http/api-error.js';

const most = 50;
const usual = 20;

export const pagingInput = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: most, description: `1 to ${most}; ${usual} by default` })),
  cursor: Type.Optional(Type.String({ description: 'nextCursor of the previous answer' })),
};

export interface Range {
  offset: number;
  limit: number;
}

export function rangeOf({ limit = usual, cursor }: { limit?: number; cursor?: string }): Range {
  return { offset: cursor === undefined ? 0 : readCursor(cursor), limit };
}

export function cursorAt(offset: number): string {
  return Buffer.from(`at ${offset}`).toString('base64url');
}

function readCursor(cursor: string): number {
  const place = /^at (\d{1,9})$/.exec(Buffer.from(cursor, 'base64url').toString())?.[1];
  if (place === undefined) throw invalid('cursor', 'must be the nextCursor of an earlier answer');
  return Number(place);
}

interface Paged<T> {
  rows: T[];
  total: number;
}

/** Reads rows from any place by pages: a place within a page needs the next page, too. */
export async function readRange<T>(
  { offset, limit }: Range,
  read: (page: { pageNumber: number; pageSize: number }) => Promise<Paged<T>>,
): Promise<Paged<T>> {
  const pageNumber = Math.floor(offset / limit) + 1;
  const skipped = offset % limit;
  const first = await read({ pageNumber, pageSize: limit });
  if (skipped === 0) return first;
  const isAll = pageNumber * limit >= first.total;
  const next = isAll ? [] : (await read({ pageNumber: pageNumber + 1, pageSize: limit })).rows;
  return { rows: [...first.rows, ...next].slice(skipped, skipped + limit), total: first.total };
}

export function pageData<T>({ offset }: Range, items: readonly T[], total: number) {
  const next = offset + items.length;
  return { items, total, nextCursor: items.length > 0 && next < total ? cursorAt(next) : null };
}
