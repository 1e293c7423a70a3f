import fc from 'fast-check';
import { expect, it } from 'vitest';
import { kindOf, readValue, textOf } from './property-value.ts';

it('reads back whatever it put into the field', () => {
  const line = fc
    .string({ minLength: 1 })
    .filter((text) => text.trim() === text && !text.includes('\n') && text !== '');
  const scalar = fc.oneof(
    line,
    fc.boolean(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  );
  // Two entries with the same text cannot be distinguished.
  const list = fc.uniqueArray(scalar, { selector: textOf });
  fc.assert(
    fc.property(fc.oneof(scalar, list), (value) => {
      expect(readValue(textOf(value), kindOf(value), value)).toEqual({ value });
    }),
  );
});

it('wants a number where one is meant', () => {
  expect(readValue('twelve', 'number')).toEqual({ fault: 'number' });
  expect(readValue('  ', 'number')).toEqual({ fault: 'number' });
  expect(readValue(' 12.5 ', 'number')).toEqual({ value: 12.5 });
});

it('reads a list line by line and leaves empty lines out', () => {
  expect(readValue('red\n\n 3 \nblue', 'list', [3])).toEqual({ value: ['red', 3, 'blue'] });
});
