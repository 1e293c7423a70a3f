import { expect, it } from 'vitest';
import { subjectParts } from './subject-parts.ts';

const read = (subject: string) =>
  subjectParts(subject)
    ?.map(({ text, isValue }) => (isValue ? `[${text}]` : text))
    .join('');

it('reads as an inbox would show it, with a sign where a value comes', () => {
  expect(read('Welcome')).toBe('Welcome');
  expect(read('Welcome, {{first_name | default: "friend"}}!')).toBe('Welcome, friend!');
  expect(read('{{ first_name }}, hello')).toBe('[first name], hello');
});

it('leaves to the service what is more than a name and a fallback', () => {
  expect(read('{{ plan | upcase }}')).toBeUndefined();
  expect(read('{% if plan %}a{% endif %}')).toBeUndefined();
  expect(read('{{ data.order }}')).toBeUndefined();
});
