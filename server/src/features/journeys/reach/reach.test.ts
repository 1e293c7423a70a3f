// Whom a journey would reach, against what it then does, and against the rules of the engine for many contacts.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeDynamicList, seedContacts } from '../../../../test/dynamic-lists.js';
import { makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import { enrolmentsOf, until } from '../../../../test/enrolments.js';
import { sendEvents } from '../../../../test/events.js';
import { makeJourney } from '../../../../test/journeys.js';
import { bytes, sql } from '../../../db/sql.js';
import { newContactId } from '../../../lib/ids.js';
import { mayEnter } from '../definition/reentry.js';
import { bucketOf } from '../engine/bucket.js';

const t = useApp({ work: true });
let tenant: TenantClient;
let emailId: string;
beforeAll(async () => {
  tenant = await tenantWithDomain(t);
  emailId = await makeEmail(tenant);
});

let made = 0;
const address = () => `r${++made}@x.io`;
const reach = async (id: string, as = tenant) => (await as.get(`/v2/journeys/${id}/reach`)).body.data;
const mail = () => [{ id: 'mail', type: 'sendEmail', emailId }];
const wait = [{ id: 'wait', type: 'delay', for: 'P1D' }];

interface Someone {
  email: string;
  id: string;
}

async function people(count: number): Promise<Someone[]> {
  const emails = Array.from({ length: count }, address);
  const ids = await seedContacts(
    t,
    tenant,
    emails.map((email) => ({ email })),
  );
  return emails.map((email, i) => ({ email, id: ids[i] as string }));
}

async function listOf(contactIds: readonly string[]): Promise<string> {
  const { body } = await tenant.post('/v2/lists', { name: `Reached ${++made}` });
  if (contactIds.length > 0) await tenant.post(`/v2/lists/${body.data.staticListId}/members`, { contactIds });
  return body.data.staticListId;
}

describe('the reach of a batch journey', () => {
  it('is the members of its audience, without those who get no mail, and says why', async () => {
    const [ada, bob, cyd] = (await people(3)) as [Someone, Someone, Someone];
    await tenant.put(`/v2/suppressions/${bob.email}`, { reason: 'unsubscribed' });
    await tenant.put(`/v2/suppressions/${cyd.email}`, { reason: 'manual' });
    const staticListId = await listOf([ada.id, bob.id, cyd.id]);
    const definition = { entry: { audience: { staticListId } }, steps: mail() };
    const id = await makeJourney(tenant, { type: 'batch', definition });
    const told = await reach(id);
    expect(told).toMatchObject({ basis: 'audience', isExact: true, audience: 3, enters: 3, getsMail: 1 });
    expect(told.leftOut).toEqual([
      { from: 'mail', reason: 'unsubscribed', count: 1, text: '1 contact has unsubscribed.' },
      { from: 'mail', reason: 'manual', count: 1, text: '1 contact was suppressed manually.' },
    ]);
    expect(told.text).toMatch(/^Of 3 contacts in “Reached \d+”, 3 would enter, and 1 of them can get email\.$/);
    const steps = [{ ...mail()[0], transactional: true }];
    await tenant.patch(`/v2/journeys/${id}`, { definition: { ...definition, steps } });
    expect(await reach(id)).toMatchObject({ getsMail: 2, leftOut: [{ reason: 'manual' }] });
    await tenant.patch(`/v2/journeys/${id}`, { definition: { ...definition, steps: wait } });
    expect(await reach(id)).toMatchObject({ getsMail: null, leftOut: [] });
  });

  it('is whom the run then takes, and its runs tell how many that were', async () => {
    const [ada, bob, cyd] = (await people(3)) as [Someone, Someone, Someone];
    const staticListId = await listOf([ada.id, bob.id]);
    const definition = { entry: { audience: { staticListId } }, steps: [{ id: 'out', type: 'exit' }] };
    const id = await makeJourney(tenant, { type: 'batch', definition });
    const run = async () => {
      const { enters } = await reach(id);
      const before = (await enrolmentsOf(tenant, id)).length;
      const activated = await until(
        () => tenant.post(`/v2/journeys/${id}/activate`),
        ({ status }) => status === 200,
      );
      expect(activated.status).toBe(200);
      await until(
        async () => (await tenant.get(`/v2/journeys/${id}`)).body.data.status,
        (status) => status === 'inactive',
      );
      expect((await enrolmentsOf(tenant, id)).length - before).toBe(enters);
      return enters;
    };
    expect(await run()).toBe(2);
    await tenant.post(`/v2/lists/${staticListId}/members`, { contactIds: [cyd.id] });
    expect(await reach(id)).toMatchObject({ audience: 3, enters: 1, leftOut: [{ reason: 'reentry', count: 2 }] });
    expect(await run()).toBe(1);
    const { body } = await tenant.get(`/v2/journeys/${id}/runs`);
    const instant = expect.stringMatching(/Z$/);
    const shown = { runId: expect.stringMatching(/^[0-9a-f]{24}$/), runAt: instant, endedAt: instant, version: 1 };
    expect(body.data).toEqual([
      { ...shown, members: 3, enrolled: 1 },
      { ...shown, members: 2, enrolled: 2 },
    ]);
    expect(body.pagination.totalElements).toBe(2);
    const second = await tenant.get(`/v2/journeys/${id}/runs?pageSize=1&pageNumber=2`);
    expect(second.body.data).toEqual([body.data[1]]);
  });

  it('follows the rules of the engine, whatever re-entry, holdout and past are', async () => {
    const ms = { PT1H: 3_600_000, P2D: 172_800_000 } as const;
    const reentry = fc.oneof(
      fc.constantFrom('never' as const, 'afterExit' as const, 'always' as const),
      fc.constantFrom(...(Object.keys(ms) as (keyof typeof ms)[])).map((text) => ({ after: text })),
    );
    const past = fc.record({
      hoursAgo: fc.option(fc.integer({ min: 1, max: 72 }), { nil: undefined }),
      isActive: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        reentry,
        fc.integer({ min: 0, max: 50 }),
        fc.array(past, { maxLength: 12 }),
        async (again, holdout, pasts) => {
          const found = pasts.length === 0 ? [] : await people(pasts.length);
          const staticListId = await listOf(found.map(({ id }) => id));
          const definition = { entry: { audience: { staticListId } }, reentry: again, holdout, steps: mail() };
          const id = await makeJourney(tenant, { type: 'batch', definition });
          for (const [i, { hoursAgo, isActive }] of pasts.entries())
            if (hoursAgo !== undefined) await seedPast(id, found[i]?.id as string, hoursAgo, isActive);
          const rule = typeof again === 'string' ? again : { after: { text: '', ms: ms[again.after] } };
          const now = 100 * 3_600_000;
          const may = found.filter((_, i) => {
            const { hoursAgo, isActive } = pasts[i] as (typeof pasts)[number];
            const last = hoursAgo === undefined ? undefined : now - hoursAgo * 3_600_000 - 1;
            return mayEnter(rule as Parameters<typeof mayEnter>[0], last, hoursAgo !== undefined && isActive, now);
          });
          const kept = may.filter((one) => holdout > 0 && bucketOf(id, one.id, 100) < holdout);
          const told = await reach(id);
          expect([told.audience, told.enters, told.getsMail]).toEqual([
            found.length,
            may.length,
            may.length - kept.length,
          ]);
        },
      ),
      { numRuns: 25 },
    );
  });

  async function seedPast(journeyId: string, contactId: string, hoursAgo: number, isActive: boolean): Promise<void> {
    await t.db.run(sql`
      insert into enrolment (tenant_id, enrolment_id, journey_no, version, contact_id, state, step_id, visit, step_at, phase,
        wait_until, due_at, entered_at, ended_at)
      select ${tenant.tenantId}, ${newContactId()}, j.journey_no, 1, ${contactId}, ${isActive ? 'active' : 'completed'}, 'mail', 1, now(),
        'waiting', now() + interval '1 day', ${isActive ? '2999-01-01' : null}::timestamptz, now() - ${hoursAgo}::integer * interval '1 hour',
        case when not ${isActive}::boolean then now() end
      from journey j where j.tenant_id = ${tenant.tenantId} and j.journey_id = ${bytes(journeyId)}`);
  }
});

describe('the reach among more than 50,000 contacts', () => {
  it('is estimated from all over, and says so', async () => {
    const own = await tenantWithDomain(t);
    const { tenantId } = own;
    const total = 52_000;
    const { staticListId } = (await own.post('/v2/lists', { name: 'Nearly all' })).body.data;
    const id = sql`lpad(to_hex(i), 32, '0')::uuid`;
    await t.db.background.transaction(async (tx) => {
      await tx.run(sql`
        insert into contact (tenant_id, contact_id, email, properties, search_text, created_at, updated_at)
        select ${tenantId}, ${id}, i || '@example.com', '{}', '', now(), now() from generate_series(1, ${total}::int) i`);
      // A connection may have planned to look a list's contacts up one after the other, while there were few: it plans again.
      await tx.run(sql`analyze contact`);
      await tx.run(sql`
        insert into counter_delta (tenant_id, counter, delta) values (${tenantId}, 'contacts', ${total})`);
      await tx.run(sql`
        insert into list_member (tenant_id, list_id, contact_id, added_at)
        select ${tenantId}, ${bytes(staticListId)}, ${id}, now() from generate_series(1, 50500) i`);
      await tx.run(sql`
        insert into contact_change (tenant_id, contact_id, field, old_value, new_value, source, changed_at)
        select ${tenantId}, ${id}, 'plan', '"free"', '"pro"', 'api', now() from generate_series(1, ${total}::int, 4) i`);
    });
    await own.put('/v2/suppressions/1@example.com');
    // One in five unsubscribed, the first ones: a sample of one end would be far off.
    await t.db.background.run(sql`
      insert into suppression (tenant_id, address_hash, address, reason)
      select ${tenantId}, sha256(s.salt || convert_to(i || '@example.com', 'UTF8')), i || '@example.com', 'unsubscribed'
      from generate_series(2, 10100) i, tenant_salt s where s.tenant_id = ${tenantId}`);
    const steps = [{ id: 'mail', type: 'sendEmail', emailId: await makeEmail(own) }];
    const batch = await makeJourney(own, {
      type: 'batch',
      definition: { entry: { audience: { staticListId } }, steps },
    });
    const told = await reach(batch, own);
    expect([told.basis, told.isExact]).toEqual(['audience', false]);
    expect(Math.abs(told.audience - 50_500)).toBeLessThan(5);
    expect(Math.abs(told.getsMail - 40_400)).toBeLessThan(2000);
    expect(told.text).toMatch(/^Of about [\d,]+ contacts in “Nearly all”, about /);
    const entry = { propertyChanged: { property: 'plan', to: 'pro' } };
    const changed = await reach(await makeJourney(own, { definition: { entry, steps: wait } }), own);
    expect(changed).toMatchObject({ basis: 'last30Days', isExact: false });
    expect(Math.abs(changed.audience - total / 4)).toBeLessThan(total * 0.03);
  });
});

describe('the reach of a trigger journey', () => {
  it('is those who did the event in the last 30 days, as the entry asks', async () => {
    const [ada, bob, cyd] = (await people(3)) as [Someone, Someone, Someone];
    const eventName = `paid_${++made}`;
    const old = '2020-01-01T00:00:00.000Z';
    await sendEvents(tenant, [
      { email: ada.email, eventName, eventProperties: { total: 60 } },
      { email: ada.email, eventName, eventProperties: { total: 70 } },
      { email: bob.email, eventName, eventProperties: { total: 10 } },
      { email: cyd.email, eventName, eventProperties: { total: 99 }, eventDate: old },
    ]);
    const event = { eventName, where: { eventProperty: 'total', gte: 50 } };
    const id = await makeJourney(tenant, { definition: { entry: { event }, steps: mail() } });
    expect(await reach(id)).toEqual({
      ...{ basis: 'last30Days', isExact: true, audience: 1, enters: 1, getsMail: 1, leftOut: [] },
      text: `In the last 30 days, 1 contact did “${eventName}” and met the entry conditions: 1 would have entered, and 1 of them could have gotten email.`,
    });
    await tenant.patch(`/v2/journeys/${id}`, { definition: { entry: { event: { eventName } }, steps: wait } });
    expect(await reach(id)).toMatchObject({ audience: 2, enters: 2, getsMail: null });
  });

  it('is those who joined the list or had the property changed in that time', async () => {
    const [ada, bob] = (await people(2)) as [Someone, Someone];
    const staticListId = await listOf([ada.id, bob.id]);
    await t.db.run(sql`
      update list_member set added_at = now() - interval '31 days'
      where tenant_id = ${tenant.tenantId} and contact_id = ${bob.id}`);
    const joined = await makeJourney(tenant, { definition: { entry: { joined: { staticListId } }, steps: wait } });
    expect(await reach(joined)).toMatchObject({ basis: 'last30Days', audience: 1, enters: 1 });
    const property = `plan_${++made}`;
    for (const value of ['free', 'pro'])
      await tenant.done(await tenant.patch(`/v2/contacts/${ada.id}`, { properties: { [property]: value } }));
    const entryOf = (change: object) => ({
      definition: { entry: { propertyChanged: { property, ...change } }, steps: wait },
    });
    const toPro = await makeJourney(tenant, entryOf({ from: 'free', to: 'pro' }));
    expect(await reach(toPro)).toMatchObject({ basis: 'last30Days', audience: 1 });
    const toTeam = await makeJourney(tenant, entryOf({ to: 'team' }));
    expect(await reach(toTeam)).toMatchObject({ audience: 0, enters: 0 });
  });

  it('is unknown for what is not recorded, and says so', async () => {
    const dynamicListId = await makeDynamicList(tenant, { all: [] }, `Everybody ${++made}`);
    for (const entry of [{ api: true }, { left: { dynamicListId } }, { date: { property: 'birthday' } }]) {
      const id = await makeJourney(tenant, { definition: { entry, steps: wait } });
      expect(await reach(id)).toEqual({
        ...{ basis: 'unknown', isExact: false, audience: null, enters: null, getsMail: null, leftOut: [] },
        text: expect.stringMatching(/^Who it reaches can’t be known in advance: contacts enter /),
      });
    }
    const bare = await makeJourney(tenant, { definition: undefined });
    expect(await reach(bare)).toMatchObject({ basis: 'unknown', text: expect.stringContaining('no steps') });
    const broken = await makeJourney(tenant, { definition: { steps: [] } });
    expect(await reach(broken)).toMatchObject({ basis: 'unknown', text: expect.stringContaining('not complete') });
  });
});
