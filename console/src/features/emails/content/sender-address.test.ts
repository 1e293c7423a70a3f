import { expect, it } from 'vitest';
import { partsOf, withDomain, withLocal } from './sender-address.ts';

const domains = ['example.com', 'mail.example.com'];

it('takes the first approved domain until somebody chooses', () => {
  expect(withLocal('', 'hello', domains)).toBe('hello@example.com');
  expect(withLocal('x@mail.example.com', 'hello', domains)).toBe('hello@mail.example.com');
  expect(withDomain('hello@example.com', 'mail.example.com')).toBe('hello@mail.example.com');
});

it('takes a whole address that somebody pastes', () => {
  expect(withLocal('', ' Hello@Other.example ', domains)).toBe('Hello@other.example');
  expect(partsOf(withLocal('a@example.com', 'hello@', domains))).toEqual({ local: 'hello', domain: 'example.com' });
});
