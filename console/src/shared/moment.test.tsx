// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { scriptService, stage } from '../../test/stage.tsx';
import { ClockMoment, Moment } from './moment.tsx';

scriptService();
afterEach(() => vi.useRealTimers());

const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

it('says when something was in words, and exactly for machines', () => {
  const at = ago(5 * 60_000);
  stage(<Moment at={at} />);
  expect(screen.getByText('5 minutes ago').getAttribute('datetime')).toBe(at);
});

it('grows older while it is looked at', () => {
  vi.useFakeTimers({ now: new Date('2026-11-17T12:00:00Z') });
  stage(<Moment at="2026-11-17T11:59:30Z" />);
  expect(screen.getByText('just now')).toBeDefined();
  act(() => void vi.advanceTimersByTime(60_000));
  expect(screen.getByText('1 minute ago')).toBeDefined();
});

it('never says that something past is still to come', () => {
  stage(<Moment at={ago(-20_000)} />);
  expect(screen.getByText('just now')).toBeDefined();
});

it('says that something is still to come when told so', () => {
  stage(<Moment at={ago(-20_000)} isAhead />);
  expect(screen.getByText('in a moment')).toBeDefined();
});

it('shows the second to a person who points at it', async () => {
  const { user } = stage(<ClockMoment at="2026-11-17T09:30:12Z" />);
  const time = () => screen.getByText(/17 Nov 2026, \d\d:30$/);
  // The tooltip is created only on the first hover; a browser then reports at once that the pointer is there.
  await user.hover(time());
  await user.unhover(time());
  await user.hover(time());
  expect(await screen.findByText(/17 Nov 2026, \d\d:30:12/)).toBeDefined();
});
