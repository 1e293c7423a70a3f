import { expect, it } from 'vitest';
import { DraftShelf } from './kept-draft.ts';

const day = 86_400_000;
const ada = { tenantId: 1, accountId: 7 };
const elsewhere = { tenantId: 2, accountId: 7 };
const bob = { tenantId: 1, accountId: 8 };

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

it('keeps a draft for its workspace and person, with what it was begun on', () => {
  const { drafts } = shelf();
  drafts.keep(ada, 'email:a', { subject: 'Hello' }, '"3"');
  expect(drafts.find(ada, 'email:a')).toMatchObject({ value: { subject: 'Hello' }, base: '"3"' });
  expect(drafts.find(elsewhere, 'email:a')).toBeUndefined();
  expect(drafts.find(bob, 'email:a')).toBeUndefined();
  drafts.forget(ada, 'email:a');
  expect(drafts.find(ada, 'email:a')).toBeUndefined();
});

it('gives nothing back after two weeks, and sweeps what is that old', () => {
  const { drafts, kept, pass } = shelf();
  drafts.keep(ada, 'old', 'x', null);
  pass(14 * day + 1);
  drafts.keep(ada, 'new', 'y', null);
  expect(drafts.find(ada, 'old')).toBeUndefined();
  drafts.clear('old');
  expect([...kept.keys()]).toEqual(['rapport-draft:1:7:new']);
});

it('leaves alone what is not a draft, and survives what it cannot read', () => {
  const { drafts, kept } = shelf();
  kept.set('rapport-color-scheme', 'dark');
  kept.set('rapport-draft:1:7:broken', '{');
  expect(drafts.find(ada, 'broken')).toBeUndefined();
  drafts.clear('all');
  expect([...kept.keys()]).toEqual(['rapport-color-scheme']);
});
