import { expect, it } from 'vitest';
import { nearestName } from './spelling.ts';

const names = ['email', 'unsubscribe_url', 'first_name', 'last_name', 'plan'];

it('finds the name that was meant', () => {
  expect(nearestName('fist_name', names)).toBe('first_name');
  expect(nearestName('frist_name', names)).toBe('first_name');
  expect(nearestName('firstName', names)).toBe('first_name');
  expect(nearestName('plna', names)).toBe('plan');
  expect(nearestName('lastname', names)).toBe('last_name');
});

it('suggests nothing if no name is near', () => {
  expect(nearestName('company', names)).toBeUndefined();
  expect(nearestName('x', names)).toBeUndefined();
  expect(nearestName('plan', [])).toBeUndefined();
});
