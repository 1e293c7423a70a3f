import { beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { makeContact } from '../../../test/events.js';
import { newContactId } from '../../lib/ids.js';
import { type ContactNews, contactsChanged, newsOf } from './news.js';
import { applyOwnChanges } from './own-changes.js';
import { Planner } from './plan-writes.js';

const t = useApp({ work: true });
let tenant: TenantClient;
beforeEach(async () => {
  tenant = await t.tenant();
});

const now = '2026-03-01T00:00:00.000Z';
const at = '2026-02-28T23:59:59.000Z';

/** Collects the news about the tenant's contacts from here on. */
function listen(): ContactNews[] {
  const told: ContactNews[] = [];
  const { tenantId } = tenant;
  contactsChanged.hear(t.db.identity, async (_tx, of, items) => {
    if (of === tenantId) told.push(...items);
  });
  return told;
}

describe('changes of our own', () => {
  it('set properties like any write: in the log with their source, and in the news with their acknowledgement time', async () => {
    const contactId = await makeContact(tenant, 'a@x.io');
    const told = listen();
    const { errors, propertiesOf } = await t.db.transaction((tx) =>
      applyOwnChanges(
        tx,
        tenant.tenantId,
        [
          { contactId, properties: { plan: 'pro' }, source: 'journey', at },
          { contactId, properties: { plan: 'team', seats: 3 }, source: 'journey', at: now },
        ],
        now,
      ),
    );
    expect(errors).toEqual([undefined, undefined]);
    expect(propertiesOf(contactId)).toEqual({ plan: 'team', seats: 3 });
    expect((await tenant.get(`/v1/contacts/${contactId}`)).body.data.properties).toEqual({ plan: 'team', seats: 3 });
    const { body } = await tenant.get(`/v2/contacts/${contactId}/activity-log`);
    expect(body.data.map(({ field, source }: { field: string; source: string }) => [field, source])).toEqual([
      ['seats', 'journey'],
      ['plan', 'journey'],
      ['plan', 'journey'],
    ]);
    expect(told.flatMap(({ changes }) => changes.map((change) => [change.field, change.newValue, change.at]))).toEqual([
      ['plan', 'pro', at],
      ['plan', 'team', now],
      ['seats', 3, now],
    ]);
  });

  it('say which contact is gone, and skip a key that cannot be set', async () => {
    const contactId = await makeContact(tenant, 'a@x.io');
    const changes = [
      { contactId: newContactId(), properties: { plan: 'pro' }, source: 'journey', at },
      { contactId, properties: { unsubscribed: true, 'No key': 1 }, source: 'journey', at },
    ];
    const { errors, propertiesOf } = await t.db.transaction((tx) => applyOwnChanges(tx, tenant.tenantId, changes, now));
    expect(errors).toEqual([expect.stringContaining('deleted'), undefined]);
    expect(changes.map((one) => propertiesOf(one.contactId))).toEqual([undefined, {}]);
    expect((await tenant.get(`/v1/contacts/${contactId}`)).body.data.properties).toEqual({});
  });
});

describe('news of a change', () => {
  it('says when its write was acknowledged', async () => {
    const contactId = await makeContact(tenant, 'a@x.io');
    const told = listen();
    const write = await tenant.patch(`/v1/contacts/${contactId}`, { properties: { plan: 'pro' } });
    const { createdAt } = await tenant.done(write);
    expect(told.flatMap(({ changes }) => changes.map((change) => change.at))).toEqual([createdAt]);
  });

  it('includes what a later write of the same run changed in a new contact, as the activity log does', () => {
    const planner = new Planner([], () => 'c');
    planner.asOf(at);
    planner.plan({ kind: 'create', items: [{ ok: true, email: 'a@x.io', properties: { plan: 'free' } }] });
    planner.asOf(now);
    planner.plan({ kind: 'update', contactId: 'c', properties: { plan: 'pro' } });
    const [news] = newsOf(planner.finish(), now);
    expect(news).toMatchObject({
      what: 'created',
      changes: [{ field: 'plan', oldValue: null, newValue: 'pro' }],
      logged: [{ field: 'plan', oldValue: 'free', newValue: 'pro', at: now }],
    });
  });
});
