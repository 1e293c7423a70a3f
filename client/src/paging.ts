// Collections, a page at a time.
import type { Answer, AnyInput, Page, Pagination, RouteAddress } from './input.js';

// The most that the API takes: the fewest requests.
const largestPage = 200;

export type Call = (route: RouteAddress, input?: AnyInput) => Promise<Answer<unknown> & { pagination?: Pagination }>;

export async function readPage(call: Call, route: RouteAddress, input: AnyInput = {}): Promise<Page<unknown>> {
  const { data, pagination } = await call(route, input);
  if (!Array.isArray(data) || !pagination) throw new Error(`${route.id} does not answer pages: use call() for it.`);
  return { rows: data, ...pagination };
}

export async function* readPages(
  call: Call,
  route: RouteAddress,
  input: AnyInput = {},
): AsyncGenerator<Page<unknown>, void> {
  for (let pageNumber = Number(input.query?.pageNumber ?? 1); ; pageNumber++) {
    const query = { ...input.query, pageSize: input.query?.pageSize ?? largestPage, pageNumber };
    const page = await readPage(call, route, { ...input, query });
    yield page;
    if (pageNumber >= page.totalPages) return;
  }
}

export async function* readRows(call: Call, route: RouteAddress, input: AnyInput = {}): AsyncGenerator<unknown, void> {
  for await (const page of readPages(call, route, input)) yield* page.rows;
}
