import { expect, it } from 'vitest';
import { type Column, nextSort, sortRows, sortState } from './column.ts';

interface Row {
  name: string;
  size: number | null;
}
const name: Column<Row> = { id: 'name', title: 'Name', cell: () => null, sortBy: (row) => row.name };
const size: Column<Row> = { id: 'size', title: 'Size', cell: () => null, sortBy: (row) => row.size };
const asked: Column<Row> = { id: 'at', title: 'At', cell: () => null, sort: { up: 'createdAt', down: '-createdAt' } };
const rows: Row[] = [
  { name: 'b10', size: 1 },
  { name: 'B9', size: null },
  { name: 'a', size: 3 },
];

it('sorts names as people do, and unset values last both ways', () => {
  expect(sortRows(rows, [name, size], 'name').map((row) => row.name)).toEqual(['a', 'B9', 'b10']);
  expect(sortRows(rows, [name, size], 'size').map((row) => row.size)).toEqual([1, 3, null]);
  expect(sortRows(rows, [name, size], '-size').map((row) => row.size)).toEqual([3, 1, null]);
});

it('keeps the order if the API sorts, or no order is chosen', () => {
  expect(sortRows(rows, [asked], 'createdAt')).toEqual(rows);
  expect(sortRows(rows, [name], undefined)).toEqual(rows);
});

it('goes up, then down, then up', () => {
  expect(nextSort(asked, undefined)).toBe('createdAt');
  expect(nextSort(asked, 'createdAt')).toBe('-createdAt');
  expect(nextSort(asked, '-createdAt')).toBe('createdAt');
  expect(sortState(asked, '-createdAt')).toBe('descending');
  expect(sortState(name, 'size')).toBe('none');
});

it('stays at the only way where the API knows one', () => {
  const newest: Column<Row> = { ...asked, sort: { down: '-createdAt' } };
  expect(nextSort(newest, undefined)).toBe('-createdAt');
  expect(nextSort(newest, '-createdAt')).toBe('-createdAt');
  expect(sortState(newest, '-createdAt')).toBe('descending');
  expect(sortState(newest, undefined)).toBe('none');
});
