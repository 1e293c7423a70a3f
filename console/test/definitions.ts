// Definitions of journeys, one given and any other.
import fc from 'fast-check';
import { type Definition, type Step, stepTypes } from '../src/features/journeys/model/definition.ts';

export const onboarding: Definition = {
  entry: { event: { eventName: 'account_created' } },
  steps: [
    {
      ...{ id: 'has-data', type: 'branch', otherwise: 'welcome' },
      cases: [{ filter: { event: 'data_imported' }, next: 'mark' }],
    },
    { id: 'welcome', type: 'sendEmail', emailId: 'e' },
    {
      ...{ id: 'imports', type: 'waitUntil', timeout: 'P30D', onTimeout: 'silent' },
      branches: [{ event: { eventName: 'data_imported' }, next: 'mark' }],
    },
    { id: 'mark', type: 'updateProperty', property: 'onboarding', value: 'done', next: null },
    { id: 'silent', type: 'exit', reason: 'nothing imported' },
  ],
};

const idOf = (at: number) => `s${at}`;

const nextOf = (count: number) =>
  fc.option(
    fc.oneof(
      fc.constant(null),
      fc.nat(count - 1).map((at) => idOf(at)),
    ),
    { nil: undefined },
  );

/** Any step of every type, with ways absent, null or to any step: circles and orphans too. */
const stepArb = (at: number, count: number): fc.Arbitrary<Step> => {
  const next = nextOf(count);
  const way = fc.record({ next }).map(({ next: to }) => (to === undefined ? {} : { next: to }));
  return fc
    .record({
      type: fc.constantFrom(...stepTypes),
      next,
      more: next,
      ways: fc.array(way, { minLength: 1, maxLength: 3 }),
    })
    .map(({ type, next: to, more, ways: given }): Step => {
      const base = { id: idOf(at), ...(to === undefined ? {} : { next: to }) };
      const extra = (key: string) => (more === undefined ? {} : { [key]: more });
      if (type === 'branch') return { ...base, type, cases: given, ...extra('otherwise') };
      if (type === 'waitUntil') return { ...base, type, branches: given, timeout: 'P1D', ...extra('onTimeout') };
      if (type === 'split')
        return { ...base, type, arms: given.map((one, i) => ({ ...one, name: `${i}`, percent: 1 })) };
      if (type === 'exit') return { id: base.id, type };
      if (type === 'webhook') return { ...base, type, ...extra('onError') };
      return { ...base, type };
    });
};

export const definitionArb: fc.Arbitrary<Definition> = fc
  .integer({ min: 1, max: 7 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => stepArb(at, count))))
  .map((steps) => ({ entry: { api: true }, steps }));
