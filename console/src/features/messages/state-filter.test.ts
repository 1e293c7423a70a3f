import { expect, it } from 'vitest';
import { isKept } from '../../shared/messages/is-kept.ts';
import { stateChoices, stateFilter } from './state-filter.ts';

it('offers what is kept in the outbox beside what was sent, and asks for one or the other', () => {
  expect(stateChoices.map(({ label }) => label)).toEqual(
    expect.arrayContaining(['Sent', 'Kept in the outbox', 'Delivered']),
  );
  expect(stateFilter('kept')).toEqual({ kept: 'true' });
  expect(stateFilter('sent')).toEqual({ state: ['sent'], kept: 'false' });
  expect(isKept({ state: 'sent', reason: 'outbox' })).toBe(true);
});

it('asks for any other state as it is, and ignores an unknown word', () => {
  expect(stateFilter('bounced')).toEqual({ state: ['bounced'] });
  for (const word of [undefined, '', 'constructor', 'Sent']) expect(stateFilter(word)).toEqual({});
});
