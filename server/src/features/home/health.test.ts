// GET /v2/workspace/health: what is set up, and what needs a look.
import { describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { makeEmail } from '../../../test/emails.js';
import { makeContact, sendEvents } from '../../../test/events.js';
import { makeJourney } from '../../../test/journeys.js';
import { makeTeam } from '../../../test/team.js';
import { noSome } from '../../db/count-some.js';
import { sql } from '../../db/sql.js';
import { type Troubles, tellAttention } from './tell-attention.js';

const t = useApp({ work: true });

async function health(tenant: Pick<TenantClient, 'get'>) {
  const { status, body } = await tenant.get('/v2/workspace/health');
  expect(status).toBe(200);
  return body.data;
}

describe('the setup of a workspace', () => {
  it('is done step by step', async () => {
    const tenant = await t.tenant();
    const nothing = { domain: false, import: false, event: false, email: false, journey: false };
    expect(await health(tenant)).toEqual({ setup: nothing, attention: [] });
    await makeContact(tenant, 'ada@x.io');
    expect((await health(tenant)).setup).toEqual({ ...nothing, import: true });
    await sendEvents(tenant, [{ email: 'ada@x.io', eventName: 'login' }]);
    await t.admin.post(`/admin/tenants/${tenant.tenantId}/sending-domains`, { domain: 'example.com' });
    await makeEmail(tenant);
    await makeJourney(tenant);
    expect((await health(tenant)).setup).toEqual({
      domain: true,
      import: true,
      event: true,
      email: true,
      journey: true,
    });
  });

  it('may be read by a viewer', async () => {
    const { viewer } = await makeTeam(t);
    expect((await health(viewer)).attention).toEqual([]);
  });
});

describe('what needs attention', () => {
  it('is counted for the tenant only, and over the last day where it says so', async () => {
    const tenant = await t.tenant();
    const other = await t.tenant();
    const { tenantId } = tenant;
    const email = '019a8b2c4d5e6f708192a3c1';
    await t.db.run(sql`
      insert into email_activity (tenant_id, email_id, occurred_at, outcome)
      values (${tenantId}, ${`\\x${email}`}, now() - interval '2 hours', 'rejected'),
        (${tenantId}, ${`\\x${email}`}, now() - interval '25 hours', 'rejected'),
        (${tenantId}, ${`\\x${email}`}, now(), 'stored')`);
    await t.db.run(sql`
      insert into ingest_refusal (tenant_id, received_at, call, reason)
      values (${tenantId}, now() - interval '25 hours', 'track', 'x'), (${tenantId}, now(), 'track', 'x'), (${tenantId}, now(), 'track', 'x')`);
    await t.db.run(sql`
      insert into message_tally_delta (tenant_id, subject, hour, sent, hard_bounced, soft_bounced)
      values (${tenantId}, 't', date_trunc('hour', now(), 'UTC'), 200, 2, 1), (${tenantId}, 't', date_trunc('hour', now(), 'UTC') - interval '2 days', 100, 9, 0)`);
    await t.db.run(sql`insert into sending_pause (tenant_id, reason) values (${tenantId}, 'Too many came back.')`);
    await t.db.run(sql`
      insert into enrolment (tenant_id, enrolment_id, journey_no, version, state, reason, entered_at, ended_at)
      values (${tenantId}, gen_random_uuid(), 1, 1, 'exited', 'error', now(), now()),
        (${tenantId}, gen_random_uuid(), 1, 1, 'exited', 'goal', now(), now())`);
    await t.admin.post(`/admin/tenants/${tenantId}/sending-domains`, { domain: 'example.com' });
    const hook = await tenant.post('/v2/webhooks', { url: 'https://example.com/hook', events: ['message.sent'] });
    expect(hook.status).toBe(200);
    await t.db.run(sql`update webhook set state = 'failing', failing_since = now() where tenant_id = ${tenantId}`);
    const { attention } = await health(tenant);
    expect(attention).toMatchObject([
      { kind: 'mailPaused', count: 0, since: expect.any(String) },
      { kind: 'domainProblems', count: 1 },
      {
        kind: 'bounces',
        count: 3,
        rate: 0.015,
        text: '3 messages bounced in the last 24 hours, 1.5% of sent.',
      },
      { kind: 'webhooksFailing', count: 1, since: expect.any(String) },
      { kind: 'journeyFaults', count: 1 },
      { kind: 'versionsRejected', count: 1, link: `/v2/emails/${email}/activity?outcome=rejected` },
      { kind: 'ingestRefused', count: 2 },
    ]);
    expect((await health(other)).attention).toEqual([]);
  });
});

describe('an open alert', () => {
  it('needs attention until it closes, with its own sentence; bounces have theirs already', async () => {
    const tenant = await t.tenant();
    const id = await makeJourney(tenant, { name: 'Welcome' });
    await t.db.run(sql`
      insert into alert (tenant_id, alert_id, kind, subject, subject_type, count, compared_with, opened_at)
      select ${tenant.tenantId}, decode(lpad(to_hex(n), 24, '0'), 'hex'), kind, subject, type, 2, 1000, now() - interval '1 hour'
      from unnest(${['complaints', 'bounces', 'journeyStopped']}::text[], ${['', '', id]}::text[],
        ${['mail', 'mail', 'journey']}::text[]) with ordinality a (kind, subject, type, n)`);
    expect((await health(tenant)).attention).toMatchObject([
      { kind: 'complaints', count: 1, link: '/v2/sending', text: expect.stringMatching(/^2 of 1,000 messages sent/) },
      { kind: 'journeyStopped', count: 1, since: expect.any(String), link: `/v2/journeys/${id}` },
    ]);
    await t.db.run(sql`update alert set closed_at = now() where tenant_id = ${tenant.tenantId}`);
    expect((await health(tenant)).attention).toEqual([]);
  });
});

describe('writes that wait', () => {
  const idle = useApp();

  it('need attention after a minute, and imports never', async () => {
    const tenant = await idle.tenant();
    await tenant.post('/v1/contacts', { email: 'ada@x.io' });
    expect((await health(tenant)).attention).toEqual([]);
    await idle.db.run(sql`update write_transaction set created_at = now() - interval '61 seconds'`);
    const [waiting] = (await health(tenant)).attention;
    expect(waiting).toMatchObject({
      kind: 'writesWaiting',
      count: 1,
      text: '1 write has been waiting for more than a minute.',
    });
    await idle.db.run(sql`update write_transaction set is_long = true`);
    expect((await health(tenant)).attention).toEqual([]);
  });
});

describe('the sentences', () => {
  const calm: Troubles = {
    pause: undefined,
    mail: { sent: 0, bounced: 0 },
    domains: { approved: 1, unverified: 0, example: null, since: null },
    ...{ held: noSome, writes: noSome, webhooks: noSome, journeys: noSome, calls: noSome },
    versions: { ...noSome, assetId: null },
    alerts: [],
  };
  const textOf = (trouble: Partial<Troubles>) => tellAttention({ ...calm, ...trouble }).map(({ text }) => text);
  const some = (count: number) => ({ count, since: '2026-11-15T09:30:00.000Z' });

  it('are empty when all is well', () => {
    expect(tellAttention(calm)).toEqual([]);
  });

  it('have forms for one, several and very many', () => {
    expect(textOf({ writes: some(2) })).toEqual(['2 writes have been waiting for more than a minute.']);
    expect(textOf({ writes: some(1000) })).toEqual(['1,000 or more writes have been waiting for more than a minute.']);
    expect(textOf({ webhooks: some(1) })).toEqual(['1 webhook is failing. Deliveries are paused until you resume it.']);
    expect(textOf({ webhooks: some(3) })).toEqual([
      '3 webhooks are failing. Deliveries are paused until you resume them.',
    ]);
    const domains = { ...calm.domains, example: 'example.com' };
    expect(textOf({ domains: { ...domains, unverified: 1 } })).toEqual([
      'The sending domain example.com is not verified. Publish its DNS records, then check it.',
    ]);
    expect(textOf({ domains: { ...domains, unverified: 2 } })).toEqual([
      '2 sending domains are not verified. Publish their DNS records, then check them.',
    ]);
  });

  it('tell of several alerts of a kind at once', () => {
    const alert: Troubles['alerts'][number] = {
      alertId: '65f1c0ffee0123456789abcd',
      kind: 'listHalved',
      state: 'open',
      openedAt: '2026-11-15T09:30:00.000Z',
      closedAt: null,
      subject: { type: 'staticList', id: 'a', name: 'A' },
      ...{ count: 1, comparedWith: 200, text: 'The list A.', link: '/v2/lists/a' },
    };
    expect(textOf({ alerts: [alert] })).toEqual(['The list A.']);
    expect(tellAttention({ ...calm, alerts: [alert, alert] })).toMatchObject([
      { count: 2, since: alert.openedAt, link: '/v2/alerts?state=open', text: expect.stringMatching(/^2 lists lost/) },
    ]);
  });

  it('say why mail is paused and how much of it waits', () => {
    const pause = { reason: 'Too many came back.', since: '2026-11-15T09:30:00.000Z' };
    const paused = 'Sending is paused, except for transactional email: Too many came back.';
    expect(textOf({ pause })).toEqual([`${paused} No messages are waiting.`]);
    expect(textOf({ pause, held: some(1) })).toEqual([`${paused} 1 message is waiting.`]);
    expect(textOf({ pause, held: some(1000) })).toEqual([`${paused} 1,000 or more messages are waiting.`]);
  });

  it('never give a share if there are more bounces than messages', () => {
    const mail = { sent: 0, bounced: 2 };
    expect(tellAttention({ ...calm, mail })[0]).toMatchObject({
      rate: 1,
      text: '2 messages bounced in the last 24 hours.',
    });
    expect(tellAttention({ ...calm, mail: { ...mail, sent: 1 } })[0]).toMatchObject({ rate: 1 });
  });
});
