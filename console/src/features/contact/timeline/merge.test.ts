import fc from 'fast-check';
import { expect, it } from 'vitest';
import { mergeStreams } from './merge.ts';

const at = (minute: number) => ({ at: new Date(Date.UTC(2026, 10, 15, 0, minute)).toISOString() });

it('shows nothing older than what every stream has told', () => {
  const { items, behind } = mergeStreams([
    { items: [at(50), at(10)], isDone: false },
    { items: [at(45), at(30)], isDone: false },
  ]);
  expect(items).toEqual([at(50), at(45), at(30)]);
  expect(behind).toEqual([1]);
});

it('waits for a stream that has told nothing yet, not for one that has nothing to tell', () => {
  expect(
    mergeStreams([
      { items: [at(5)], isDone: true },
      { items: [], isDone: false },
    ]),
  ).toEqual({
    items: [],
    behind: [1],
  });
  expect(
    mergeStreams([
      { items: [at(5)], isDone: true },
      { items: [], isDone: true },
    ]),
  ).toEqual({
    items: [at(5)],
    behind: [],
  });
});

it('comes to the whole story in its order, and never puts anything before what was shown', () => {
  const story = fc.array(fc.nat(500), { maxLength: 30 }).map((minutes) => minutes.toSorted((a, b) => b - a).map(at));
  fc.assert(
    fc.property(
      fc.array(story, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 7 }),
      (stories, pageSize) => {
        const read = stories.map(() => pageSize);
        let before: { at: string }[] = [];
        for (;;) {
          const streams = stories.map((all, no) => ({
            items: all.slice(0, read[no]),
            isDone: (read[no] ?? 0) >= all.length,
          }));
          const { items, behind } = mergeStreams(streams);
          expect(items.slice(0, before.length)).toEqual(before);
          before = items;
          if (behind.length === 0) break;
          for (const no of behind) read[no] = (read[no] ?? 0) + pageSize;
        }
        const whole = stories.flat().toSorted((one, other) => Date.parse(other.at) - Date.parse(one.at));
        expect(before).toEqual(whole);
      },
    ),
  );
});
