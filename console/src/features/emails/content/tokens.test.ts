import { expect, it } from 'vitest';
import { addFallback, tokensOf, withName, withoutFallback } from './tokens.ts';

const properties = new Set(['first_name', 'plan']);

it('finds tokens, their names and what stands there for want of a value', () => {
  expect(tokensOf('Hi {{ first_name | default: "there" }}, {{plan}} {{plan | upcase}}')).toMatchObject([
    { name: 'first_name', fallback: 'there', isPlain: true },
    { name: 'plan', fallback: undefined, isPlain: true },
    { name: 'plan', fallback: undefined, isPlain: false },
  ]);
});

it('knows a property without a fallback from one with, from the platform’s own, and from one in a condition', () => {
  expect(withoutFallback('Hi {{first_name}}', properties)?.name).toBe('first_name');
  expect(withoutFallback("Hi {{first_name | default: 'you'}}", properties)).toBeUndefined();
  expect(withoutFallback('Hi {{email}}', properties)).toBeUndefined();
  expect(withoutFallback('{% if plan %}{{plan}}{% endif %}', properties)).toBeUndefined();
});

it('writes a fallback where the token stands', () => {
  const text = 'Hi {{ first_name }}!';
  const [token] = tokensOf(text);
  expect(token && addFallback(text, token, 'there')).toBe('Hi {{first_name | default: "there"}}!');
});

it('mends a name in tokens and tags, and nowhere else', () => {
  expect(withName('fist {{fist}} {% if fist %}{{ fist | default: "x" }}{{data.fist}}{{fists}}', 'fist', 'first')).toBe(
    'fist {{first}} {% if first %}{{ first | default: "x" }}{{data.fist}}{{fists}}',
  );
});
