import { expect, it } from 'vitest';
import { sayReach } from './say-reach.js';

const nobody = { audience: 0, enters: 0, getsMail: 0, leftOut: [] };

it('says in one sentence that nobody is in the list', () => {
  const entry = { kind: 'batch' } as Parameters<typeof sayReach>[0];
  expect(sayReach(entry, nobody, 'Trial', true)).toBe('No one is in “Trial” now, so no one would enter.');
});

it.each([
  [{ kind: 'event', eventName: 'signed_up' }, 'No contact did “signed_up” in the last 30 days.'],
  [{ kind: 'joined' }, 'No contact joined “Trial” and stayed in it in the last 30 days.'],
  [{ kind: 'property', property: 'plan' }, 'No contact had “plan” changed in the last 30 days.'],
])('says in one sentence that nobody came for %j', (entry, said) => {
  expect(sayReach(entry as Parameters<typeof sayReach>[0], nobody, 'Trial', true)).toBe(said);
});
