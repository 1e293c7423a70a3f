import { useEffect, useRef, useState } from 'react';
import { advance, type Speed, usualSpeed } from './clock.ts';
import type { Run } from './run.ts';

export interface Playback {
  readonly at: number;
  readonly isPlaying: boolean;
  readonly speed: Speed;
  play(): void;
  pause(): void;
  seek(at: number): void;
  setSpeed(speed: Speed): void;
}

// Thirty frames per second are smooth, and half the work of sixty.
const frameMs = 33;

/** The virtual clock of a run. It starts by itself, because a user who starts a simulation wants to see it. */
export function usePlayback(run: Run | undefined): Playback {
  const [at, setAt] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState<Speed>(() => usualSpeed(0));
  useEffect(() => {
    if (!run) return setPlaying(false);
    setAt(run.start);
    setSpeed(usualSpeed(run.end - run.start));
    setPlaying(run.trips.length > 0);
  }, [run]);
  const now = useRef(at);
  now.current = at;
  useEffect(() => {
    if (!isPlaying || !run) return;
    let last = performance.now();
    let timer = requestAnimationFrame(function tick(time) {
      if (time - last >= frameMs) {
        // A tab that was hidden for a while does not jump ahead.
        const next = advance(now.current, Math.min(time - last, 250), speed, run.end);
        last = time;
        setAt(next);
        if (next >= run.end) return setPlaying(false);
      }
      timer = requestAnimationFrame(tick);
    });
    return () => cancelAnimationFrame(timer);
  }, [isPlaying, run, speed]);
  return {
    ...{ at, isPlaying, speed, setSpeed },
    play: () => {
      if (run && at >= run.end) setAt(run.start);
      setPlaying(true);
    },
    pause: () => setPlaying(false),
    seek: (next) => {
      setPlaying(false);
      setAt(next);
    },
  };
}
