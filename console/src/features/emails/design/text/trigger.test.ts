import { expect, it } from 'vitest';
import { choicesFor, triggerIn } from './trigger.ts';

it('knows where a variable or a block is being named', () => {
  expect(triggerIn('Hello {{')).toEqual({ kind: 'variable', query: '', length: 2 });
  expect(triggerIn('Hello {{ fir')).toEqual({ kind: 'variable', query: 'fir', length: 6 });
  expect(triggerIn('/but')).toEqual({ kind: 'block', query: 'but', length: 4 });
  expect(triggerIn('see /')).toEqual({ kind: 'block', query: '', length: 1 });
});

it('stays quiet anywhere else', () => {
  for (const text of ['', 'and/or', 'https://', '{', '{{a}}', '{{a b', '/ x', '1/2'])
    expect(triggerIn(text), text).toBeUndefined();
});

it('offers what fits, the best first, and not too many', () => {
  const all = ['last_name', 'name', 'plan', ...Array.from({ length: 20 }, (_, i) => `p${i}`)].map((label) => ({
    label,
    note: '',
    value: label,
  }));
  expect(choicesFor('NAME', all).map(({ label }) => label)).toEqual(['name', 'last_name']);
  expect(choicesFor('', all)).toHaveLength(8);
  expect(choicesFor('zz', all)).toEqual([]);
});
