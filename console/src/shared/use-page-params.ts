import { useSearchParams } from 'wouter';

// The highest page that the API accepts.
const lastPage = 2 ** 31 - 1;

/** The first page if it is not a valid number. */
export function pageOf(text: string | null): number {
  const page = Number.parseInt(text ?? '', 10);
  return page >= 1 && page <= lastPage ? page : 1;
}

/** The state of a list is in its address, so that Back, reload and a copied link keep it. A new filter starts at page one. */
export function usePageParams() {
  const [params, setParams] = useSearchParams();
  const pageNumber = pageOf(params.get('page'));
  const set = (changes: Record<string, string | undefined>, options?: { replace: boolean }) =>
    setParams((old) => {
      const next = new URLSearchParams(old);
      next.delete('page');
      for (const [name, value] of Object.entries(changes)) {
        if (value) next.set(name, value);
        else next.delete(name);
      }
      return next;
    }, options);
  return {
    pageNumber,
    param: (name: string) => params.get(name) || undefined,
    setParam: (name: string, value: string | undefined) => set({ [name]: value }, { replace: true }),
    setPage: (page: number) => set({ page: page > 1 ? String(page) : undefined }),
    /** Clears these filters; undefined while none of them is set. */
    clearing: (...names: string[]) =>
      names.some((name) => params.get(name))
        ? () => set(Object.fromEntries(names.map((name) => [name, undefined])), { replace: true })
        : undefined,
  };
}
