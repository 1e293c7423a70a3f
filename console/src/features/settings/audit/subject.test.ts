import { expect, test } from 'vitest';
import { subjectPage, subjectText } from './subject.ts';

const entry = (action: string, subject: string | null, subjectName: string | null = null) => ({
  action,
  subject,
  subjectName,
});

test('an entry is about a name, else about what is known of the thing', () => {
  expect(subjectText(entry('token.revoked', '7', 'Nightly import'))).toBe('Nightly import');
  expect(subjectText(entry('token.revoked', '7'))).toBe('7');
  expect(subjectText(entry('workspace.changed', null))).toBeNull();
  expect(subjectText(entry('contact.erased', 'abc'))).toBe('Erased contact');
  expect(subjectText(entry('suppression.lifted', 'abc'))).toBe('Erased contact');
  for (const file of ['journey', 'funnel', 'email'])
    expect(subjectText(entry('report.exported', file))).toBe(`Report: ${file}`);
  expect(subjectText(entry('report.exported', 'transaction-errors'))).toBe('Failed rows');
  expect(subjectText(entry('report.exported', 'something'))).toBe('something');
});

test('what an entry is about has a link as long as it may be there', () => {
  expect(subjectPage(entry('journey.activated', 'abc'))).toBe('/journeys/abc');
  expect(subjectPage(entry('contact.exported', 'abc', 'ada@example.com'))).toBe('/contacts/abc');
  expect(subjectPage(entry('suppression.lifted', 'abc', 'ada@example.com'))).toBe('/contacts/abc');
  expect(subjectPage(entry('webhook.added', 'abc', 'hooks.example.com'))).toBe('/webhooks/abc');
  expect(subjectPage(entry('account.created', '3', 'CRM sync'))).toBe('/settings/people');
  expect(subjectPage(entry('person.role-changed', '3', 'Ada'))).toBe('/settings/people');
  expect(subjectPage(entry('token.created', '7', 'Sync'))).toBe('/settings/tokens');
  for (const action of ['journey.deleted', 'contact.erased', 'token.revoked', 'report.exported', 'contact.exported'])
    expect(subjectPage(entry(action, 'abc'))).toBeUndefined();
  expect(subjectPage(entry('contact.exported', null))).toBeUndefined();
});
