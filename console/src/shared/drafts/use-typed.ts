// What somebody types into a form, kept in this browser until it is sent or cancelled: a reload, the end of a session or a stray click beside
// a dialog costs nothing. Never for secrets: those have no place in a browser's storage.
import { useCallback, useEffect, useState } from 'react';
import { useRights } from '../../session/rights.ts';
import { useSession } from '../../session/session.tsx';
import { drafts } from './kept-draft.ts';

export interface Typed<Fields> {
  /** What was typed, over what the form began with. */
  values: Fields;
  /** Some of it was typed before this form was opened. */
  isRestored: boolean;
  set(changes: Partial<Fields>): void;
  /** It was sent, or is not wanted any more. */
  forget(): void;
}

/** `form` names it within the workspace, with the id of what it is about. */
export function useTyped<Fields extends object>(form: string, initial: Fields): Typed<Fields> {
  const { me } = useRights();
  const { who } = useSession();
  const tenantId = me?.workspace.tenantId ?? who?.workspace.tenantId;
  const name = `form:${form}`;
  const find = () => (tenantId === undefined ? undefined : drafts.find<Partial<Fields>>(tenantId, name)?.value);
  const [typed, setTyped] = useState<Partial<Fields> | undefined>(find);
  const [isRestored, setRestored] = useState(typed !== undefined);
  // Who it is may become known only after the form is shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked for once
  useEffect(() => {
    const kept = typed === undefined ? find() : undefined;
    if (!kept) return;
    setTyped(kept);
    setRestored(true);
  }, [tenantId]);
  const set = (changes: Partial<Fields>) =>
    setTyped((old) => {
      const next = { ...old, ...changes };
      const isBack = JSON.stringify({ ...initial, ...next }) === JSON.stringify(initial);
      if (tenantId !== undefined && isBack) drafts.forget(tenantId, name);
      else if (tenantId !== undefined) drafts.keep(tenantId, name, next, null);
      return next;
    });
  const forget = useCallback(() => {
    if (tenantId !== undefined) drafts.forget(tenantId, name);
    setTyped(undefined);
    setRestored(false);
  }, [tenantId, name]);
  return { values: { ...initial, ...typed }, isRestored, set, forget };
}
