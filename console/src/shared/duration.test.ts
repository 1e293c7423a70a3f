import { expect, it } from 'vitest';
import { milliseconds, sayDuration } from './duration.ts';

it('says a duration as people do', () => {
  expect(sayDuration('P1D')).toBe('1 day');
  expect(sayDuration('P2W')).toBe('2 weeks');
  expect(sayDuration('PT90M')).toBe('90 minutes');
  expect(sayDuration('P1DT12H')).toBe('1 day 12 hours');
  expect(sayDuration('soon')).toBe('soon');
});

it('knows how long it is, earlier ones too', () => {
  expect(milliseconds('P1DT1H')).toBe(90_000_000);
  expect(milliseconds('-P7D')).toBe(-604_800_000);
  expect(milliseconds('soon')).toBe(0);
});
