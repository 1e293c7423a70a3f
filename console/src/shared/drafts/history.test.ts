import { expect, it } from 'vitest';
import { beginHistory, record, redo, undo } from './history.ts';

const typed = () => {
  let history = record(beginHistory('a'), 'ab', 'name');
  history = record(history, 'abc', 'name');
  return record(history, 'abcd');
};

it('undoes the typing into one field at once', () => {
  expect(undo(typed()).present).toBe('abc');
  expect(undo(undo(typed())).present).toBe('a');
});

it('stays where it is when there is nothing to undo or redo', () => {
  expect(undo(undo(undo(typed()))).present).toBe('a');
  expect(redo(typed())).toEqual(typed());
});

it('redoes what was undone, until something else is done', () => {
  expect(redo(redo(undo(undo(typed())))).present).toBe('abcd');
  expect(redo(record(undo(typed()), 'x')).present).toBe('x');
});

it('takes the same value as no edit', () => expect(record(typed(), 'abcd').past).toHaveLength(2));

it('remembers two hundred steps', () => {
  let history = beginHistory(0);
  for (let step = 1; step <= 250; step++) history = record(history, step);
  expect([history.past.length, history.past[0]]).toEqual([200, 50]);
});
