import { expect, it } from 'vitest';
import { pageOf } from './use-page-params.ts';

it('takes the number of a page from an address, and the first for what cannot be one', () => {
  expect(pageOf('7')).toBe(7);
  for (const text of [null, '', 'x', '0', '-3', '99999999999']) expect(pageOf(text), String(text)).toBe(1);
});
