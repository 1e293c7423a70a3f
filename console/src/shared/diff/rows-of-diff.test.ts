import { expect, it } from 'vitest';
import { rowsOfDiff, withoutLongSame } from './rows-of-diff.ts';

it('puts a changed line beside the line that it was', () => {
  expect(rowsOfDiff('a\nb\nc', 'a\nB\nc')).toEqual([
    { left: 'a', right: 'a', isSame: true },
    { left: 'b', right: 'B', isSame: false },
    { left: 'c', right: 'c', isSame: true },
  ]);
});

it('leaves a gap where one side has no such line', () => {
  expect(rowsOfDiff('a\n', 'a\nb\n').at(-1)).toEqual({ left: undefined, right: 'b', isSame: false });
  expect(rowsOfDiff('', 'b')).toEqual([{ left: undefined, right: 'b', isSame: false }]);
});

it('leaves out long stretches that are the same', () => {
  const before = ['x', ...Array.from({ length: 10 }, (_, at) => `same ${at}`), 'y'].join('\n');
  const after = before.replace('x', 'X').replace(/y$/, 'Y');
  const shown = withoutLongSame(rowsOfDiff(before, after));
  expect(shown).toHaveLength(7);
  expect(shown[3]).toBeUndefined();
});
