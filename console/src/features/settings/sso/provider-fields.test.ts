import { expect, it } from 'vitest';
import { bodyOf, fieldsOf, missingIn } from './provider-fields.ts';

const fields = {
  name: ' Acme directory ',
  issuer: 'https://id.example.com',
  clientId: 'rapport',
  clientSecret: '',
  domains: ['Example.com '],
  joinsAs: 'member' as const,
  isRequired: false,
};

it('sends what was written, tidied, and no secret where none was written', () => {
  expect(bodyOf(fields)).toEqual({
    name: 'Acme directory',
    issuer: 'https://id.example.com',
    clientId: 'rapport',
    domains: ['example.com'],
    isRequired: false,
    joinsAs: 'member',
  });
  expect(bodyOf({ ...fields, clientSecret: 'a-secret', joinsAs: '' })).toMatchObject({
    clientSecret: 'a-secret',
    joinsAs: null,
  });
});

it('says of each field what to enter', () => {
  expect(missingIn(fields)).toEqual({});
  expect(Object.keys(missingIn(fieldsOf(undefined)))).toEqual(['name', 'issuer', 'clientId', 'domains']);
  expect(missingIn({ ...fields, issuer: 'http://id.example.com' })).toHaveProperty('issuer');
});
