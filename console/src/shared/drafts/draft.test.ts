import { expect, it } from 'vitest';
import { type DraftEvent, type DraftKind, draftReducer } from './draft.ts';

interface Note {
  etag: string | null;
  text: string;
  title: string;
}
type Words = Pick<Note, 'text' | 'title'>;
type Event = DraftEvent<Note, Words, Partial<Words>, string>;

const kind: DraftKind<Note, Words, Partial<Words>> = {
  read: ({ text, title }) => ({ text, title }),
  isSame: (one, other) => one.text === other.text && one.title === other.title,
  keep: (value, stored) => ({
    ...(value.text !== stored.text && { text: value.text }),
    ...(value.title !== stored.title && { title: value.title }),
  }),
  restore: (kept, stored) => (kept.text === 'unreadable' ? undefined : { ...stored, ...kept }),
};
const { begin, reduce } = draftReducer<Note, Words, Partial<Words>, string>(kind);

const note = (etag: string, text: string, title = 'A note'): Note => ({ etag, text, title });
const type = (text: string): Event => ({ type: 'edit', change: (now) => ({ ...now, text }) });
const after = (...events: Event[]) => events.reduce(reduce, begin(note('1', 'old')));
const sent = after(type('mine')).history.present;
const theirs = { stored: note('2', 'theirs'), by: 'Bob' };
const conflict: Event = { type: 'conflict', sent, why: 'Bob was first', theirs };
const text = (state: ReturnType<typeof after>) => state.history.present.text;

/** Edits, and submits the result. */
const saving = (...meanwhile: Event[]) => {
  const typed = after(type('mine'));
  const state = [{ type: 'save' } as Event, ...meanwhile].reduce(reduce, typed);
  return (stored: Note) => reduce(state, { type: 'saved', stored, sent: typed.history.present });
};

it('begins with what is stored', () => {
  expect(after()).toMatchObject({ saveState: 'untouched', isRestored: false, base: { etag: '1' } });
  expect(text(after())).toBe('old');
});

it('edits, undoes and redoes', () => {
  expect(text(after(type('a'), type('b')))).toBe('b');
  expect(text(after(type('a'), type('b'), { type: 'undo' }))).toBe('a');
  expect(text(after(type('a'), { type: 'undo' }, { type: 'redo' }))).toBe('a');
});

it('takes over what the service made of a save, and can still undo it', () => {
  const state = saving()(note('2', 'mine, trimmed'));
  expect(state).toMatchObject({ saveState: 'saved', base: { etag: '2' } });
  expect(text(state)).toBe('mine, trimmed');
  expect(text(reduce(state, { type: 'undo' }))).toBe('old');
});

it('leaves a value alone that was saved as it is', () => {
  const typed = after(type('mine'));
  const state = reduce(typed, { type: 'saved', stored: note('2', 'mine'), sent: typed.history.present });
  expect(state.history.present).toBe(typed.history.present);
});

it('keeps what is typed while it is being saved', () => {
  const state = saving(type('mine, and more'))(note('2', 'mine'));
  expect(text(state)).toBe('mine, and more');
  expect(state.base).toEqual(note('2', 'mine'));
});

it('keeps the work when a save fails, and says about what it failed', () => {
  const state = after(type('mine'), { type: 'save' }, { type: 'failed', sent, why: 'too long' });
  expect(state).toMatchObject({ saveState: 'failed', refusal: { sent, why: 'too long' }, base: { etag: '1' } });
  expect(text(state)).toBe('mine');
});

it('forgets a refusal once it is saved', () => {
  const state = after(type('mine'), { type: 'failed', sent, why: 'too long' });
  expect(reduce(state, { type: 'saved', stored: note('2', 'mine'), sent }).refusal).toBeUndefined();
});

it('shows both in a conflict, and loses neither when the person keeps editing', () => {
  const state = after(type('mine'), { type: 'save' }, conflict);
  expect(state).toMatchObject({ saveState: 'failed', theirs, base: { etag: '1' } });
  const on = reduce(state, { type: 'keepEditing' });
  expect(on.theirs).toBeUndefined();
  expect([text(on), on.base.etag]).toEqual(['mine', '1']);
});

it('takes theirs as if it had just been opened', () => {
  const state = after(type('mine'), conflict, { type: 'takeTheirs', stored: theirs.stored });
  expect(state).toEqual(begin(theirs.stored));
});

it('closes the conflict while it is saved again', () =>
  expect(after(type('mine'), conflict, { type: 'save' })).toMatchObject({ saveState: 'saving', theirs: undefined }));

it('goes back to what is stored', () => expect(after(type('mine'), { type: 'discard' })).toEqual(after()));

it('shows what somebody else saved while nothing is unsaved', () => {
  const state = after({ type: 'reload', stored: note('2', 'theirs') });
  expect([text(state), state.base.etag]).toEqual(['theirs', '2']);
});

it('keeps unsaved work on a reload, with the old tag so that a save is a conflict', () => {
  const state = after(type('mine'), { type: 'reload', stored: note('2', 'theirs') });
  expect([text(state), state.base]).toEqual(['mine', note('1', 'theirs')]);
});

it('takes the new tag on a reload that changes nothing of the value', () => {
  const state = after(type('mine'), { type: 'reload', stored: note('2', 'old') });
  expect([text(state), state.base.etag]).toEqual(['mine', '2']);
});

it('moves unsaved work over when another part of the page saved', () => {
  const state = after(type('mine'), { type: 'rebase', stored: note('2', 'old', 'A better name') });
  expect(state.history.present).toEqual({ text: 'mine', title: 'A better name' });
  expect(state.base.etag).toBe('2');
});

it('restores earlier work on the save that it began on, and can undo that', () => {
  const state = after({ type: 'restore', kept: { value: { text: 'earlier' }, base: '0', keptAt: 1 } });
  expect(state).toMatchObject({ isRestored: true, base: { etag: '0' } });
  expect(text(state)).toBe('earlier');
  expect(text(reduce(state, { type: 'undo' }))).toBe('old');
  expect(reduce(state, { type: 'accept' })).toMatchObject({ isRestored: false, base: { etag: '0' } });
});

it('restores nothing that is saved already, that cannot be read, or over new work', () => {
  const restore = (kept: string): Event => ({ type: 'restore', kept: { value: { text: kept }, base: '0', keptAt: 1 } });
  expect(after(restore('old'))).toEqual(after());
  expect(after(restore('unreadable'))).toEqual(after());
  expect(text(after(type('new'), restore('earlier')))).toBe('new');
});
