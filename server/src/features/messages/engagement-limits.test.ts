import { expect, it } from 'vitest';
import { EngagementLimits } from './engagement-limits.js';

it('lets 200 engagements per message through in a minute, and forgets the oldest of very many messages', () => {
  let elapsed = 0;
  const limits = new EngagementLimits({ now: () => new Date(), elapsed: () => elapsed });
  const take = (times: number, id = 'a') => Array.from({ length: times }, () => limits.take(id)).filter(Boolean).length;
  expect(take(500)).toBe(200);
  elapsed = 59_999;
  expect(take(1)).toBe(0);
  elapsed = 60_000;
  expect(take(300)).toBe(200);
  expect(take(1, 'b')).toBe(1);
  for (let i = 0; i < 20_000; i++) take(1, `c${i}`);
  expect(take(1)).toBe(1);
});
