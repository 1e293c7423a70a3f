import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { t } from '../../texts/forms.ts';
import { added, countFaults, draftsOf, faultsOfFields, inputOf, moved } from './field-drafts.ts';
import type { FormField } from './form-api.ts';

const email: FormField = { property: 'email', label: 'Email', type: 'email', required: true };
const size: FormField = { property: 'size', label: 'Size', type: 'select', required: false, options: ['S', 'M'] };

describe('the fields of a form', () => {
  it('come back as they were', () => {
    expect(inputOf(draftsOf([email, size]))).toEqual([email, size]);
  });

  it('move without losing one, and back again', () => {
    const places = fc.tuple(fc.nat(5), fc.nat(5));
    fc.assert(
      fc.property(places, ([from, to]) => {
        let drafts = draftsOf([email]);
        for (let i = 0; i < 5; i++) drafts = added(drafts);
        const there = moved(drafts, from, to);
        expect(new Set(there.map(({ key }) => key)).size).toBe(6);
        expect(there[to]).toEqual(drafts[from]);
        expect(moved(there, to, from)).toEqual(drafts);
      }),
    );
  });

  it('stay where they are at either end', () => {
    const drafts = draftsOf([email, size]);
    expect(moved(drafts, 0, -1)).toEqual(drafts);
    expect(moved(drafts, 1, 2)).toEqual(drafts);
  });

  it('need a label, a property of their own, choices to choose from, and one email', () => {
    const drafts = added(draftsOf([email, size, email, { ...size, property: 'Not a key', options: [] }]));
    expect(faultsOfFields(drafts)).toEqual([
      { property: t.fault.twice, type: t.fault.email },
      {},
      { property: t.fault.twice, type: t.fault.email },
      { property: t.fault.property, options: t.fault.options },
      { label: t.fault.label, property: t.fault.property },
    ]);
    expect(countFaults(drafts)).toBe(4);
  });
});
