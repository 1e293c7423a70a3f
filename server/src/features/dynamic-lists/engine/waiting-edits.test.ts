import { expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { makeDynamicList as makeList, seedContacts } from '../../../../test/dynamic-lists.js';
import { sql } from '../../../db/sql.js';

const t = useApp();
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

it('lets other tenants write while edits of one wait for its long turn', async () => {
  const [one, other] = [await t.tenant(), await t.tenant()];
  const list = await makeList(one, { property: 'plan', is: 'pro' });
  const [contact] = await seedContacts(t, one, [{ email: 'a@x.io' }]);
  const made = await one.post('/v2/lists', { name: 'static' });
  // What a turn of the worker does for as long as its statements take: here until the other tenant was answered.
  let end: (() => void) | undefined;
  const answered = new Promise<void>((resolve) => {
    end = resolve;
  });
  const turn = t.db.background.transaction(async (tx) => {
    await tx.run(sql`select hold_audience(${one.tenantId})`);
    await answered;
  });
  await sleep(300);
  let waiting = 13;
  const waits = (call: Promise<unknown>) => call.finally(() => waiting--);
  const edits = Array.from({ length: 12 }, (_, i) =>
    waits(one.patch(`/v2/dynamic-lists/${list}`, { filter: { property: 'plan', is: `v${i}` } })),
  );
  await sleep(200);
  const writer = waits(one.post(`/v2/lists/${made.body.data.staticListId}/members`, { contactIds: [contact] }));
  const found = await other.post('/v2/folders', { name: 'mine' });
  expect(found.status).toBe(200);
  expect(waiting).toBeGreaterThan(0);
  end?.();
  await Promise.all([writer, turn, ...edits]);
});
