import { describeError, fieldReasons, sayField } from '@rapport/contract';
import { expect, it } from 'vitest';
import { faultsOf, fieldErrorsOf } from './field-errors.ts';

type Item = Parameters<typeof fieldErrorsOf>[0]['items'][number];

const one = (errorCode: Item['errorCode'], message: string, detail?: string) =>
  fieldErrorsOf({ items: [{ errorCode, message, ...(detail ? { detail } : {}) }] }, { name: 'Welcome' });

it('puts a refusal beside the field that it is about, in words that name no field of the API', () => {
  const unapproved = describeError('UnapprovedEmailDomainException', { domain: 'x.test' });
  expect(one('UnapprovedEmailDomainException', unapproved)).toEqual({
    fromEmail: expect.stringContaining('x.test is not approved for sending'),
  });
  expect(one('TEMPLATE_ALREADY_EXISTS', 'An email named "Welcome" already exists.')).toEqual({
    name: '“Welcome” is already taken. Choose another name.',
  });
  expect(one('UnknownVariablesException', 'Unknown variables: {{x}} (html, line 2).')).toEqual({
    html: expect.stringContaining('{{x}}'),
  });
  expect(one('UnknownVariablesException', 'Unknown variables: {{x}} (subject, line 1).', 'subject')).toHaveProperty(
    'subject',
  );
  expect(one('VALIDATION_ERROR', sayField('fromEmail.email', fieldReasons.required), 'fromEmail.email')).toEqual({
    fromEmail: 'Enter a sender address.',
  });
  for (const reason of [fieldReasons.characters(0, 998), fieldReasons.bytes(2_097_152)])
    expect(one('VALIDATION_ERROR', sayField('preheader', reason), 'preheader')).toEqual({
      preheader: 'Preheader is too long.',
    });
  expect(one('VALIDATION_ERROR', 'fromEmail.name must not have line breaks.', 'fromEmail.name')).toEqual({
    fromName: 'From name must not have line breaks.',
  });
  expect(one('VALIDATION_ERROR', 'html is not a valid template: x (line 3, column 1).', 'html')).toEqual({
    html: 'HTML is not a valid template: x (line 3, column 1).',
  });
});

it('puts everything else beside the form', () => {
  expect(one('INTERNAL_ERROR', 'no')).toEqual({ form: 'no' });
  expect(one('VALIDATION_ERROR', 'no', 'constructor')).toEqual({ form: 'no' });
});

it('keeps two refusals of one field', () => {
  const items = ['a', 'b'].map((message) => ({ errorCode: 'VALIDATION_ERROR' as const, message, detail: 'name' }));
  expect(fieldErrorsOf({ items })).toEqual({ name: 'a b' });
});

it('says what is missing without asking anybody', () => {
  expect(faultsOf({ name: ' ', subject: '', html: '<p>', fromEmail: '@example.com', replyTo: '' })).toEqual({
    name: 'Enter a name.',
    subject: 'Enter a subject.',
    fromEmail: 'Enter a sender address.',
  });
  expect(faultsOf({ fromEmail: 'hello', replyTo: 'x' })).toEqual({
    fromEmail: expect.stringContaining('full email address'),
    replyTo: expect.stringContaining('full email address'),
  });
  expect(faultsOf({ fromEmail: 'hello@example.com' })).toEqual({});
});

it('names the language of a fault in a translation', () => {
  const fault = (message: string, detail: string) =>
    fieldErrorsOf({ items: [{ errorCode: 'VALIDATION_ERROR', message, detail }] }).languages;
  expect(fault('languages.de.subject must not have more than 998 characters', 'languages.de.subject')).toMatch(
    /^German \(de\): Subject must not have more/,
  );
  expect(fault('languages must not have more than 50 languages', 'languages')).toMatch(/^Languages must/);
});
