import { expect, it } from 'vitest';
import { instantText, localText } from './local-time.ts';

it('reads back the time that was written, to the minute', () => {
  expect(localText(instantText('2027-03-28T14:05'))).toBe('2027-03-28T14:05');
  expect([localText(''), localText('soon'), instantText(''), instantText('soon')]).toEqual(['', '', '', '']);
});
