// What the contacts table shows: its search, filter and order, all in the address.
import { type DataValue, listContacts } from '@rapport/contract';
import { useMemo } from 'react';
import { pageOf } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { useRowWindow } from '../../shared/table/use-row-window.ts';
import { usePageParams } from '../../shared/use-page-params.ts';
import { type FilterJson, isEmptyFilter } from '../audiences/builder/model/filter-json.ts';
import { useAddressFilter } from '../audiences/builder/use-address-filter.ts';

export type Contact = DataValue<typeof listContacts>;

const orders = ['createdAt', '-createdAt', 'email', '-email'] as const;
type Order = (typeof orders)[number];

/** The most that the API returns at once: the fewest requests while scrolling. */
const pageSize = 200;

export interface ContactView {
  search: string | undefined;
  /** The text in the address, which need not be a valid filter: the service says what is wrong with it. */
  filterText: string | undefined;
}

export function useContactView() {
  const { param, setParam, clearing } = usePageParams();
  const { text: filterText, filter, fault, isLink, set } = useAddressFilter();
  const search = param('search');
  const sort: Order = orders.find((each) => each === param('sort')) ?? '-createdAt';
  return {
    view: useMemo(() => ({ search, filterText }), [search, filterText]),
    filter,
    /** Why the filter of a link is invalid. */
    filterFault: fault,
    isLink,
    sort,
    setSearch: (text: string) => setParam('search', text),
    setSort: (next: string | undefined) => setParam('sort', next === '-createdAt' ? undefined : next),
    setFilter: (next: FilterJson | undefined) => set(next && !isEmptyFilter(next) ? next : undefined),
    clear: clearing('search', 'filter'),
  };
}

export function useContactRows({ search, filterText: filter }: ContactView, sort: Order) {
  const api = useApi();
  return useRowWindow<Contact>(pageSize, (pageNumber) =>
    pageOf(api, listContacts, { query: { search, filter, sort, pageNumber, pageSize } }),
  );
}
