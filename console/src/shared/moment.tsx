import { Tooltip } from '@mantine/core';
import { type JSX, useEffect, useState } from 'react';
import { clockMoment, exactTime, relativeTime } from './relative-time.ts';

/** A point in time in a sentence: the day and the minute, and the second on demand. */
export function ClockMoment({ at }: { at: string }): JSX.Element {
  return <Exactly at={at}>{clockMoment(at)}</Exactly>;
}

/** A point in time: relative, with the exact time on demand. `isAhead`: in the future. */
export function Moment({ at, isAhead = false }: { at: string; isAhead?: boolean }): JSX.Element {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return <Exactly at={at}>{relativeTime(at, now, isAhead)}</Exactly>;
}

function Exactly({ at, children }: { at: string; children: string }): JSX.Element {
  // A tooltip takes longer to create than the rest of a row, so it is created only on hover.
  const [isAsked, setIsAsked] = useState(false);
  const time = (
    <time dateTime={at} onPointerEnter={() => setIsAsked(true)}>
      {children}
    </time>
  );
  return isAsked ? <Tooltip label={exactTime(at)}>{time}</Tooltip> : time;
}
