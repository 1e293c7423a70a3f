import { describe, expect, it } from 'vitest';
import { t } from '../../texts/sends.ts';
import { sayState } from './ab-result.tsx';

const hour = 3_600_000;
const startedAt = '2026-11-19T09:00:00.000Z';
const after = (hours: number) => Date.parse(startedAt) + hours * hour;
const said = (status: 'sending' | 'sent' | 'cancelled', hours: number, winner: string | null = null) =>
  sayState({ winner, decision: { isSignificant: true } }, { status, startedAt }, { hours: 4 }, after(hours));

describe('the state of an A/B test', () => {
  it('is open until its hours have passed, also if everything was sent before', () => {
    expect(said('sent', 1)).toBe(t.abRunning(4));
    expect(said('sending', 5)).toBe(t.abRunning(4));
  });

  it('says why there is no winner', () => {
    expect(said('sent', 5)).toBe(t.abNoWinner);
    expect(said('cancelled', 1)).toBe(t.abCancelled);
  });

  it('names the winner whenever there is one', () => {
    for (const status of ['sending', 'sent', 'cancelled'] as const) expect(said(status, 1, 'B')).toBe(t.abSurely('B'));
  });
});
