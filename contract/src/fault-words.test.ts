import { expect, it } from 'vitest';
import { describeError, errorCatalogue, wordsIn } from './errors.js';
import {
  fieldReasons,
  readFault,
  reasonIn,
  sayFault,
  sayField,
  saysRequired,
  saysTooLong,
  sayVariable,
  variablesIn,
} from './fault-words.js';

const read = (reason: string) => reasonIn(sayField('fromEmail.name', reason), 'fromEmail.name') ?? '';

it('reads what a message says of a field', () => {
  expect(read('must be a string')).toBe('must be a string.');
  expect(reasonIn(sayField('html', 'is required'), 'subject')).toBeUndefined();
  expect(reasonIn(' is required.', '')).toBeUndefined();
});

it('tells a missing field and a long one from other reasons', () => {
  const { required, characters, bytes } = fieldReasons;
  expect(
    [required, characters(1, 255), bytes(10), 'must be a string'].map((reason) => saysRequired(read(reason))),
  ).toEqual([true, false, false, false]);
  expect(
    [required, characters(0, 998), bytes(10), 'must be a string'].map((reason) => saysTooLong(read(reason))),
  ).toEqual([false, true, true, false]);
});

it.each(['filter', 'filter.all[2].gt', 'filter.any[0]["a: \\" b"]'])('reads a fault at %s', (place) => {
  expect(readFault(sayFault(place, 'one of: a, b'))).toEqual({ place, words: 'one of: a, b' });
});

it('reads no fault where there is no place', () => {
  expect(readFault('name')).toBeUndefined();
});

it('finds the variables of a message, each once', () => {
  const [plan, name] = [sayVariable('plan'), sayVariable('user.name')];
  expect(variablesIn(`${plan} (html, line 1), ${name} (html, line 2), ${plan} (subject, line 1)`)).toEqual([
    plan,
    name,
  ]);
});

it('reads from every message of the catalogue what it was made of', () => {
  for (const [code, { message }] of Object.entries(errorCatalogue)) {
    const names = [...message.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const params = Object.fromEntries(names.map((name) => [name, `“${name}” (1+1).`]));
    expect(
      wordsIn(code as keyof typeof errorCatalogue, describeError(code as keyof typeof errorCatalogue, params)),
    ).toEqual(params);
  }
  expect(wordsIn('LIST_ALREADY_EXISTS', 'Something else.')).toEqual({});
});
