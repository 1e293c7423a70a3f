import { useReducedMotion } from '@mantine/hooks';
import { useMemo } from 'react';
import type { Moment } from '../canvas/canvas-context.ts';
import { type Dot, dotsAt, frameAt, whereabouts } from './frame.ts';
import type { Run, Trip } from './run.ts';
import type { Playback } from './use-playback.ts';

// How long a contact is shown on a line, in real time.
const seenMs = 900;

/** What the canvas shows at the current virtual time. */
export function useMomentOf(run: Run | undefined, { at, speed, isPlaying }: Playback, followed: Trip | undefined) {
  const isCalm = useReducedMotion();
  return useMemo((): Moment | undefined => {
    if (!run) return undefined;
    const dots = new Map<string, Dot[]>();
    if (isPlaying && !isCalm)
      for (const dot of dotsAt(run, at, speed.rate * seenMs)) dots.set(dot.edge, [...(dots.get(dot.edge) ?? []), dot]);
    return { frame: frameAt(run, at), dots, followed: followed && whereabouts(followed, at) };
  }, [run, at, speed, isPlaying, isCalm, followed]);
}
