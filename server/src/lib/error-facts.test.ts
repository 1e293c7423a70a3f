import { expect, it } from 'vitest';
import { errorFacts } from './error-facts.js';

it('keeps what helps to find the fault, and none of the data that an error carries', () => {
  const error = Object.assign(new TypeError('no', { cause: new Error('why') }), {
    code: '23505',
    constraint: 'contact_email',
    detail: 'Key (email)=(ada@example.com) already exists.',
    parameters: ['ada@example.com'],
  });
  const facts = errorFacts(error);
  expect(facts).toMatchObject({ type: 'TypeError', message: 'no', code: '23505', constraint: 'contact_email' });
  expect(facts.cause).toMatchObject({ type: 'Error', message: 'why' });
  expect(JSON.stringify(facts)).not.toContain('ada@');
});

it('keeps what is not an error unchanged', () => {
  expect(errorFacts('oops')).toEqual({ type: 'string', message: 'oops' });
  expect(errorFacts(undefined)).toEqual({ type: 'undefined', message: 'undefined' });
});
