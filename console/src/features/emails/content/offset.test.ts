import { Text } from '@codemirror/state';
import { expect, it } from 'vitest';
import { offsetOf } from './offset.ts';

const doc = Text.of(['one', '', 'three']);

it('finds a line and column, both counted from one', () => {
  expect(offsetOf(doc, 1, 1)).toBe(0);
  expect(offsetOf(doc, 1, 3)).toBe(2);
  expect(offsetOf(doc, 3, 2)).toBe(6);
});

it('takes the nearest place for one that is not there', () => {
  expect(offsetOf(doc, 0, 0)).toBe(0);
  expect(offsetOf(doc, 1, 99)).toBe(3);
  expect(offsetOf(doc, 2, 5)).toBe(4);
  expect(offsetOf(doc, 99, 1)).toBe(doc.length);
});
