// Undo and redo. Keys typed into one field are one step.
const longest = 100;

export interface History<Value> {
  readonly past: readonly Value[];
  readonly now: Value;
  readonly future: readonly Value[];
  /** What the last change was about; another change about the same adds no step. */
  readonly about?: string | undefined;
}

export const startHistory = <Value>(now: Value): History<Value> => ({ past: [], now, future: [] });

export function record<Value>(history: History<Value>, now: Value, about?: string): History<Value> {
  if (now === history.now) return history;
  const isSameStep = about !== undefined && about === history.about;
  const past = isSameStep ? history.past : [...history.past, history.now].slice(-longest);
  return { past, now, future: [], about };
}

export function undo<Value>({ past, now, future }: History<Value>): History<Value> {
  const before = past.at(-1);
  return before === undefined
    ? { past, now, future }
    : { past: past.slice(0, -1), now: before, future: [now, ...future] };
}

export function redo<Value>({ past, now, future }: History<Value>): History<Value> {
  const [next, ...rest] = future;
  return next === undefined ? { past, now, future } : { past: [...past, now], now: next, future: rest };
}
