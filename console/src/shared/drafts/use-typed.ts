// Input of a form, kept in this browser until it is submitted or cancelled: a reload, the end of a session or a stray click beside
// a dialog loses nothing. Never secrets: those do not belong in a browser's storage.
import { useCallback, useEffect, useState } from 'react';
import { useShelf } from './use-shelf.ts';

export interface Typed<Fields> {
  /** The input, on top of the form's initial values. */
  values: Fields;
  /** Some of it was typed before this form was opened. */
  isRestored: boolean;
  set(changes: Partial<Fields>): void;
  /** It was submitted, or is no longer wanted. */
  forget(): void;
}

const asItIs = <Fields>(typed: Partial<Fields>) => typed;

/** `form` names it within the workspace, with the id of what it is about. `withoutSecrets` returns the part that may be kept. */
export function useTyped<Fields extends object>(
  form: string,
  initial: Fields,
  withoutSecrets: (typed: Partial<Fields>) => Partial<Fields> = asItIs,
): Typed<Fields> {
  const shelf = useShelf<Partial<Fields>>(`form:${form}`);
  const [typed, setTyped] = useState<Partial<Fields> | undefined>(() => shelf.find()?.value);
  const [isRestored, setRestored] = useState(typed !== undefined);
  // The user may become known only after the form is shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked for once
  useEffect(() => {
    const kept = typed === undefined ? shelf.find()?.value : undefined;
    if (!kept) return;
    setTyped(kept);
    setRestored(true);
  }, [shelf]);
  const set = (changes: Partial<Fields>) =>
    setTyped((old) => {
      const next = { ...old, ...changes };
      const isBack = JSON.stringify({ ...initial, ...next }) === JSON.stringify(initial);
      if (isBack) shelf.forget();
      else shelf.keep(withoutSecrets(next), null);
      return next;
    });
  const forget = useCallback(() => {
    shelf.forget();
    setTyped(undefined);
    setRestored(false);
  }, [shelf]);
  return { values: { ...initial, ...typed }, isRestored, set, forget };
}
