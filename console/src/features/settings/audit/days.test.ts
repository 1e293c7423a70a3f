import { expect, it } from 'vitest';
import { endOfDay, startOfDay } from './days.ts';

it('spans a whole day of the reader’s clock', () => {
  const [from, to] = [startOfDay('2026-11-15'), endOfDay('2026-11-15')];
  expect(Date.parse(to ?? '') - Date.parse(from ?? '')).toBe(86_400_000 - 1);
  expect(new Date(from ?? '').getHours()).toBe(0);
});

it('takes nothing that is no day', () => {
  expect([startOfDay(undefined), startOfDay('yesterday'), endOfDay('2026-13-40')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});
