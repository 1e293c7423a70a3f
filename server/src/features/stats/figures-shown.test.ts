import { countNames, Rates, statsCounts } from '@rapport/contract';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { describe, expect, it } from 'vitest';
import { type Counts, storedCounts } from '../messages/index.js';
import { noCounts, ratesOf, showCounts, showFigures, sumCounts, sumCountsBy } from './figures-shown.js';

const anyCounts: fc.Arbitrary<Counts> = fc
  .tuple(...storedCounts.map(() => fc.nat({ max: 1_000_000_000 })))
  .map((numbers) => Object.fromEntries(storedCounts.map((name, i) => [name, numbers[i]])) as Counts);
const counts = (some: Partial<Counts>): Counts => ({ ...noCounts(), ...some });

describe('shown counts', () => {
  it('are those of the contract, in its order, whole and not negative', () => {
    fc.assert(
      fc.property(anyCounts, (stored) => {
        const shown = showCounts(stored);
        expect(Object.keys(shown)).toEqual(countNames);
        for (const name of countNames) expect(Value.Check(statsCounts[name], shown[name])).toBe(true);
        expect(shown.bounced).toBe(stored.hardBounced + stored.softBounced);
      }),
    );
  });

  it('do not show how many clicked without an open, which only a rate needs', () => {
    expect(showFigures(counts({ clickOnly: 7 }))).not.toHaveProperty('clickOnly');
  });
});

describe('rates', () => {
  it('are each from 0 to 1, whatever was counted', () => {
    fc.assert(
      fc.property(anyCounts, (stored) => {
        expect(Value.Errors(Rates, ratesOf(stored))).toEqual([]);
      }),
    );
  });

  it('are 0 if there is nothing to divide by', () => {
    const some = { uniqueOpened: 3, uniqueClicked: 0, hardBounced: 1, unsubscribed: 2 };
    const zero = { deliveryRate: 0, openRate: 0, clickRate: 0, clickToOpenRate: 0, bounceRate: 0, unsubscribeRate: 0 };
    expect(ratesOf(noCounts())).toEqual(zero);
    expect(ratesOf(counts(some))).toEqual(zero);
  });

  it('divide what the contract says', () => {
    const stored = {
      ...{ sent: 200, delivered: 160, uniqueOpened: 40, uniqueClicked: 24, clickOnly: 8 },
      ...{ hardBounced: 30, softBounced: 10, unsubscribed: 4, opened: 999, clicked: 999, machineOpened: 999 },
    };
    expect(ratesOf(counts(stored))).toEqual({
      ...{ deliveryRate: 0.8, openRate: 0.25, clickRate: 0.15, clickToOpenRate: 0.5, bounceRate: 0.2 },
      unsubscribeRate: 0.025,
    });
  });
});

describe('sums', () => {
  it('are the same by parts and as a whole', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), anyCounts), { maxLength: 20 }), (rows) => {
        const keyed = rows.map(([key, row]) => ({ ...row, key }));
        const parts = sumCountsBy(keyed, ({ key }) => key);
        expect([...parts.keys()]).toEqual([...new Set(rows.map(([key]) => key))]);
        expect(sumCounts(parts.values())).toEqual(sumCounts(rows.map(([, row]) => row)));
      }),
    );
  });

  it('do not change what they sum', () => {
    const row = counts({ sent: 1 });
    sumCountsBy([row, row], () => 'all');
    expect(row).toEqual(counts({ sent: 1 }));
  });
});
