// Undo and redo over values that are never changed in place.
export interface History<Value> {
  readonly past: readonly Value[];
  readonly present: Value;
  readonly future: readonly Value[];
  /** What the last edit was about: consecutive edits of one field are undone together. */
  readonly about: string | undefined;
}

const longest = 200;

export function beginHistory<Value>(present: Value): History<Value> {
  return { past: [], present, future: [], about: undefined };
}

/** `about` undefined: a separate edit, however similar to the last. */
export function record<Value>(history: History<Value>, present: Value, about?: string): History<Value> {
  if (present === history.present) return history;
  const isSame = about !== undefined && about === history.about;
  const past = isSame ? history.past : [...history.past, history.present].slice(-longest);
  return { past, present, future: [], about };
}

export function undo<Value>(history: History<Value>): History<Value> {
  const present = history.past.at(-1);
  if (present === undefined) return history;
  return { past: history.past.slice(0, -1), present, future: [history.present, ...history.future], about: undefined };
}

export function redo<Value>(history: History<Value>): History<Value> {
  const [present, ...future] = history.future;
  if (present === undefined) return history;
  return { past: [...history.past, history.present], present, future, about: undefined };
}
