import { Tooltip } from '@mantine/core';
import { type JSX, useEffect, useState } from 'react';
import { exactTime, relativeTime } from './relative-time.ts';

/** A point in time: near in words, exact on demand. */
export function Moment({ at }: { at: string }): JSX.Element {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <Tooltip label={exactTime(at)}>
      <time dateTime={at}>{relativeTime(at, now)}</time>
    </Tooltip>
  );
}
