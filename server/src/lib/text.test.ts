import fc from 'fast-check';
import { expect, it } from 'vitest';
import { matchesWildcards } from './text.js';

it.each([
  ['sales', 'sales', true],
  ['sales', 'sale', false],
  ['sales', '*', true],
  ['', '*', true],
  ['', '?', false],
  ['sales', 's?l*', true],
  ['abab', '*ab', true],
  ['a😀b', 'a?b', true],
  ['a*b', 'a?b', true],
])('of %j and %j: %s', (text, pattern, isMatch) => {
  expect(matchesWildcards(text, pattern)).toBe(isMatch);
});

it('says what a regular expression says', () => {
  const letters = (all: string) => fc.array(fc.constantFrom(...all), { maxLength: 8 }).map((each) => each.join(''));
  fc.assert(
    fc.property(letters('ab'), letters('ab*?'), (text, pattern) => {
      const source = pattern.replaceAll('*', '.*').replaceAll('?', '.');
      expect(matchesWildcards(text, pattern)).toBe(new RegExp(`^${source}$`).test(text));
    }),
  );
});

it('takes no longer for a pattern of many asterisks', () => {
  expect(matchesWildcards('a'.repeat(20_000), `${'*a'.repeat(100)}*b`)).toBe(false);
});
