import { expect, it } from 'vitest';
import { DraftShelf } from './kept-draft.ts';

const day = 86_400_000;

function shelf() {
  const kept = new Map<string, string>();
  let now = 0;
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, text: string) => void kept.set(name, text),
    removeItem: (name: string) => void kept.delete(name),
    key: (at: number) => [...kept.keys()][at] ?? null,
    get length() {
      return kept.size;
    },
  };
  return { drafts: new DraftShelf(storage, () => now), kept, pass: (ms: number) => (now += ms) };
}

it('keeps a draft for its workspace, with what it was begun on', () => {
  const { drafts } = shelf();
  drafts.keep(1, 'email:a', { subject: 'Hello' }, '"3"');
  expect(drafts.find(1, 'email:a')).toMatchObject({ value: { subject: 'Hello' }, base: '"3"' });
  expect(drafts.find(2, 'email:a')).toBeUndefined();
  drafts.forget(1, 'email:a');
  expect(drafts.find(1, 'email:a')).toBeUndefined();
});

it('gives nothing back after two weeks, and sweeps what is that old', () => {
  const { drafts, kept, pass } = shelf();
  drafts.keep(1, 'old', 'x', null);
  pass(14 * day + 1);
  drafts.keep(1, 'new', 'y', null);
  expect(drafts.find(1, 'old')).toBeUndefined();
  drafts.clear('old');
  expect([...kept.keys()]).toEqual(['rapport-draft:1:new']);
});

it('leaves alone what is not a draft, and survives what it cannot read', () => {
  const { drafts, kept } = shelf();
  kept.set('rapport-color-scheme', 'dark');
  kept.set('rapport-draft:1:broken', '{');
  expect(drafts.find(1, 'broken')).toBeUndefined();
  drafts.clear('all');
  expect([...kept.keys()]).toEqual(['rapport-color-scheme']);
});
