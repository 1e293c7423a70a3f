import { expect, it } from 'vitest';
import { type RecentEvent, tailLength, withArrived } from './merge-events.ts';

const event = (no: number): RecentEvent => ({
  no,
  eventName: 'Signed up',
  eventDate: '2026-11-15T09:30:00.000Z',
  receivedAt: null,
  contactId: '0'.repeat(32),
  email: 'ada@example.com',
  userId: null,
  orgId: null,
  eventProperties: {},
});
const answer = (cursor: string, ...nos: number[]) => ({ cursor, events: nos.map(event) });
const nosOf = ({ events }: { events: RecentEvent[] }) => events.map(({ no }) => no);

it('puts what arrived before what is known, and remembers where it was', () => {
  const first = withArrived(undefined, answer('a', 2, 1), 50);
  const next = withArrived(first, answer('b', 4, 3), 50);
  expect(nosOf(next)).toEqual([4, 3, 2, 1]);
  expect(next.cursor).toBe('b');
  expect(next.hasGap).toBe(false);
});

it('shows nothing twice when a cursor could not be used and the newest come again', () => {
  const first = withArrived(undefined, answer('a', 2, 1), 2);
  const next = withArrived(first, answer('b', 3, 2), 2);
  expect(nosOf(next)).toEqual([3, 2, 1]);
  expect(next.hasGap).toBe(false);
});

it('says that something was passed over when an answer is full, and keeps saying it', () => {
  const first = withArrived(undefined, answer('a', 2, 1), 2);
  expect(first.hasGap).toBe(false);
  const next = withArrived(first, answer('b', 9, 8), 2);
  expect(next.hasGap).toBe(true);
  expect(withArrived(next, answer('c'), 2).hasGap).toBe(true);
});

it('forgets the oldest', () => {
  const many = Array.from({ length: tailLength }, (_, at) => tailLength - at);
  const next = withArrived(withArrived(undefined, answer('a', ...many), 200), answer('b', 1000), 50);
  expect(next.events).toHaveLength(tailLength);
  expect(nosOf(next).at(-1)).toBe(2);
});
