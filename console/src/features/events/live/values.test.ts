import { expect, it } from 'vitest';
import { inOneLine } from './values.ts';

it('writes properties in a line, and cuts it where there is no room', () => {
  expect(inOneLine({ format: 'csv', rows: 12, deep: { a: 1 } })).toBe('format: csv · rows: 12 · deep: {"a":1}');
  expect(inOneLine({ text: 'x'.repeat(300) }, 20)).toBe('text: xxxxxxxxxxxxxx…');
  expect(inOneLine({})).toBe('');
});
