import { useMemo, useState } from 'react';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { type FilterJson, jsonFault, parseFilter } from './model/filter-json.ts';

/** The filter in a page's address, and whether it came with a link: one that was made here is fixed where it was made. */
export function useAddressFilter() {
  const { param, setParam } = usePageParams();
  const [made, setMade] = useState<string>();
  const text = param('filter');
  return {
    text,
    filter: useMemo(() => parseFilter(text), [text]),
    /** Why the text is not a filter at all. */
    fault: text === undefined ? undefined : jsonFault(text),
    isLink: text !== undefined && text !== made,
    set: (next: FilterJson | undefined) => {
      const nextText = next && JSON.stringify(next);
      setMade(nextText);
      setParam('filter', nextText);
    },
  };
}
