// Connects the draft of draft.ts: keeps it in this browser, saves it through the API, and compares it with what others saved.
import { ApiFailure } from '@rapport/client';
import { useMemo, useReducer, useRef } from 'react';
import { useRights } from '../../api/session/rights.ts';
import { type DraftEvent, type DraftKind, draftReducer, type Tagged } from './draft.ts';
import { useKeeping } from './use-keeping.ts';
import { useShelf } from './use-shelf.ts';

interface DraftCalls<Stored extends Tagged, Value, Refusal, Choice> {
  fetch(): Promise<Stored>;
  /** Fails with 412 or SavedMeanwhile if `over` is no longer what is stored. */
  send(value: Value, over: Stored, choice: Choice | undefined): Promise<Stored>;
  /** Validates as far as possible without sending it. */
  check?(value: Value): Refusal | undefined;
  whoSaved(theirs: Stored): Promise<string | null>;
  refusalOf(error: Error, sent: Value): Refusal;
  /** The text beside a conflict. */
  conflict: Refusal;
  /** Updates the cache with what is stored now. */
  onStored?(stored: Stored): void;
}

/** For what the API cannot compare itself. */
export class SavedMeanwhile extends Error {}

const isConflict = (error: unknown) =>
  error instanceof SavedMeanwhile || (error instanceof ApiFailure && error.status === 412);

type Event<Stored extends Tagged, Value, Kept, Refusal> = DraftEvent<Stored, Value, Kept, Refusal>;

/** Sends it, and returns the result. */
async function send<Stored extends Tagged, Value, Kept, Refusal, Choice>(
  kind: DraftKind<Stored, Value, Kept>,
  calls: DraftCalls<Stored, Value, Refusal, Choice>,
  { sent, over, choice }: { sent: Value; over: Stored; choice: Choice | undefined },
): Promise<Event<Stored, Value, Kept, Refusal>> {
  const failed = (error: Error) => ({ type: 'failed', sent, why: calls.refusalOf(error, sent) }) as const;
  try {
    return { type: 'saved', sent, stored: await calls.send(sent, over, choice) };
  } catch (error) {
    if (!isConflict(error)) return failed(error as Error);
    const now = await calls.fetch().catch((cause: Error) => cause);
    if (now instanceof Error) return failed(now);
    // An earlier save whose response got lost, or two people with the same change: there is nothing to decide.
    if (kind.isSame(sent, kind.read(now))) return { type: 'saved', sent, stored: now };
    return { type: 'conflict', sent, why: calls.conflict, theirs: { stored: now, by: await calls.whoSaved(now) } };
  }
}

/** `name` is the key under which the browser keeps it; `kind` never changes. */
export function useDraft<Stored extends Tagged, Value, Kept, Refusal, Choice = undefined>(
  loaded: Stored,
  name: string,
  kind: DraftKind<Stored, Value, Kept>,
  calls: DraftCalls<Stored, Value, Refusal, Choice>,
) {
  const { canWrite } = useRights();
  const shelf = useShelf<Kept>(name);
  const { begin, reduce } = useMemo(() => draftReducer<Stored, Value, Kept, Refusal>(kind), [kind]);
  const [state, dispatch] = useReducer(reduce, loaded, (stored) => {
    // Synchronously if possible: parts of the page read only the initial value.
    const kept = canWrite ? shelf.find() : undefined;
    return kept ? reduce(begin(stored), { type: 'restore', kept }) : begin(stored);
  });
  const { base, history, theirs, saveState } = state;
  const value = history.present;
  const stored = useMemo(() => kind.read(base), [kind, base]);
  const isDirty = useMemo(() => !kind.isSame(value, stored), [kind, value, stored]);
  const kept = useMemo(() => (isDirty ? kind.keep(value, stored) : undefined), [kind, isDirty, value, stored]);
  const { forget } = useKeeping(
    shelf,
    kept,
    base.etag,
    (found) => canWrite && dispatch({ type: 'restore', kept: found }),
  );

  const latest = useRef({ calls, base, value, theirs, saveState });
  latest.current = { calls, base, value, theirs, saveState };
  // Made once, so that what only calls them is not drawn again with every edit.
  const actions = useMemo(() => {
    const tell = (event: Event<Stored, Value, Kept, Refusal>) => {
      dispatch(event);
      if ('stored' in event) latest.current.calls.onStored?.(event.stored);
    };
    const saveOver = async (over: Stored, choice?: Choice): Promise<boolean> => {
      const { calls: given, value: sent, saveState: at } = latest.current;
      if (at === 'saving') return false;
      const fault = given.check?.(sent);
      if (fault === undefined) dispatch({ type: 'save' });
      const outcome =
        fault === undefined
          ? await send(kind, given, { sent, over, choice })
          : ({ type: 'failed', sent, why: fault } as const);
      tell(outcome);
      return outcome.type === 'saved';
    };
    const reload = async () => tell({ type: 'reload', stored: await latest.current.calls.fetch() });
    return {
      dispatch,
      tell,
      reload,
      edit: (change: (now: Value) => Value, about?: string) => dispatch({ type: 'edit', change, about }),
      save: (choice?: Choice) => saveOver(latest.current.base, choice),
      overwrite: async () => {
        const over = latest.current.theirs;
        return over && (await saveOver(over.stored));
      },
      takeTheirs: () => {
        const { theirs: taken } = latest.current;
        if (taken) tell({ type: 'takeTheirs', stored: taken.stored });
      },
      keepEditing: () => dispatch({ type: 'keepEditing' }),
      /** Back to what is stored: the work may have been based on an older save. */
      discard: () => {
        dispatch({ type: 'discard' });
        return reload().catch(() => undefined);
      },
    };
  }, [kind]);
  return { ...state, ...actions, value, isDirty, forget };
}
