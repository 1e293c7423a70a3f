import { expect, it } from 'vitest';
import { fixOf, problemsByField } from './problems.ts';

const problem = (field: string, message: string) => ({ field, message, line: 1, column: 1 });
const unknown = { ...problem('subject', '{{fist_name}} is not known.'), variable: 'fist_name' };

it('tells what is wrong by field, in the words of the page', () => {
  const byField = problemsByField([unknown, problem('html', 'html is not a valid template: x.')]);
  expect(byField.subject).toEqual([unknown]);
  expect(byField.html?.[0]?.message).toBe('HTML is not a valid template: x.');
});

it('suggests what was meant, if something is close enough', () => {
  expect(fixOf(unknown, ['first_name', 'plan'])).toEqual({ wrong: 'fist_name', right: 'first_name' });
  expect(fixOf(unknown, ['plan'])).toBeUndefined();
  expect(fixOf({ ...unknown, variable: 'fist.name' }, ['first_name'])).toBeUndefined();
  expect(fixOf(problem('html', 'HTML is not a valid template: x.'), ['first_name'])).toBeUndefined();
});
