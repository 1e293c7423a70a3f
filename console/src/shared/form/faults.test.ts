import { ApiFailure } from '@rapport/client';
import { expect, it } from 'vitest';
import { faultsOf } from './faults.ts';

const labels = { url: 'URL', events: 'Events' };
const refusal = (...items: { message: string; detail?: string }[]) =>
  new ApiFailure(
    400,
    items.map((item) => ({ errorCode: 'VALIDATION_ERROR' as const, ...item })),
  );

it('puts a refusal beside its field, with the label instead of the name in the API', () => {
  expect(faultsOf(refusal({ message: 'url must be https.', detail: 'url' }), labels)).toEqual({
    url: 'URL must be https.',
  });
});

it('knows the field of an item in a list', () => {
  expect(faultsOf(refusal({ message: 'events[1] must be one of: a.', detail: 'events[1]' }), labels)).toEqual({
    events: 'Events must be one of: a.',
  });
});

it('shows other refusals for the whole form, completely', () => {
  const said = refusal({ message: 'There are too many.' }, { message: 'tenant is gone.', detail: 'tenant' });
  expect(faultsOf(said, labels)).toEqual({ form: 'There are too many. tenant is gone.' });
  expect(faultsOf(new Error('Offline.'), labels)).toEqual({ form: 'Offline.' });
  expect(faultsOf(null, labels)).toEqual({});
});
