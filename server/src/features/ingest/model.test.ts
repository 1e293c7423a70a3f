// A run is planned in memory. Whatever the calls are, the result must be the same as applying them one by one.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { runs } from '../../../test/runs.js';
import { sql } from '../../db/sql.js';
import { Appliers, serveTenant } from '../transactions/index.js';
import { segmentApplier } from './apply-batches.js';

const t = useApp();
const appliers = new Appliers();
appliers.onApply(segmentApplier(() => undefined));

const some = <T>(...values: T[]) => fc.constantFrom(...values);
const userId = some('u1', 'u2', 'u3');
const email = some('a@x.io', 'b@x.io');
const groupId = some('g1', 'g2');
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const traits = fc.dictionary(some('plan', 'seatCount', 'city'), some<string | number | null>('x', 'y', 1, null), {
  maxKeys: 2,
});
const context = optional(fc.record({ traits: optional(fc.record({ email })), groupId: optional(groupId) }));
const message = fc.oneof(
  fc.record({ userId: optional(userId), email: optional(email), traits, context }).map(({ email: given, ...rest }) => ({
    type: 'identify',
    ...rest,
    traits: { ...rest.traits, ...(given ? { email: given } : {}) },
  })),
  fc.record({ userId: optional(userId), groupId, traits, context }).map((rest) => ({ type: 'group', ...rest })),
  fc
    .record({ userId: optional(userId), event: some('e1', 'e2'), context, messageId: optional(some('m1', 'm2')) })
    .map((rest) => ({ type: 'track', ...rest })),
);

async function apply(tenant: TenantClient, batch: unknown[]): Promise<void> {
  expect((await tenant.post('/ingest/v1/batch', { batch })).status).toBe(200);
  while ((await serveTenant(t.db, appliers, tenant.tenantId)) !== 0);
}

/** Everything that is stored, without random ids and times. Properties that one write changes are in no order: jsonb has its own. */
async function stateOf({ tenantId }: TenantClient): Promise<unknown> {
  const row = await t.db.row(sql`
    select
      (select json_agg(json_build_array(email, properties) order by email) from contact where tenant_id = ${tenantId}) as contacts,
      (select json_agg(json_build_array(u.user_id, c.email, u.properties) order by u.user_id) from product_user u
        join contact c using (tenant_id, contact_id) where tenant_id = ${tenantId}) as users,
      (select json_agg(json_build_array(org_id, name, properties) order by org_id) from organization
        where tenant_id = ${tenantId}) as organizations,
      (select json_agg(json_build_array(org_id, user_id) order by org_id, user_id) from org_membership
        where tenant_id = ${tenantId}) as members,
      (select json_agg(json_build_array(event_name, user_id, org_id) order by event_no) from event
        where tenant_id = ${tenantId}) as events,
      (select json_agg(json_build_array(call, user_id, reason) order by refusal_no) from ingest_refusal
        where tenant_id = ${tenantId}) as log,
      (select json_agg(json_build_array(user_id, traits, org_ids) order by user_id) from waiting_user
        where tenant_id = ${tenantId}) as waiting,
      (select json_agg(json_build_array(c.email, h.field, h.old_value, h.new_value) order by c.email, h.field, h.change_id)
        from contact_change h join contact c using (tenant_id, contact_id) where tenant_id = ${tenantId}) as changes,
      (select json_object_agg(counter, n) from (select counter, sum(delta) as n from counter_delta
        where tenant_id = ${tenantId} group by counter having sum(delta) <> 0 order by counter) c) as counters`);
  return row;
}

it('calls in one batch leave what they leave one by one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 12 }), async (messages) => {
      const [together, apart] = [await t.tenant(), await t.tenant()];
      await apply(together, messages);
      for (const one of messages) await apply(apart, [one]);
      expect(await stateOf(together)).toEqual(await stateOf(apart));
    }),
    { numRuns: runs(20) },
  );
}, 240_000);
