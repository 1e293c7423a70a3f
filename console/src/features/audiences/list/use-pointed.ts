import { useEffect, useRef } from 'react';

/** The condition that an address names, as `filter.all[1]`: brought into view, with the keyboard in it, and marked. */
export function usePointed(path: string | undefined) {
  const whole = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parts = whole.current?.querySelectorAll<HTMLElement>('[data-path]') ?? [];
    // A filter inside a condition has paths of its own, which begin again.
    const [found] = [...parts]
      .filter(({ dataset }) => dataset.path === path)
      .toSorted((one, other) => depthOf(one) - depthOf(other));
    if (!found) return;
    found.dataset.pointed = 'true';
    found.scrollIntoView({ block: 'center' });
    found.querySelector<HTMLElement>('button, input, select, textarea')?.focus({ preventScroll: true });
    return () => {
      delete found.dataset.pointed;
    };
  }, [path]);
  return whole;
}

function depthOf(part: Element): number {
  const around = part.parentElement?.closest('[data-path]');
  return around ? 1 + depthOf(around) : 0;
}
