import { whyThings } from '@rapport/contract';
import { expect, it } from 'vitest';
import { choiceOf, placeOf, thingIn, thingOf, whyPath, whyQuery } from './question.ts';

const paramsOf = (path: string) => {
  const params = new URL(path, 'http://x').searchParams;
  return (name: string) => params.get(name) ?? undefined;
};

it.each([...whyThings, 'list' as const])('reads from a shared address what it was made of: %s', (kind) => {
  const thing = { kind, id: 'a1' };
  const path = whyPath('c1', thing);
  expect(paramsOf(path)('contact')).toBe('c1');
  expect(thingIn(paramsOf(path))).toEqual(thing);
  expect(thingOf(choiceOf(thing))).toEqual(thing);
});

it('asks for what is still to be picked', () => {
  expect(whyPath(undefined, undefined)).toBe('/why');
  expect(thingIn(paramsOf('/why?contact=c1'))).toBeUndefined();
  expect(thingOf('planet:1')).toBeUndefined();
});

it('names the contact by id or by address', () => {
  expect(whyQuery('c1', { kind: 'dynamicList', id: 'l1' })).toEqual({ contactId: 'c1', dynamicListId: 'l1' });
  expect(whyQuery('ada@example.com', { kind: 'email', id: 'e1' })).toEqual({ email: 'ada@example.com', emailId: 'e1' });
});

it('leads to what a piece of evidence names', () => {
  expect(placeOf({ kind: 'enrolment', id: 'n1' }, { kind: 'journey', id: 'j1' })).toBe('/journeys/j1/enrolments/n1');
  expect(placeOf({ kind: 'enrolment', id: 'n1' }, { kind: 'email', id: 'e1' })).toBeUndefined();
  expect(placeOf({ kind: 'staticList', id: 'l1' })).toBe('/lists/static/l1');
});
