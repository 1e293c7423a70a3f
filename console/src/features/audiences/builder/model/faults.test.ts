import { ApiFailure } from '@rapport/client';
import { sayFault } from '@rapport/contract';
import { expect, it } from 'vitest';
import { faultsOf } from './faults.ts';

const refusal = (...details: string[]) =>
  new ApiFailure(
    400,
    details.map((detail) => ({ errorCode: 'VALIDATION_ERROR', message: `${detail}.`, detail })),
  );

it('finds the faults of a filter, each with its place', () => {
  const said = refusal(sayFault('filter.all[2].gt', 'a number is wanted'), sayFault('filter', 'one of: a'), 'name');
  expect(faultsOf(said)).toEqual([
    { path: 'filter.all[2].gt', message: 'a number is wanted' },
    { path: 'filter', message: 'one of: a' },
  ]);
});

it('finds none where something else was refused', () => {
  expect(faultsOf(refusal(sayFault('filtered', 'no')))).toEqual([]);
  expect(faultsOf(new Error('filter: no'))).toEqual([]);
});
