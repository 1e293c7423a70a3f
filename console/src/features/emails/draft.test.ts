import { expect, it } from 'vitest';
import { changedFields, draftOf, patchOf } from './draft.ts';
import type { Email } from './email-api.ts';

const email = {
  name: 'Welcome',
  subject: 'Hello',
  preheader: null,
  fromEmail: { email: 'hello@example.com', name: 'Rapport' },
  replyTo: 'hello@example.com',
  directoryId: null,
  html: '<p>Hello</p>',
} as Email;
const base = draftOf(email);

it('shows what is not set as empty, and a reply-to that is the sender as not set', () => {
  expect(base).toMatchObject({ preheader: '', folderId: '', replyTo: '' });
  expect(draftOf({ ...email, replyTo: 'help@example.com' }).replyTo).toBe('help@example.com');
});

it('sends nothing for a draft that was not touched', () => {
  expect(changedFields({ ...base }, base)).toEqual([]);
  expect(patchOf({ ...base }, base)).toEqual({});
});

it('sends only what changed, and null for what was emptied', () => {
  const stored = { ...base, preheader: 'soon', folderId: 'f1', topicId: 't1' };
  expect(patchOf({ ...stored, subject: 'Bye', preheader: '', folderId: '', topicId: '' }, stored)).toEqual({
    subject: 'Bye',
    preheader: null,
    folderId: null,
    topicId: null,
  });
});

it('sends the sender whole', () => {
  expect(patchOf({ ...base, fromName: '' }, base)).toEqual({ fromEmail: { email: 'hello@example.com', name: null } });
});

it('lets a reply-to that follows the sender follow it', () => {
  const moved = { ...base, fromEmail: 'news@example.com' };
  expect(patchOf(moved, base)).toEqual({ fromEmail: { email: 'news@example.com', name: 'Rapport' }, replyTo: null });
  expect(patchOf({ ...moved, replyTo: 'help@example.com' }, base).replyTo).toBe('help@example.com');
});
