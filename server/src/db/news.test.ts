import { expect, it } from 'vitest';
import { useDatabase } from '../../test/database.js';
import { hearing, Topic } from './news.js';
import { sql } from './sql.js';

const t = useDatabase();
const other = useDatabase();
const now = '2026-11-15T00:00:00.000Z';

it('is not even built without a listener', async () => {
  const topic = new Topic<number>('numbers');
  topic.hear(other.db.identity, async () => undefined);
  let made = 0;
  await t.db.transaction((tx) =>
    topic.tell(tx, 1, now, () => {
      made++;
      return [1];
    }),
  );
  expect(made).toBe(0);
});

it('reaches every listener, in the transaction of a request or of the worker', async () => {
  const topic = new Topic<number>('numbers');
  const heard: unknown[] = [];
  hearing(topic, async (_tx, tenantId, items, at) => void heard.push(['one', tenantId, items, at]))(t.db.identity);
  hearing(topic, async (_tx, tenantId, items) => void heard.push(['two', tenantId, items]))(t.db.identity);
  await t.db.transaction((tx) => topic.tell(tx, 7, now, () => [1, 2]));
  await t.db.background.transaction((tx) => topic.tell(tx, 8, now, () => [3]));
  await t.db.transaction((tx) => topic.tell(tx, 9, now, () => []));
  expect(heard).toEqual([
    ['one', 7, [1, 2], now],
    ['two', 7, [1, 2]],
    ['one', 8, [3], now],
    ['two', 8, [3]],
  ]);
});

it('rolls back what listeners wrote when the change fails', async () => {
  const topic = new Topic<number>('numbers');
  await t.db.run(sql`create table noted (n integer)`);
  topic.hear(t.db.identity, async (tx, _tenantId, items) => {
    await tx.run(sql`insert into noted select unnest(${items}::integer[])`);
  });
  await t.db.transaction((tx) => topic.tell(tx, 1, now, () => [1]));
  const failing = t.db.transaction(async (tx) => {
    await topic.tell(tx, 1, now, () => [2]);
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await t.db.rows(sql`select n from noted`)).toEqual([{ n: 1 }]);
});
