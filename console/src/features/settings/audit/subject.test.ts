import { expect, test } from 'vitest';
import { subjectName, subjectPage } from './subject.ts';

const entry = (action: string, subject: string | null, detail: Record<string, unknown> = {}) => ({
  action,
  subject,
  detail,
});

test('an entry is about the name that it has kept, else about an id', () => {
  expect(subjectName(entry('token.created', '7', { name: 'Nightly import' }))).toBe('Nightly import');
  expect(subjectName(entry('token.revoked', '7'))).toBe('7');
  expect(subjectName(entry('workspace.changed', null, { name: 'Demo' }))).toBeNull();
});

test('what an entry is about has a link as long as it may be there', () => {
  expect(subjectPage(entry('journey.activated', 'abc'))).toBe('/journeys/abc');
  expect(subjectPage(entry('contact.exported', 'abc'))).toBe('/contacts/abc');
  for (const action of ['journey.deleted', 'contact.erased', 'token.created'])
    expect(subjectPage(entry(action, 'abc'))).toBeUndefined();
  expect(subjectPage(entry('contact.exported', null))).toBeUndefined();
});
