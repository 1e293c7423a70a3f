// @vitest-environment happy-dom
import type { Answer } from '@rapport/client';
import { act, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { envelope, page, refusal, scriptService, stage } from '../../../test/stage.tsx';
import { useRights } from '../../api/session/rights.ts';
import type { Email } from './email-api.ts';
import { type EmailDraft, useEmailDraft } from './use-email-draft.ts';

const service = scriptService();
const path = '/v2/emails/e1';

const email = (subject: string, more: object = {}) =>
  ({
    id: 'e1',
    name: 'Welcome',
    subject,
    preheader: null,
    fromEmail: { email: 'ada@example.com', name: null },
    replyTo: 'ada@example.com',
    directoryId: null,
    html: '<p>Hello</p>',
    updatedAt: '2026-11-17T12:00:00Z',
    ...more,
  }) as unknown as Email;
const loaded = (subject: string, etag: string) => ({ data: email(subject), etag }) as Answer<Email>;
const stored = (subject: string, etag: string, more?: object) => envelope(email(subject, more), { etag });
const conflict = refusal(412, [{ errorCode: 'PRECONDITION_FAILED', message: 'Somebody else saved.' }]);

let work: EmailDraft;
function Editor() {
  work = useEmailDraft(loaded('Old', '"1"'));
  return <output>{work.draft.subject}</output>;
}
/** Like the page: drafts have an owner once the user is known. */
const WithPerson = () => (useRights().me ? <Editor /> : null);
async function open() {
  const staged = stage(<WithPerson />);
  await screen.findByRole('status');
  return staged;
}
const change = (changes: Parameters<EmailDraft['change']>[0]) => act(() => work.change(changes));
const save = () => act(async () => void (await work.save()));
const sentPatches = () => service.asked.filter(({ what }) => what === `PATCH ${path}`);

it('saves only what differs, over the save that it began on', async () => {
  service.answers[`PATCH ${path}`] = stored('New', '"2"');
  await open();
  change({ subject: 'New' });
  expect(work.isDirty).toBe(true);
  await save();
  expect(sentPatches()).toMatchObject([{ body: { subject: 'New' }, ifMatch: '"1"' }]);
  expect(work).toMatchObject({ isDirty: false, saveState: 'saved', etag: '"2"' });
});

it('sends nothing that can be seen to be wrong', async () => {
  await open();
  change({ subject: ' ' });
  await save();
  expect(sentPatches()).toEqual([]);
  expect(work.errors.subject).toBeDefined();
  change({ subject: 'Better' });
  expect(work.errors).toEqual({});
});

it('puts a refusal beside its field until that field is changed', async () => {
  service.answers[`PATCH ${path}`] = refusal(400, [
    { errorCode: 'VALIDATION_ERROR', message: 'subject is too long', detail: 'subject' },
  ]);
  await open();
  change({ subject: 'Long' });
  await save();
  expect(work.saveState).toBe('failed');
  expect(work.errors.subject).toBeDefined();
  change({ html: '<p>Other</p>' });
  expect(work.errors.subject).toBeDefined();
  change({ subject: 'Short' });
  expect(work.errors.subject).toBeUndefined();
});

async function meetBob() {
  service.answers[`PATCH ${path}`] = conflict;
  service.answers[`GET ${path}`] = stored('Theirs', '"2"');
  service.answers[`GET ${path}/history`] = page([{ savedBy: { name: 'Bob' } }]);
  await open();
  change({ subject: 'Mine' });
  await save();
}

it('shows what somebody else saved first, and keeps mine', async () => {
  await meetBob();
  expect(work.theirs).toMatchObject({ by: 'Bob', stored: { etag: '"2"' } });
  expect(work.draft.subject).toBe('Mine');
  act(() => work.keepEditing());
  expect(work.theirs).toBeUndefined();
  expect(work.draft.subject).toBe('Mine');
});

it('overwrites theirs when told so, over their save', async () => {
  await meetBob();
  service.answers[`PATCH ${path}`] = stored('Mine', '"3"');
  await act(async () => void (await work.overwrite()));
  expect(sentPatches().at(-1)).toMatchObject({ body: { subject: 'Mine' }, ifMatch: '"2"' });
  expect(work).toMatchObject({ isDirty: false, etag: '"3"', theirs: undefined });
});

it('takes theirs when told so', async () => {
  await meetBob();
  act(() => work.takeTheirs());
  expect(work).toMatchObject({ draft: { subject: 'Theirs' }, isDirty: false, etag: '"2"', saveState: 'untouched' });
});

it('asks nothing when the same is stored already', async () => {
  service.answers[`PATCH ${path}`] = conflict;
  service.answers[`GET ${path}`] = stored('Mine', '"2"');
  await open();
  change({ subject: 'Mine' });
  await save();
  expect(work).toMatchObject({ theirs: undefined, isDirty: false, saveState: 'saved', etag: '"2"' });
});

it('says why it could not find out what somebody else saved', async () => {
  service.answers[`PATCH ${path}`] = conflict;
  service.answers[`GET ${path}`] = refusal(404, [{ errorCode: 'NOT_FOUND', message: 'It was deleted.' }]);
  await open();
  change({ subject: 'Mine' });
  await save();
  expect(work).toMatchObject({ saveState: 'failed', theirs: undefined, errors: { form: 'It was deleted.' } });
});

it('gives unsaved work back to the same person, with the save that it began on', async () => {
  const { unmount } = await open();
  change({ subject: 'Typed' });
  unmount();
  await open();
  await waitFor(() => expect(work.draft.subject).toBe('Typed'));
  expect(work).toMatchObject({ isRestored: true, isDirty: true, etag: '"1"' });
});

it('gives nothing back that was left on purpose', async () => {
  const { unmount } = await open();
  change({ subject: 'Typed' });
  act(() => work.forget());
  unmount();
  await open();
  expect(work).toMatchObject({ isRestored: false, draft: { subject: 'Old' } });
});

it('goes back to what is stored now', async () => {
  service.answers[`GET ${path}`] = stored('Newer', '"5"');
  await open();
  change({ subject: 'Mine' });
  await act(async () => void (await work.discard()));
  expect(work).toMatchObject({ draft: { subject: 'Newer' }, isDirty: false, etag: '"5"' });
});

it('keeps what is typed when another part of the page saves a name', async () => {
  await open();
  change({ subject: 'Mine' });
  act(() => work.adoptStored({ ...loaded('Old', '"2"'), data: email('Old', { name: 'Hello' }) }));
  expect(work).toMatchObject({ draft: { subject: 'Mine', name: 'Hello' }, etag: '"2"', isDirty: true });
});

it('hands out functions that an edit does not change, and that act on the newest draft', async () => {
  service.answers[`PATCH ${path}`] = stored('Newest', '"2"');
  await open();
  const { edit, change: changeFields, save: saveNow, overwrite, discard, adoptStored, forget } = work;
  change({ subject: 'Newer' });
  change({ subject: 'Newest' });
  expect(work).toMatchObject({ edit, change: changeFields, save: saveNow, overwrite, discard, adoptStored, forget });
  await act(async () => void (await saveNow()));
  expect(sentPatches()).toMatchObject([{ body: { subject: 'Newest' }, ifMatch: '"1"' }]);
  change({ subject: 'After' });
  await act(async () => void (await saveNow()));
  expect(sentPatches().at(-1)).toMatchObject({ body: { subject: 'After' }, ifMatch: '"2"' });
});
