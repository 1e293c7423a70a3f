// Unsaved work on something stored: edits with undo, saving, a conflict with another user's save, and work kept from an earlier
// visit. Pure: use-draft.ts makes the calls.
import { beginHistory, type History, record, redo, undo } from './history.ts';
import type { KeptDraft } from './kept-draft.ts';

/** Something as it is stored. The tag identifies the save: a save over an older one is a conflict. */
export interface Tagged {
  readonly etag: string | null;
}

/** What differs between emails, journeys and lists. */
export interface DraftKind<Stored extends Tagged, Value, Kept> {
  /** The part that is edited. */
  read(stored: Stored): Value;
  isSame(one: Value, other: Value): boolean;
  /** What the browser keeps of unsaved work. */
  keep(value: Value, stored: Value): Kept;
  /** The work again, on top of what is stored now; undefined if it can no longer be read. */
  restore(kept: Kept, stored: Value): Value | undefined;
}

type SaveState = 'untouched' | 'saving' | 'saved' | 'failed';

/** What another user saved first; `by` is null if unknown. */
export interface Theirs<Stored> {
  readonly stored: Stored;
  readonly by: string | null;
}

interface DraftState<Stored extends Tagged, Value, Refusal> {
  /** As it is stored, as far as we know, with the tag that the work was based on. */
  readonly base: Stored;
  readonly history: History<Value>;
  readonly saveState: SaveState;
  /** The work is from an earlier visit. */
  readonly isRestored: boolean;
  /** Why `sent` was not saved. */
  readonly refusal: { readonly sent: Value; readonly why: Refusal } | undefined;
  readonly theirs: Theirs<Stored> | undefined;
}

export type DraftEvent<Stored extends Tagged, Value, Kept, Refusal> =
  | { type: 'edit'; change: (now: Value) => Value; about?: string | undefined }
  | { type: 'undo' | 'redo' | 'save' | 'keepEditing' | 'discard' | 'accept' }
  | { type: 'saved'; stored: Stored; sent: Value }
  | { type: 'failed'; sent: Value; why: Refusal }
  | { type: 'conflict'; sent: Value; why: Refusal; theirs: Theirs<Stored> }
  | { type: 'takeTheirs'; stored: Stored }
  /** Fetched again: another user may have saved. */
  | { type: 'reload'; stored: Stored }
  /** Another part of the page saved something, such as the name: unsaved work is carried over. */
  | { type: 'rebase'; stored: Stored }
  | { type: 'restore'; kept: KeptDraft<Kept> };

export function draftReducer<Stored extends Tagged, Value, Kept, Refusal>(kind: DraftKind<Stored, Value, Kept>) {
  type State = DraftState<Stored, Value, Refusal>;
  const settled = { refusal: undefined, theirs: undefined, isRestored: false };
  const adopt = (base: Stored): State => ({
    ...settled,
    base,
    history: beginHistory(kind.read(base)),
    saveState: 'untouched',
  });
  const isDirty = ({ base, history }: State) => !kind.isSame(history.present, kind.read(base));

  function saved(state: State, stored: Stored, sent: Value): State {
    const { present } = state.history;
    const theirs = kind.read(stored);
    // What was typed during the save stays.
    const isBehind = present === sent && !kind.isSame(present, theirs);
    const history = isBehind ? { ...state.history, present: theirs } : state.history;
    return { ...settled, base: stored, history, saveState: 'saved' };
  }

  function reload(state: State, stored: Stored): State {
    if (kind.isSame(kind.read(stored), kind.read(state.base))) return { ...state, base: stored };
    // With the old tag, so that saving unsaved work is still detected as a conflict.
    if (isDirty(state)) return { ...state, base: { ...stored, etag: state.base.etag } };
    return { ...adopt(stored), saveState: state.saveState };
  }

  function rebase(state: State, stored: Stored): State {
    const kept = kind.keep(state.history.present, kind.read(state.base));
    const present = kind.restore(kept, kind.read(stored)) ?? state.history.present;
    return { ...state, base: stored, history: { ...state.history, present } };
  }

  function restore(state: State, { value, base: begunOn }: KeptDraft<Kept>): State {
    const stored = kind.read(state.base);
    const found = kind.restore(value, stored);
    if (found === undefined || kind.isSame(found, stored) || isDirty(state)) return state;
    const base = { ...state.base, etag: begunOn ?? state.base.etag };
    return { ...state, base, history: record(state.history, found), isRestored: true };
  }

  function reduce(state: State, event: DraftEvent<Stored, Value, Kept, Refusal>): State {
    const { history } = state;
    switch (event.type) {
      case 'edit':
        return { ...state, history: record(history, event.change(history.present), event.about) };
      case 'undo':
        return { ...state, history: undo(history) };
      case 'redo':
        return { ...state, history: redo(history) };
      case 'save':
        return { ...state, saveState: 'saving', theirs: undefined };
      case 'saved':
        return saved(state, event.stored, event.sent);
      case 'failed':
        return { ...state, saveState: 'failed', refusal: event };
      case 'conflict':
        return { ...state, saveState: 'failed', refusal: event, theirs: event.theirs };
      case 'keepEditing':
        return { ...state, theirs: undefined };
      case 'takeTheirs':
        return adopt(event.stored);
      case 'discard':
        return adopt(state.base);
      case 'accept':
        return { ...state, isRestored: false };
      case 'reload':
        return reload(state, event.stored);
      case 'rebase':
        return rebase(state, event.stored);
      case 'restore':
        return restore(state, event.kept);
    }
  }

  return { begin: adopt, reduce };
}
