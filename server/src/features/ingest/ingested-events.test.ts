import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { ada, segmentOn } from '../../../test/segment.js';
import { sql } from '../../db/sql.js';
import { Appliers, serveTenant } from '../transactions/index.js';
import { segmentApplier } from './apply-batches.js';
import { sweepRefusals } from './queries.js';

const t = useApp({ work: true });
const idle = useApp();
const track = (event: string, more: object = {}) => ({ type: 'track', userId: 'ada', event, ...more });

const { segment } = segmentOn(t);

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

  it('are refused without a user, for unknown users, and above the limits', async () => {
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

describe('a message that comes again', () => {
  it('is skipped, in its batch and later, whatever it is', async () => {
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
  it('has one line per refusal, newest first, in pages with true totals, separate for each tenant', async () => {
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

  it('says for each message of a batch that can never be applied why it is not', async () => {
    const tenant = await idle.tenant();
    const appliers = new Appliers();
    appliers.onApply(segmentApplier(() => undefined));
    await tenant.post('/ingest/v1/batch', { batch: [{ type: 'track', userId: 'poison', event: 'a', messageId: 'm' }] });
    // No message can cause this by itself.
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

  it('finds nothing in the log about users that were deleted before: they are forgotten at once', async () => {
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
