import { expect, it } from 'vitest';
import { GroupCommit, type Grouping, mostInGroup } from './group-commit.js';

interface Item {
  key: number;
  text: string;
}
const lost = Object.assign(new Error('terminated'), { code: '57P01' });

/** Groups that record what they were asked to commit; `wrong` makes one text fail. */
function groups(wrong: Record<string, Error> = {}, more: Partial<Grouping<Item, string>> = {}) {
  const commits: string[][] = [];
  const commit = async (items: readonly Item[]) => {
    const texts = items.map(({ text }) => text);
    commits.push(texts);
    for (const text of texts) if (wrong[text]) throw wrong[text];
    return texts.map((text) => (text === 'refused' ? new Error('refused') : text.toUpperCase()));
  };
  const grouped = new GroupCommit<Item, string>({
    keyOf: ({ key }) => key,
    sizeOf: ({ text }) => text.length,
    commit,
    ...more,
  });
  const add = (texts: readonly string[], key = 0) =>
    Promise.allSettled(texts.map((text) => grouped.add({ key, text })));
  return { commits, add };
}
const values = (settled: PromiseSettledResult<string>[]) =>
  settled.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message));

it('commits concurrent items in one group, and gives each its result', async () => {
  const { commits, add } = groups();
  expect(values(await add(['a', 'b', 'c']))).toEqual(['A', 'B', 'C']);
  expect(commits).toEqual([['a', 'b', 'c']]);
});

it('keeps groups to a number of items and of characters, and loses none', async () => {
  const { commits, add } = groups();
  const many = Array.from({ length: mostInGroup + 1 }, (_, i) => `${i}`);
  expect(await add(many)).toHaveLength(many.length);
  expect(commits.map((group) => group.length)).toEqual([mostInGroup, 1]);
  commits.length = 0;
  const long = 'x'.repeat(1024 * 1024);
  await add([long, long]);
  expect(commits.map((group) => group.length)).toEqual([1, 1]);
});

it('never puts different keys in one group', async () => {
  const { commits, add } = groups();
  await Promise.all([add(['a', 'b'], 1), add(['c'], 2)]);
  expect(commits).toEqual([['a', 'b'], ['c']]);
});

it('refuses a single item if the commit says so', async () => {
  const { commits, add } = groups();
  expect(values(await add(['a', 'refused', 'c']))).toEqual(['A', 'refused', 'C']);
  expect(commits).toHaveLength(1);
});

it('tries a failed group one by one, so that one bad item harms no other', async () => {
  const { commits, add } = groups({ bad: new Error('bad row') });
  expect(values(await add(['a', 'bad', 'c']))).toEqual(['A', 'bad row', 'C']);
  expect(commits.slice(1)).toEqual([['a'], ['bad'], ['c']]);
});

it('does not try again after a lost connection, because the commit may have happened', async () => {
  const { commits, add } = groups({ a: lost });
  expect(values(await add(['a', 'b']))).toEqual(['terminated', 'terminated']);
  expect(commits).toHaveLength(1);
});

it('sends one group after another if its owner wants no more at once', async () => {
  const ends: (() => void)[] = [];
  const commit = (items: readonly Item[]) =>
    new Promise<string[]>((resolve) => ends.push(() => resolve(items.map(({ text }) => text))));
  const { add } = groups({}, { trips: 1, commit });
  const first = add(['a']);
  await new Promise(setImmediate);
  const others = add(['b', 'c']);
  await new Promise(setImmediate);
  expect(ends).toHaveLength(1);
  ends[0]?.();
  expect(values(await first)).toEqual(['a']);
  await new Promise(setImmediate);
  expect(ends).toHaveLength(2);
  ends[1]?.();
  expect(values(await others)).toEqual(['b', 'c']);
});

it('lets its owner say which failures concern one item, and reports when a group is settled', async () => {
  let tell = () => {};
  const settled = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const { add } = groups({ a: lost }, { isShared: () => false, onSettled: () => tell() });
  expect(values(await add(['a', 'b']))).toEqual(['terminated', 'B']);
  await settled;
});
