// What a person sees who tries the service: a new database, a few people, many lists that are made, edited and deleted at once, and other tenants
// that write meanwhile. Every list becomes ready and has the members that the interpreter says; no edit is refused.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeDynamicList as makeList } from '../../../../test/dynamic-lists.js';
import { holds } from '../../../../test/filters/interpreter.js';
import type { Sent } from '../../../../test/filters/interpreter-values.js';
import { livedFilters, livedWorlds } from '../../../../test/filters/lived-world.js';
import type { World } from '../../../../test/filters/world.js';
import { writeWorld } from '../../../../test/filters/write-world.js';
import { runs } from '../../../../test/runs.js';

const t = useApp({ work: true });

async function enter(world: World): Promise<TenantClient> {
  const tenantId = await writeWorld(t.db, world);
  const { body } = await t.admin.post(`/admin/tenants/${tenantId}/tokens`, { name: 'test', scopes: ['READ', 'WRITE'] });
  const { token } = body.data;
  return { tenantId, token, ...t.withToken(token), done: () => Promise.reject(new Error('It writes nothing')) };
}

/** Another tenant, which writes until it is told to stop. */
async function neighbour(isOver: () => boolean): Promise<void> {
  const tenant = await t.tenant();
  for (let batch = 0; batch < 8 && !isOver(); batch++) {
    const contacts = Array.from({ length: 500 }, (_, i) => ({
      email: `n${batch}-${i}@x.test`,
      properties: { plan: 'pro' },
    }));
    await tenant.done(await tenant.post('/v2/contacts/batch', { contacts }));
  }
}

const few = 30;

async function live(world: World, filters: readonly Sent[], others: readonly Sent[]): Promise<void> {
  const tenant = await enter(world);
  const kept = new Map<string, Sent>();
  const made: string[] = [];
  for (const [i, filter] of filters.entries()) {
    const listId = await makeList(tenant, filter);
    made.push(listId);
    kept.set(listId, filter);
    const earlier = made[i >> 1] as string;
    const other = others[i] as Sent;
    if (i % 4 === 1) {
      const { status, text } = await tenant.patch(`/v2/dynamic-lists/${earlier}`, { filter: other });
      expect([status, text], JSON.stringify(other)).toEqual([kept.has(earlier) ? 200 : 404, expect.anything()]);
      if (kept.has(earlier)) kept.set(earlier, other);
    }
    if (i % 9 === 5) {
      const { status } = await tenant.delete(`/v2/dynamic-lists/${listId}`);
      expect(status).toBe(200);
      kept.delete(listId);
    }
    if (i % 5 === 0) {
      const { status, body } = await tenant.post('/v2/dynamic-lists/preview', { filter });
      expect([status, body.data?.count], JSON.stringify(filter)).toEqual([200, meant(filter, world).length]);
    }
  }
  for (const [listId, filter] of kept) await isRight(tenant, listId, filter, world);
}

function meant(filter: Sent, world: World): string[] {
  return world.contacts.filter((contact) => holds(filter, contact, world)).map(({ id }) => id);
}

async function isRight(tenant: TenantClient, listId: string, filter: Sent, world: World): Promise<void> {
  const state = async () => (await tenant.get(`/v2/dynamic-lists/${listId}`)).body.data.state;
  await expect.poll(state, { timeout: 60_000, interval: 50, message: JSON.stringify(filter) }).toBe('ready');
  const { body } = await tenant.get(`/v2/dynamic-lists/${listId}/members?pageSize=200`);
  const members = body.data.map(({ contactId }: { contactId: string }) => contactId).sort();
  expect(members, JSON.stringify(filter)).toEqual(meant(filter, world).sort());
}

const rounds = runs(1);

it('builds every list of a small world rightly while others write, and refuses no edit', {
  timeout: 120_000 + rounds * 60_000,
}, async () => {
  const now = Date.now();
  const sets = fc.array(livedFilters, { minLength: few, maxLength: few, size: 'max' });
  for (const [world, filters, others] of fc.sample(fc.tuple(livedWorlds(now), sets, sets), rounds)) {
    let isOver = false;
    const writing = neighbour(() => isOver);
    await live(world, filters, others).finally(() => {
      isOver = true;
    });
    await writing;
  }
});
