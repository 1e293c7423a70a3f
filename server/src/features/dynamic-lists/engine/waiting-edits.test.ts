import { expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { makeDynamicList as makeList, seedContacts } from '../../../../test/dynamic-lists.js';
import { sql } from '../../../db/sql.js';

const t = useApp();
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
async function timed(call: Promise<{ status: number }>) {
  const began = performance.now();
  const { status } = await call;
  return { status, ms: Math.round(performance.now() - began) };
}

it('lets other tenants write while edits of one wait for its long turn', async () => {
  const [one, other] = [await t.tenant(), await t.tenant()];
  const list = await makeList(one, { property: 'plan', is: 'pro' });
  const [contact] = await seedContacts(t, one, [{ email: 'a@x.io' }]);
  const made = await one.post('/v2/lists', { name: 'static' });
  // What a turn of the worker does for as long as its statement takes.
  const turn = t.db.background.transaction(async (tx) => {
    await tx.run(sql`select hold_audience(${one.tenantId})`);
    await tx.run(sql`select pg_sleep(4)`);
  });
  await sleep(300);
  const edits = Array.from({ length: 12 }, (_, i) =>
    timed(one.patch(`/v2/dynamic-lists/${list}`, { filter: { property: 'plan', is: `v${i}` } })),
  );
  await sleep(200);
  const writer = timed(one.post(`/v2/lists/${made.body.data.staticListId}/members`, { contactIds: [contact] }));
  const neighbour = timed(other.post('/v2/folders', { name: 'mine' }));
  const found = await neighbour;
  await Promise.all([writer, ...edits]);
  await turn;
  expect(found.status).toBe(200);
  expect(found.ms).toBeLessThan(1000);
}, 60_000);
