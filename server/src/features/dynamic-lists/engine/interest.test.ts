import { expect, it } from 'vitest';
import { processorMsOf } from '../../../../test/processor-time.js';
import { readFilter } from '../../filter-language/read.js';
import { Subjects } from '../../filter-language/subjects.js';
import { Interest } from './interest.js';

const subjects = new Subjects([]);
const idOf = (n: number) => n.toString(16).padStart(24, '0');
const list = (listNo: number, filter: unknown) => ({
  listNo,
  listId: idOf(listNo),
  revision: 1,
  filter: readFilter(filter, subjects),
});

it('orders lists of lists in no time, however many ways lead through them', () => {
  const bottom = [1, 2].map((listNo) => list(listNo, { property: 'plan', is: 'pro' }));
  const above = Array.from({ length: 60 }, (_, i) => {
    const level = 1 + 2 * (i >> 1);
    return list(3 + i, {
      all: Array.from({ length: 200 }, (_, n) => ({ dynamicListId: idOf(level + (n % 2)) })),
    });
  });
  const interest = new Interest([...bottom, ...above]);
  let levels: ReturnType<Interest['levels']> = [];
  const spent = processorMsOf(() => {
    levels = interest.levels(interest.lists.keys());
  });
  expect(spent).toBeLessThan(1000);
  expect(levels).toHaveLength(31);
  expect(levels.at(-1)?.map(({ listNo }) => listNo)).toEqual([61, 62]);
});
