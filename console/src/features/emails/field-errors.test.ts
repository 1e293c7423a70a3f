import { expect, it } from 'vitest';
import { fieldErrorsOf } from './field-errors.ts';

const one = (errorCode: string, detail?: string) =>
  fieldErrorsOf({ items: [{ errorCode, message: 'no', ...(detail ? { detail } : {}) }] } as never);

it('puts a refusal beside the field that it is about', () => {
  expect(one('UnapprovedEmailDomainException')).toEqual({ fromEmail: 'no' });
  expect(one('TEMPLATE_ALREADY_EXISTS')).toEqual({ name: 'no' });
  expect(one('UnknownVariablesException')).toEqual({ html: 'no' });
  expect(one('UnknownVariablesException', 'subject')).toEqual({ subject: 'no' });
  expect(one('VALIDATION_ERROR', 'fromEmail.name')).toEqual({ fromName: 'no' });
  expect(one('VALIDATION_ERROR', 'html line 3')).toEqual({ html: 'no' });
});

it('puts everything else beside the form', () => {
  expect(one('INTERNAL_ERROR')).toEqual({ form: 'no' });
  expect(one('VALIDATION_ERROR', 'constructor')).toEqual({ form: 'no' });
});

it('keeps two refusals of one field', () => {
  const items = ['a', 'b'].map((message) => ({ errorCode: 'VALIDATION_ERROR', message, detail: 'name' }));
  expect(fieldErrorsOf({ items } as never)).toEqual({ name: 'a b' });
});
