import { expect, it } from 'vitest';
import { propertyText } from './property-text.ts';

it('says nothing and yes in words', () => {
  expect(propertyText(null)).toBe('–');
  expect(propertyText(null, 'not set')).toBe('not set');
  expect(propertyText(true)).toBe('Yes');
  expect(propertyText(['a', 1, false])).toBe('a, 1, No');
  expect(propertyText([], 'not set')).toBe('not set');
  expect(propertyText({ a: 1 })).toBe('{"a":1}');
});
