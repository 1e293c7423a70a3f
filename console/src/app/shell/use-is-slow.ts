import { useIsFetching } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

const slowAfterMs = 4_000;

/** Whether the page has been waiting for something it needs for a while. */
export function useIsSlow(): boolean {
  const isWaiting = useIsFetching({ predicate: ({ state }) => state.status === 'pending' }) > 0;
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    if (!isWaiting) return setSlow(false);
    const timer = setTimeout(() => setSlow(true), slowAfterMs);
    return () => clearTimeout(timer);
  }, [isWaiting]);
  return isSlow;
}
