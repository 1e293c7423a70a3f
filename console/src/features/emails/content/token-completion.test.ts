import { expect, it } from 'vitest';
import { closingFor, nameBefore } from './token-completion.ts';

it('knows where a variable is being named', () => {
  expect(nameBefore('<p>{{')).toBe(0);
  expect(nameBefore('<p>{{ fir')).toBe(3);
  expect(nameBefore('<a href="{{-unsub')).toBe(5);
});

it('stays quiet anywhere else', () => {
  for (const text of ['<p>', '{', '{{a}}', '{{a | def', '{{a.b', '{% if a'])
    expect(nameBefore(text), text).toBeUndefined();
});

it('closes a token that is open, and no other', () => {
  expect(closingFor('')).toBe('}}');
  expect(closingFor('</p>')).toBe('}}');
  expect(closingFor('}}</p>')).toBe('');
  expect(closingFor(' }}')).toBe('');
  expect(closingFor(' | default: "x"}}')).toBe('');
});
