import { expect, it } from 'vitest';
import { changedWords, differencesBetween } from './saved-texts.ts';

const texts = {
  name: 'Welcome',
  subject: 'Hello',
  preheader: null,
  html: '<p>',
  fromEmail: { email: 'a@example.com', name: null },
  replyTo: 'a@example.com',
};
const row = {
  ...{ revision: 3, savedAt: '2026-11-15T09:30:00.000Z', savedBy: null, name: 'x', subject: 'y' },
  isCurrent: false,
  restoredFrom: null,
};

it('says in words what a save changed', () => {
  expect(changedWords({ ...row, changed: ['subject', 'html'] })).toBe('Subject, HTML');
  expect(changedWords({ ...row, changed: [] })).toBe('Nothing changed');
  expect(changedWords({ ...row, revision: 1, changed: [] })).toBe('First save');
  expect(changedWords({ ...row, changed: ['html'], restoredFrom: 1 })).toBe('Restored save 1');
});

it('tells only what differs, and of the first save everything', () => {
  const after = { ...texts, subject: 'Bye', fromEmail: { email: 'a@example.com', name: 'Ada' } };
  expect(differencesBetween(texts, after)).toEqual([
    { label: 'Subject', before: 'Hello', after: 'Bye' },
    { label: 'From', before: 'a@example.com', after: 'Ada <a@example.com>' },
  ]);
  expect(differencesBetween(texts, texts)).toEqual([]);
  expect(differencesBetween(undefined, texts).map(({ label }) => label)).toEqual(
    expect.arrayContaining(['Name', 'Subject', 'HTML']),
  );
});
