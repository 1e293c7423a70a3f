import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../test/app.js';
import { lockTenant } from '../../db/locks.js';
import { sql } from '../../db/sql.js';
import { Appliers, serveTenant } from '../transactions/index.js';
import { segmentApplier } from './apply-batches.js';
import { sweepRefusals, sweepWaiting } from './queries.js';

const t = useApp({ work: true });
const idle = useApp();

interface Segment extends TenantClient {
  /** Sends a batch and waits until it is applied. */
  batch(...messages: unknown[]): Promise<void>;
  call(name: string, body: unknown, headers?: Record<string, string>): Promise<Reply>;
  applied(): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  log(): Promise<any[]>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  read(path: string): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  events(email: string): Promise<any[]>;
}

async function segment(): Promise<Segment> {
  const tenant = await t.tenant();
  const authorization = `Basic ${Buffer.from(`${tenant.token}:`).toString('base64')}`;
  const call: Segment['call'] = (name, body, headers) =>
    tenant.post(`/ingest/v1/${name}`, body, { authorization, ...headers });
  // Writes are applied in order: once a later one is done, so are those before.
  const applied = async () => {
    await tenant.done(await tenant.post('/v2/contacts/batch', { contacts: [{ email: 'marker@x.io' }] }));
  };
  const read = async (path: string) => (await tenant.get(path)).body.data;
  return {
    ...tenant,
    call,
    applied,
    read,
    batch: async (...messages) => {
      expect(await call('batch', { batch: messages })).toMatchObject({ status: 200, text: '{"success":true}' });
      await applied();
    },
    log: () => read('/v2/ingest-log?pageSize=200'),
    events: async (email) => {
      const { id } = await read(`/v1/contacts/by-email/${email}`);
      return read(`/v1/contacts/${id}/product-activity?pageSize=200`);
    },
  };
}

const ada = { type: 'identify', userId: 'ada', traits: { email: 'Ada@X.io ', firstName: 'Ada', 'Plan Type': 'pro' } };
const track = (event: string, more: object = {}) => ({ type: 'track', userId: 'ada', event, ...more });

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

  it('is refused for a user of another email, above the limits, and without anybody; nothing of it is applied', async () => {
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
      ['eve', null, 'email is not an email address.'],
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

  it('wait for an identify with one, which is newer', async () => {
    const s = await segment();
    await s.batch(...early);
    expect((await s.get('/v2/users/ada')).status).toBe(404);
    expect(await s.log()).toEqual([]);
    await s.batch({ type: 'identify', userId: 'ada', traits: { email: 'ada@x.io', plan: 'max', city: null } });
    await expectSettled(s, { plan: 'max', seats: 1 });
  });

  it('and in the same batch', async () => {
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

  it('are refused where they would be too much, and the user is made all the same', async () => {
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

  it('wait for 30 days, and then are in the log', async () => {
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

describe('track, page and screen', () => {
  it('become events of the user, with the organization if it is known', async () => {
    const s = await segment();
    await s.batch(
      ada,
      { type: 'group', userId: 'ada', groupId: 'acme' },
      track('Report Exported', { properties: { format: 'csv', deep: { a: [1] } }, context: { groupId: 'acme' } }),
      track('Other', { context: { groupId: 'nowhere' } }),
      { type: 'page', userId: 'ada', name: 'Home', category: 'Docs', properties: { path: '/' } },
      { type: 'screen', userId: 'ada', properties: { name: 'Start' } },
    );
    const events = (await s.events('ada@x.io')).reverse();
    expect(events.map(({ eventDate: _, ...event }) => event)).toEqual([
      {
        eventName: 'Report Exported',
        userId: 'ada',
        orgId: 'acme',
        eventProperties: { format: 'csv', deep: { a: [1] } },
      },
      { eventName: 'Other', userId: 'ada', orgId: null, eventProperties: {} },
      {
        eventName: 'Page Viewed',
        userId: 'ada',
        orgId: null,
        eventProperties: { path: '/', name: 'Home', category: 'Docs' },
      },
      { eventName: 'Screen Viewed', userId: 'ada', orgId: null, eventProperties: { name: 'Start' } },
    ]);
    expect(await s.read('/v2/organizations/acme')).toMatchObject({ name: 'acme' });
    expect(await s.log()).toEqual([]);
  });

  it('correct the clock of the sender', async () => {
    const s = await segment();
    await s.batch(ada);
    const before = Date.now();
    const body = {
      batch: [
        { ...track('old'), timestamp: '2020-01-01T00:00:00.000Z' },
        { ...track('own'), timestamp: '2020-01-01T00:00:00.000Z', sentAt: '2020-01-01T01:00:00.000Z' },
        { ...track('bad'), timestamp: 'yesterday' },
      ],
      sentAt: '2020-01-01T00:00:10.000Z',
    };
    expect((await s.call('batch', body)).status).toBe(200);
    expect((await s.call('track', { ...track('alone'), timestamp: '2021-02-03T04:05:06.789Z' })).status).toBe(200);
    await s.applied();
    const dates = new Map((await s.events('ada@x.io')).map((e) => [e.eventName, Date.parse(e.eventDate)]));
    const arrived = dates.get('bad') as number;
    expect(Math.abs(arrived - before)).toBeLessThan(5000);
    expect(arrived - (dates.get('old') as number)).toBe(10_000);
    expect(arrived - (dates.get('own') as number)).toBe(3_600_000);
    expect(new Date(dates.get('alone') as number).toISOString()).toBe('2021-02-03T04:05:06.789Z');
  });

  it('make the user of a contact by context.traits.email, and need no user then', async () => {
    const s = await segment();
    await s.done(await s.post('/v2/contacts', { email: 'c@x.io' }));
    const context = { traits: { email: 'C@x.io' } };
    await s.batch({ type: 'track', userId: 'cy', event: 'a', context }, { type: 'track', event: 'b', context });
    expect(await s.read('/v2/users/cy')).toMatchObject({ email: 'c@x.io' });
    expect((await s.events('c@x.io')).map(({ eventName, userId }) => [eventName, userId])).toEqual([
      ['b', null],
      ['a', 'cy'],
    ]);
  });

  it('are refused for nobody, for users that are not known, and where they say too much', async () => {
    const s = await segment();
    await s.batch(
      ada,
      { type: 'track', userId: 'who', event: 'a' },
      { type: 'track', userId: 'who', event: 'a', context: { traits: { email: 'no@x.io' } } },
      { type: 'track', anonymousId: 'x', event: 'a' },
      { type: 'track', userId: 'ada' },
      track('a', { properties: { big: 'x'.repeat(33_000) } }),
      track('a', { properties: [1] }),
      track('a\0'),
      track('a', { context: { traits: { email: 'other@x.io' } } }),
      { type: 'track', userId: { a: 1 }, event: 'a' },
      { type: 'alias', userId: 'ada', previousId: 'b' },
      { type: 'delete', userId: 'ada' },
      { userId: 'ada' },
      'text',
      null,
    );
    const log = (await s.log()).reverse().map(({ call, reason }) => `${call}: ${reason}`);
    expect(log).toEqual([
      'track: No such user. Create it first, or send the email of its contact along.',
      'track: No contact has this email. Create the contact first.',
      'track: The message needs a userId or an email.',
      'track: event is required.',
      expect.stringMatching(/^track: properties take \d+ bytes; at most 32768 are allowed\.$/),
      'track: properties must be an object.',
      'track: event must be valid Unicode without NUL.',
      'track: The userId belongs to another email.',
      'track: userId must be a string.',
      'alias: alias is not supported: users are not merged here.',
      'delete: The type must be track, identify, group, page or screen.',
      'unknown: The type must be track, identify, group, page or screen.',
      'unknown: The message must be an object.',
      'unknown: The message must be an object.',
    ]);
    expect(await s.events('ada@x.io')).toEqual([]);
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
        while (!(await lockTenant(tx, tenant.tenantId))) await sleep(2);
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

describe('a message that comes again', () => {
  it('is passed over, in its batch and later, whatever it is', async () => {
    const s = await segment();
    const once = (message: object, messageId: string) => ({ ...message, messageId });
    const messages = [
      once(ada, 'm1'),
      once(track('a'), 'm2'),
      once(track('a'), 'm2'),
      once({ type: 'track', userId: 'who', event: 'b' }, 'm3'),
      once({ type: 'identify', userId: 'ada', traits: { planType: 'max' } }, 'm4'),
    ];
    await s.batch(...messages);
    await s.batch({ type: 'identify', userId: 'ada', traits: { planType: 'free' } });
    await s.batch(...messages);
    expect((await s.call('track', once(track('c'), 'm2'))).status).toBe(200);
    await s.applied();
    expect(await s.events('ada@x.io')).toMatchObject([{ eventName: 'a' }]);
    expect(await s.log()).toMatchObject([{ messageId: 'm3' }]);
    expect((await s.read('/v2/users/ada')).properties).toMatchObject({ plan_type: 'free' });
  });
});

describe('the log', () => {
  it('has one line a refusal, newest first, in pages with true totals, each tenant its own', async () => {
    const [s, other] = [await segment(), await segment()];
    await s.batch(...Array.from({ length: 5 }, (_, i) => ({ type: 'track', userId: `u${i}`, event: 'a' })));
    const { body } = await s.get('/v2/ingest-log?pageSize=2&pageNumber=2');
    expect(body.pagination).toEqual({ pageNumber: 2, pageSize: 2, totalElements: 5, totalPages: 3 });
    expect(body.data).toMatchObject([{ userId: 'u2' }, { userId: 'u1', receivedAt: expect.stringMatching(/Z$/) }]);
    expect((await s.get('/v2/ingest-log?pageNumber=9')).body).toMatchObject({
      data: [],
      pagination: { totalElements: 5 },
    });
    expect(await other.log()).toEqual([]);
    expect((await s.get('/v1/ingest-log')).status).toBe(404);
  });

  it('forgets after 30 days', async () => {
    const s = await segment();
    await s.batch({ type: 'alias', userId: 'a' }, { type: 'alias', userId: 'b' }, { type: 'alias', userId: 'c' });
    await t.db.run(sql`
      update ingest_refusal set received_at = received_at - interval '31 days'
      where tenant_id = ${s.tenantId} and user_id <> 'c'`);
    expect(await sweepRefusals(t.db, 30, 1)).toBe(1);
    expect(await sweepRefusals(t.db, 30, 100)).toBe(1);
    expect((await s.get('/v2/ingest-log')).body).toMatchObject({
      data: [{ userId: 'c' }],
      pagination: { totalElements: 1 },
    });
  });

  it('ends a batch that cannot even be read', async () => {
    const tenant = await idle.tenant();
    const appliers = new Appliers();
    appliers.onApply(segmentApplier(() => undefined));
    await tenant.post('/ingest/v1/batch', { batch: [{ type: 'track', userId: 'a', event: 'a', messageId: 'm' }] });
    await idle.db.run(sql`update write_transaction set payload = '{' where tenant_id = ${tenant.tenantId}`);
    await serveTenant(idle.db, appliers, tenant.tenantId);
    const left = sql`select from write_transaction where tenant_id = ${tenant.tenantId} and status = 'PENDING'`;
    expect(await idle.db.rows(left)).toEqual([]);
  });

  it('says of a batch that can never be applied why each of its messages is not', async () => {
    const tenant = await idle.tenant();
    const appliers = new Appliers();
    appliers.onApply(segmentApplier(() => undefined));
    await tenant.post('/ingest/v1/batch', { batch: [{ type: 'track', userId: 'poison', event: 'a', messageId: 'm' }] });
    // What no message can say by itself.
    await idle.db.run(sql`
      alter table ingest_refusal add constraint poison check (reason not like 'No such user%')`);
    await serveTenant(idle.db, appliers, tenant.tenantId);
    const { body } = await tenant.get('/v2/ingest-log');
    expect(body.data).toMatchObject([
      { userId: 'poison', messageId: 'm', reason: expect.stringContaining('cannot be applied') },
    ]);
  });
});

describe('an erasure', () => {
  it('takes the person out of the log and the waiting list', async () => {
    const s = await segment();
    await s.batch(ada, track('', { messageId: 'x' }), { type: 'track', userId: 'other', event: 'a' });
    await t.db.run(sql`
      insert into waiting_user (tenant_id, user_id, first_at) values (${s.tenantId}, 'ada', now())`);
    const { id } = await s.read('/v1/contacts/by-email/ada@x.io');
    await s.done(await s.delete(`/v2/contacts/${id}`));
    expect((await s.get('/v2/ingest-log')).body).toMatchObject({
      data: [{ userId: 'other' }],
      pagination: { totalElements: 1 },
    });
    const { n } = (await t.db.row(sql`
      select count(*) as n from waiting_user where tenant_id = ${s.tenantId}`)) as { n: number };
    expect(n).toBe(0);
  });

  it('finds nothing in the log of users that were deleted before: they are forgotten at once', async () => {
    const s = await segment();
    const { traits } = ada;
    const wrong = [track(''), { ...ada, traits: { email: 'b@x.io' } }];
    await s.batch(ada, { ...ada, userId: 'eve', traits: { ...traits, email: 'eve@x.io' } }, ...wrong);
    await s.batch(...wrong.map((message) => ({ ...message, userId: 'eve' })));
    expect(await s.delete('/v2/users/ada')).toMatchObject({ status: 200 });
    expect((await s.get('/v2/ingest-log')).body).toMatchObject({
      data: [{ userId: 'eve' }, { userId: 'eve' }],
      pagination: { totalElements: 2 },
    });
  });
});

describe('tenants', () => {
  it('know nothing of each other', async () => {
    const [s, other] = [await segment(), await segment()];
    await s.batch({ ...ada, messageId: 'm' });
    await other.batch(track('a'));
    await other.batch({ ...ada, messageId: 'm' });
    expect(await s.events('ada@x.io')).toEqual([]);
    expect(await other.log()).toMatchObject([{ userId: 'ada' }]);
    expect(await other.read('/v2/users/ada')).toMatchObject({ email: 'ada@x.io' });
  });
});
