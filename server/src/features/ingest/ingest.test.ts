import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Reply, useApp } from '../../../test/app.js';
import { ada, type Segment, segmentOn } from '../../../test/segment.js';
import { locks, lockTenant } from '../../db/locks.js';
import { sql } from '../../db/sql.js';
import { sweepWaiting } from './queries.js';

const t = useApp({ work: true });

const { segment } = segmentOn(t);

describe('identify', () => {
  it('with an email makes a contact and a product user, with the traits of both', async () => {
    const s = await segment();
    await s.batch(ada);
    expect(await s.read('/v2/users/ada')).toMatchObject({
      email: 'ada@x.io',
      properties: { first_name: 'Ada', plan_type: 'pro' },
    });
    const contact = await s.read('/v1/contacts/by-email/ada@x.io');
    expect(contact.properties).toEqual({ first_name: 'Ada', plan_type: 'pro' });
    expect(await s.log()).toEqual([]);
  });

  it('without an email changes a user that is known, and its contact, and says where that came from', async () => {
    const s = await segment();
    await s.batch(ada);
    await s.batch({ type: 'identify', userId: 'ada', traits: { planType: 'max', firstName: null, nested: { a: 1 } } });
    const user = await s.read('/v2/users/ada');
    expect(user.properties).toEqual({ plan_type: 'max' });
    expect((await s.read('/v1/contacts/by-email/ada@x.io')).properties).toEqual({ plan_type: 'max' });
    const changes = await s.read(`/v1/contacts/${user.contactId}/activity-log`);
    expect(changes).toMatchObject([
      { field: 'users.ada.first_name', oldValue: 'Ada', newValue: null, source: 'segment' },
      { field: 'users.ada.plan_type', oldValue: 'pro', newValue: 'max', source: 'segment' },
      { field: 'first_name', newValue: null, source: 'segment' },
      { field: 'plan_type', oldValue: 'pro', newValue: 'max', source: 'segment' },
    ]);
  });

  it('without a userId makes the contact alone', async () => {
    const s = await segment();
    await s.batch({ type: 'identify', anonymousId: 'x', traits: { email: 'b@x.io', age: 3 } });
    expect((await s.read('/v1/contacts/by-email/b@x.io')).properties).toEqual({ age: 3 });
    expect(await s.read('/v2/users/by-email/b@x.io')).toEqual([]);
  });

  it('takes the email from context.traits too, and a number for a userId', async () => {
    const s = await segment();
    await s.batch({ type: 'identify', userId: 42, traits: { n: 1 }, context: { traits: { email: 'c@x.io' } } });
    expect(await s.read('/v2/users/42')).toMatchObject({ email: 'c@x.io', properties: { n: 1 } });
  });

  it('is refused for a user of another email, above the limits, and without any id; nothing of it is applied', async () => {
    const s = await segment();
    await s.batch(ada);
    const many = Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`k${i}`, i]));
    await s.batch(
      { type: 'identify', userId: 'ada', traits: { email: 'new@x.io' }, messageId: 'm1' },
      { type: 'identify', userId: 'ada', traits: many },
      { type: 'identify', userId: 'bob', traits: { ...many, email: 'bob@x.io' } },
      { type: 'identify', anonymousId: 'a', traits: { n: 1 } },
      { type: 'identify', userId: 'eve', traits: { email: 'nobody' } },
    );
    const reasons = (await s.log()).map(({ reason, userId, messageId }) => [userId, messageId, reason]).reverse();
    expect(reasons).toEqual([
      ['ada', 'm1', 'The userId belongs to another email.'],
      ['ada', null, expect.stringContaining('at most 500')],
      ['bob', null, expect.stringContaining('at most 500')],
      [null, null, 'The message needs a userId or an email.'],
      ['eve', null, 'email must be an email address.'],
    ]);
    for (const email of ['new@x.io', 'bob@x.io'])
      expect((await s.get(`/v1/contacts/by-email/${email}`)).status).toBe(400);
    for (const userId of ['bob', 'eve']) expect((await s.get(`/v2/users/${userId}`)).status).toBe(404);
    expect((await s.read('/v2/users/ada')).properties).toEqual({ first_name: 'Ada', plan_type: 'pro' });
  });
});

describe('identify and group before an email is known', () => {
  const early = [
    { type: 'identify', userId: 'ada', traits: { plan: 'free', seats: 1 } },
    { type: 'identify', userId: 'ada', traits: { plan: 'pro', city: 'Paris' } },
    { type: 'group', userId: 'ada', groupId: 'acme', traits: { name: 'Acme Ltd', employees: 9 } },
  ];
  const expectSettled = async (s: Segment, ofUser: object, ofContact = ofUser) => {
    const user = await s.read('/v2/users/ada');
    expect(user).toMatchObject({ email: 'ada@x.io', orgIds: ['acme'] });
    expect(user.properties).toEqual(ofUser);
    expect((await s.read('/v1/contacts/by-email/ada@x.io')).properties).toEqual(ofContact);
    const waiting = await t.db.row(sql`select 1 from waiting_user where tenant_id = ${s.tenantId}`);
    expect(waiting).toBeUndefined();
    expect(await s.log()).toEqual([]);
  };

  it('wait for an identify with an email, which is newer', async () => {
    const s = await segment();
    await s.batch(...early);
    expect((await s.get('/v2/users/ada')).status).toBe(404);
    expect(await s.log()).toEqual([]);
    await s.batch({ type: 'identify', userId: 'ada', traits: { email: 'ada@x.io', plan: 'max', city: null } });
    await expectSettled(s, { plan: 'max', seats: 1 });
  });

  it('wait for one in the same batch, too', async () => {
    const s = await segment();
    await s.batch(...early, { type: 'identify', userId: 'ada', traits: { email: 'ada@x.io', plan: 'max' } });
    await expectSettled(s, { plan: 'max', seats: 1, city: 'Paris' });
  });

  it('wait for POST /v2/users, whose properties are newer', async () => {
    const s = await segment();
    await s.batch(...early);
    const body = { email: 'ada@x.io', userId: 'ada', orgIds: ['acme'], properties: { plan: 'max' } };
    await s.done(await s.post('/v2/users', body));
    await expectSettled(s, { plan: 'max', seats: 1, city: 'Paris' }, { plan: 'pro', seats: 1, city: 'Paris' });
  });

  it('wait for POST /v2/users, and what it and those after it remove stays removed', async () => {
    const s = await segment();
    await s.batch(...early);
    const body = { email: 'ada@x.io', userId: 'ada', properties: { plan: 'max', seats: null } };
    // At once, so that one run has both.
    await Promise.all([
      s.post('/v2/users', body),
      s.post('/v2/users', { ...body, properties: { plan: null, city: 'Rome' } }),
    ]);
    await s.applied();
    await expectSettled(s, { city: 'Rome' }, { plan: 'pro', seats: 1, city: 'Paris' });
  });

  it('wait for an event that makes the user, ours or Segment’s', async () => {
    for (const send of [
      (s: Segment) => s.post('/v2/events', { events: [{ userId: 'ada', email: 'ada@x.io', eventName: 'login' }] }),
      (s: Segment) => s.call('track', { userId: 'ada', event: 'login', context: { traits: { email: 'ada@x.io' } } }),
    ]) {
      const s = await segment();
      await s.done(await s.post('/v2/contacts', { email: 'ada@x.io' }));
      await s.batch(...early);
      expect((await send(s)).status).toBe(200);
      await s.applied();
      await expectSettled(s, { plan: 'pro', seats: 1, city: 'Paris' });
      expect(await s.events('ada@x.io')).toHaveLength(1);
    }
  });

  it('are refused if they exceed the limits, and the user is made anyway', async () => {
    const s = await segment();
    const many = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`k${i}`, i]));
    await s.batch({ type: 'identify', userId: 'ada', traits: many });
    const others = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`o${i}`, i]));
    await s.batch({ type: 'identify', userId: 'ada', traits: others });
    expect(await s.log()).toMatchObject([{ call: 'identify', reason: expect.stringContaining('600 properties') }]);
    await s.done(await s.post('/v2/users', { email: 'ada@x.io', userId: 'ada', properties: others }));
    expect(Object.keys((await s.read('/v2/users/ada')).properties)).toHaveLength(300);
    expect(await s.log()).toHaveLength(2);
  });

  it('wait for 30 days, and are then in the log', async () => {
    const s = await segment();
    await s.batch(early[0], { type: 'group', userId: 'bob', groupId: 'g' }, { type: 'identify', userId: 'new' });
    await t.db.run(sql`
      update waiting_user set first_at = first_at - interval '31 days' where tenant_id = ${s.tenantId} and user_id <> 'new'`);
    expect(await sweepWaiting(t.db, 1)).toBe(1);
    expect(await sweepWaiting(t.db, 100)).toBe(1);
    expect(await sweepWaiting(t.db, 100)).toBe(0);
    const log = (await s.log()).map(({ call, userId, reason }) => [call, userId, reason]).sort();
    const reason = 'No email came for this user within 30 days.';
    expect(log).toEqual([
      ['group', 'bob', reason],
      ['identify', 'ada', reason],
    ]);
  });
});

describe('group', () => {
  it('makes the organization, changes it, and adds users that are known', async () => {
    const s = await segment();
    await s.done(await s.post('/v2/contacts', { email: 'c@x.io' }));
    await s.batch(
      ada,
      { type: 'group', userId: 'ada', groupId: 7, traits: { name: 'Seven', numberOfSeats: 3, email: 'us@seven.io' } },
      { type: 'group', userId: 'ada', groupId: '7', traits: { numberOfSeats: null, plan: 'pro' } },
      { type: 'group', userId: 'cy', groupId: '7', context: { traits: { email: 'c@x.io' } } },
      { type: 'group', anonymousId: 'x', groupId: 'alone' },
      { type: 'group', userId: 'ada', traits: {} },
    );
    const organization = await s.read('/v2/organizations/7');
    expect(organization).toMatchObject({ name: 'Seven', properties: { plan: 'pro', email: 'us@seven.io' } });
    expect(organization.properties).not.toHaveProperty('number_of_seats');
    const members = await s.get('/v2/organizations/7/members');
    expect(members.body.data.map(({ userId }: { userId: string }) => userId)).toEqual(['cy', 'ada']);
    expect(members.body.pagination.totalElements).toBe(2);
    expect(await s.read('/v2/organizations/alone')).toMatchObject({ name: 'alone' });
    expect((await s.get('/v2/organizations')).body.pagination.totalElements).toBe(2);
    expect(await s.log()).toMatchObject([{ call: 'group', reason: 'groupId is required.' }]);
    await s.batch({ type: 'group', userId: 'ada', groupId: '7', traits: { name: 'Renamed' } });
    expect(await s.read('/v2/organizations/7')).toMatchObject({ name: 'Renamed', properties: { plan: 'pro' } });
    expect((await s.get('/v2/organizations/7/members')).body.pagination.totalElements).toBe(2);
  });
});

describe('a synchronous write', () => {
  it('does not overtake calls that were acknowledged before it', async () => {
    const tenant = await t.tenant();
    /** Sends a call that no worker applies until the request has been waiting for it. */
    const behind = async (message: unknown, request: () => Promise<Reply>): Promise<Reply> => {
      let answered: Promise<Reply> | undefined;
      await t.db.transaction(async (tx) => {
        while (!(await lockTenant(tx, tenant.tenantId, locks.writes))) await sleep(2);
        await tenant.post('/ingest/v1/batch', { batch: [message] });
        answered = request();
        await Promise.race([answered, sleep(50)]);
      });
      return answered as Promise<Reply>;
    };
    await tenant.post('/ingest/v1/batch', { batch: [ada] });
    const group = { type: 'group', userId: 'ada', groupId: 'acme', traits: { name: 'Acme', plan: 'free' } };
    const renamed = await behind(group, () => tenant.patch('/v2/organizations/acme', { name: 'Acme Ltd' }));
    expect(renamed.body.data).toMatchObject({ name: 'Acme Ltd', properties: { plan: 'free' } });
    const other = { type: 'group', anonymousId: 'x', groupId: 'other' };
    const made = await behind(other, () => tenant.post('/v2/organizations', { orgId: 'other', name: 'Other' }));
    expect(made.status).toBe(409);
    const eve = { type: 'identify', userId: 'eve', traits: { email: 'eve@x.io' } };
    expect((await behind(eve, () => tenant.delete('/v2/users/eve'))).status).toBe(200);
    expect((await tenant.get('/v2/users/eve')).status).toBe(404);
  });
});
