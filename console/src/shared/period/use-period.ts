import { useState } from 'react';
import { usePageParams } from '../use-page-params.ts';
import { faultOf, type Period, periodOf, windowOf } from './period.ts';

/** The period of this page, from its address. It ends when the page was opened, so that all its numbers are from one moment. */
export function usePeriod(usual: Period['kind'] = '30') {
  const { param, setParam } = usePageParams();
  const [now] = useState(() => Date.now());
  const asked = Object.fromEntries(
    ['period', 'from', 'to'].flatMap((name) => {
      const value = param(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const period = periodOf(asked, usual);
  const window = windowOf(period, now);
  return { period, window, now, fault: faultOf(period, window), set: setParam, usual };
}
