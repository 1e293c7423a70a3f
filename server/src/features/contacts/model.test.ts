// Random interleavings of writes, applied by one to four workers, must equal a simple model that applies them one by
// one. The model has no groups, locks or statements.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../test/app.js';
import { runs } from '../../../test/runs.js';
import { systemClock } from '../../lib/clock.js';
import { unwatched } from '../../work/queue.js';
import { startWorker } from '../../work/worker.js';
import { eraseMemberships } from '../lists/members/routes.js';
import { Appliers, writeQueue } from '../transactions/index.js';
import { contactApplier } from './index.js';

const t = useApp();

type Value = string | number | boolean | null | string[];
type Properties = Record<string, Value>;
type Op =
  | { op: 'create'; person: number; properties: Properties }
  | { op: 'batch'; items: { person: number; properties: Properties }[] }
  | { op: 'patch'; person: number; properties: Properties }
  | { op: 'delete'; person: number };

const person = fc.integer({ min: 0, max: 4 });
const value = fc.oneof(fc.constantFrom<Value>('a', 'b', 1, 2, true, null), fc.constantFrom<Value>(['x'], ['x', 'y']));
const properties = fc.dictionary(fc.constantFrom('plan', 'seats', 'first_name', 'Bad'), value, { maxKeys: 3 });
const op: fc.Arbitrary<Op> = fc.oneof(
  fc.record({ op: fc.constant('create' as const), person, properties }),
  fc.record({
    op: fc.constant('batch' as const),
    items: fc.array(fc.record({ person, properties }), { minLength: 1, maxLength: 6 }),
  }),
  fc.record({ op: fc.constant('patch' as const), person, properties }),
  fc.record({ op: fc.constant('delete' as const), person }),
);
// Ids are known only once a write is DONE, so writes come in phases; within a phase nothing waits.
const phases = fc.array(fc.array(op, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 4 });

interface Person {
  id?: string;
  properties: Properties;
  changes: number;
}
type Status = 'CREATED' | 'UPDATED' | 'NO_CHANGE' | 'FAILED';

class Model {
  readonly people = new Map<string, Person>();

  upsert(email: string, wanted: Properties): Status {
    const known = this.people.get(email);
    if (known) return this.change(known, wanted);
    const made = { properties: {}, changes: 0 };
    this.people.set(email, made);
    this.change(made, wanted);
    made.changes = 0;
    return 'CREATED';
  }

  create(email: string, wanted: Properties): Status {
    return this.people.has(email) ? 'FAILED' : this.upsert(email, wanted);
  }

  private change(of: Person, wanted: Properties): Status {
    const before = JSON.stringify(sorted(of.properties));
    for (const [key, next] of Object.entries(wanted)) {
      if (key === 'Bad') continue;
      if (JSON.stringify(of.properties[key] ?? null) === JSON.stringify(next)) continue;
      if (next === null) delete of.properties[key];
      else of.properties[key] = next;
      of.changes++;
    }
    return JSON.stringify(sorted(of.properties)) === before ? 'NO_CHANGE' : 'UPDATED';
  }

  patch(id: string, wanted: Properties): Status {
    const found = [...this.people.values()].find((one) => one.id === id);
    return found ? this.change(found, wanted) : 'FAILED';
  }

  erase(id: string): Status {
    const found = [...this.people].find(([, one]) => one.id === id);
    return found && this.people.delete(found[0]) ? 'UPDATED' : 'FAILED';
  }
}

function sorted(of: Properties): [string, Value][] {
  return Object.entries(of).sort(([a], [b]) => (a < b ? -1 : 1));
}

const emailOf = (number: number) => `p${number}@x.io`;

async function send(
  tenant: TenantClient,
  model: Model,
  one: Op,
): Promise<{ reply: Reply; expected: Status[] } | undefined> {
  switch (one.op) {
    case 'create': {
      const reply = await tenant.post('/v1/contacts', { email: emailOf(one.person), properties: one.properties });
      return { reply, expected: [model.create(emailOf(one.person), one.properties)] };
    }
    case 'batch': {
      const contacts = one.items.map((item) => ({ email: emailOf(item.person), properties: item.properties }));
      const reply = await tenant.post('/v2/contacts/batch', { contacts });
      return { reply, expected: contacts.map((item) => model.upsert(item.email, item.properties)) };
    }
    case 'patch': {
      const id = known.get(tenant.tenantId)?.get(one.person);
      if (!id) return undefined;
      const reply = await tenant.patch(`/v1/contacts/${id}`, { properties: one.properties });
      // The id is checked when the write is acknowledged; whether the contact still exists depends on the worker.
      return reply.status === 400 ? undefined : { reply, expected: [model.patch(id, one.properties)] };
    }
    case 'delete': {
      const id = known.get(tenant.tenantId)?.get(one.person);
      if (!id) return undefined;
      const reply = await tenant.delete(`/v2/contacts/${id}`);
      return reply.status === 400 ? undefined : { reply, expected: [model.erase(id)] };
    }
  }
}
/** Ids by person, as of the previous phase. */
const known = new Map<number, Map<number, string>>();

it('equals the model, with one to four workers', async () => {
  await fc.assert(
    fc.asyncProperty(phases, fc.integer({ min: 1, max: 4 }), async (all, workers) => {
      const tenant = await t.tenant();
      const appliers = new Appliers();
      appliers.onApply(contactApplier([eraseMemberships]));
      const errors: Error[] = [];
      const loops = Array.from({ length: workers }, () =>
        startWorker(
          { ...writeQueue(t.db, appliers), hands: 1, pollMs: 2 },
          {
            clock: systemClock,
            watch: { ...unwatched, retried: (_kind, _tenantId, error) => errors.push(error) },
            onError: (error) => errors.push(error),
          },
        ),
      );
      const model = new Model();
      try {
        for (const phase of all) await runPhase(tenant, model, phase);
        expect(errors).toEqual([]);
      } finally {
        await Promise.all(loops.map((loop) => loop.stop()));
      }
    }),
    { numRuns: runs(15) },
  );
}, 120_000);

async function runPhase(tenant: TenantClient, model: Model, phase: Op[]): Promise<void> {
  const before = await readAll(tenant);
  const sent: { reply: Reply; expected: Status[] }[] = [];
  for (const one of phase) {
    const result = await send(tenant, model, one);
    if (result) sent.push(result);
  }
  for (const { reply, expected } of sent) {
    const { data } = await tenant.done(reply);
    expect(data.results.map((row: { status: Status }) => row.status)).toEqual(expected);
  }
  const after = await readAll(tenant);
  expect([...after.keys()].sort()).toEqual([...model.people.keys()].sort());
  for (const [email, contact] of after) {
    const expected = model.people.get(email) as Person;
    expect(sorted(contact.properties)).toEqual(sorted(expected.properties));
    const earlier = before.get(email);
    const unchanged = earlier?.id === contact.id && expected.changes === 0;
    if (unchanged) expect(contact.updatedAt).toBe(earlier.updatedAt);
    else if (earlier?.id === contact.id) expect(contact.updatedAt > earlier.updatedAt).toBe(true);
    const log = (await tenant.get(`/v1/contacts/${contact.id}/activity-log`)).body.pagination.totalElements;
    const loggedBefore = logged.get(contact.id) ?? 0;
    expect(log - loggedBefore).toBe(expected.changes);
    logged.set(contact.id, log);
    expected.id = contact.id;
    expected.changes = 0;
  }
  known.set(tenant.tenantId, new Map([...after].map(([email, contact]) => [Number(email[1]), contact.id])));
}
const logged = new Map<string, number>();

interface Read {
  id: string;
  email: string;
  properties: Properties;
  updatedAt: string;
}
async function readAll(tenant: TenantClient): Promise<Map<string, Read>> {
  const { body } = await tenant.get('/v2/contacts?pageSize=200');
  expect(body.pagination.totalElements).toBe(body.data.length);
  return new Map(body.data.map((row: Read) => [row.email, row]));
}
