import { expect, it } from 'vitest';
import { askedWhy } from './asked-why.ts';

it.each([
  ['why ada', { who: 'ada', what: '' }],
  ['Why did ada@example.com not get “Welcome”?', { who: 'ada@example.com', what: 'Welcome' }],
  ['why ada trial ending', { who: 'ada', what: 'trial ending' }],
  ["why isn't ada in the Newsletter", { who: 'ada', what: 'Newsletter' }],
  ['why', { who: '', what: '' }],
  ['ada', undefined],
  ['whyte', undefined],
])('reads %j', (text, asked) => {
  expect(askedWhy(text)).toEqual(asked);
});
