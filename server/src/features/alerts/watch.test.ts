// Alerts open and close by figures that are kept in the database.
import { beforeEach, describe, expect, it } from 'vitest';
import {
  age,
  alertsOf,
  enterAgo,
  kindsOf,
  look,
  makeEntered,
  makeSized,
  setMail,
  setSize,
  watchNeeds,
} from '../../../test/alerts.js';
import { type TenantClient, useApp } from '../../../test/app.js';
import { makeActive } from '../../../test/journeys.js';
import { sql } from '../../db/sql.js';
import { systemClock } from '../../lib/clock.js';
import { watchAll } from './watch.js';

const t = useApp();
let tenant: TenantClient;
beforeEach(async () => {
  tenant = await t.tenant();
});

const later = (hours: number) => ({
  clock: { ...systemClock, now: () => new Date(Date.now() + hours * 3_600_000) },
});
async function drop(journeyId: string): Promise<void> {
  await tenant.post(`/v2/journeys/${journeyId}/deactivate`);
  expect((await tenant.delete(`/v2/journeys/${journeyId}`)).status).toBe(200);
}
const week = [0, 12, 12, 12, 12, 12, 12, 12];

describe('mail', () => {
  it('opens an alert of its own for bounces and for complaints, with the figures of 24 hours', async () => {
    await setMail(t, tenant, { sent: 1000, hardBounced: 62, complained: 2 });
    await look(t);
    const [first, second] = (await alertsOf(tenant)).toSorted((a, b) => a.kind.localeCompare(b.kind));
    const mail = { type: 'mail', id: null, name: null };
    expect(first).toEqual({
      ...{ alertId: expect.stringMatching(/^[0-9a-f]{24}$/), kind: 'bounces', state: 'open', closedAt: null },
      ...{ openedAt: expect.any(String), subject: mail, count: 62, comparedWith: 1000 },
      text: '62 of 1,000 messages sent in 24 hours bounced permanently: 6.2%. At 10%, sending is paused, except for transactional email.',
      link: '/v2/messages?state=bounced',
    });
    expect(second).toMatchObject({
      ...{ kind: 'complaints', count: 2, comparedWith: 1000, link: '/v2/sending' },
      text: expect.stringContaining('2 of 1,000 messages sent in 24 hours were reported as spam: 0.2%. At 0.3%,'),
    });
  });

  it('opens none below the edge, nor for what is longer ago', async () => {
    await setMail(t, tenant, { sent: 1000, hardBounced: 49 });
    await look(t);
    await setMail(t, tenant, { sent: 1000, hardBounced: 500 }, '24 hours 10 minutes');
    await look(t);
    expect(await alertsOf(tenant)).toEqual([]);
  });

  it('closes an alert once it is clearly better, and not before', async () => {
    await setMail(t, tenant, { sent: 1000, hardBounced: 60 });
    await look(t);
    await setMail(t, tenant, { sent: 1000, hardBounced: 45 });
    await look(t);
    expect(await kindsOf(tenant)).toEqual(['bounces']);
    await setMail(t, tenant, { sent: 1000, hardBounced: 39 });
    await look(t);
    const [closed] = await alertsOf(tenant);
    expect(closed).toMatchObject({ state: 'closed', closedAt: expect.any(String), count: 60 });
  });

  it('opens one again only after six hours', async () => {
    const bad = { sent: 1000, hardBounced: 60 };
    await setMail(t, tenant, bad);
    await look(t);
    await setMail(t, tenant, { sent: 1000 });
    await look(t);
    await setMail(t, tenant, bad);
    await look(t, later(5.9));
    expect(await kindsOf(tenant)).toEqual([]);
    await setMail(t, tenant, bad, '-5 hours');
    await look(t, later(6.1));
    expect(await kindsOf(tenant)).toEqual(['bounces']);
    expect(await alertsOf(tenant)).toHaveLength(2);
  });
});

describe('a journey', () => {
  it('that nobody entered for 24 whole hours opens one, until somebody enters', async () => {
    const id = await makeEntered(t, tenant, week, { name: 'Welcome' });
    await look(t);
    expect(await alertsOf(tenant)).toMatchObject([
      {
        ...{ kind: 'journeyStopped', subject: { type: 'journey', id, name: 'Welcome' }, count: 0, comparedWith: 84 },
        text: 'No one entered the journey Welcome for 24 hours. In the seven days before, 84 contacts did.',
        link: `/v2/journeys/${id}`,
      },
    ]);
    await enterAgo(t, tenant, id, 0, 1);
    await look(t);
    expect(await kindsOf(tenant)).toEqual([]);
    expect(await kindsOf(tenant, 'closed')).toEqual(['journeyStopped']);
  });

  it('counts the 24 whole hours before this one, folded or not', async () => {
    const id = await makeEntered(t, tenant, week);
    await enterAgo(t, tenant, id, 24, 1);
    await look(t);
    expect(await alertsOf(tenant)).toEqual([]);
    await t.db.run(sql`
      update journey_tally_delta set hour = hour - interval '1 hour' where tenant_id = ${tenant.tenantId} and n = 1`);
    await t.db.run(sql`
      with gone as (delete from journey_tally_delta where tenant_id = ${tenant.tenantId} returning *)
      insert into journey_tally (tenant_id, span, journey_no, step_id, part, what, since, n)
      select tenant_id, 'hour', journey_no, step_id, part, what, hour, n from gone`);
    await look(t);
    expect(await alertsOf(tenant)).toMatchObject([{ kind: 'journeyStopped', comparedWith: 85 }]);
  });

  it('opens none that is small, quiet at weekends, paused, ended, deleted, new, or for all members at once', async () => {
    await makeEntered(t, tenant, [0, 5, 5, 5, 5, 5, 5, 5], { name: 'small' });
    await makeEntered(t, tenant, [0, 20, 20, 20, 20, 20, 0, 0], { name: 'weekend' });
    const paused = await makeEntered(t, tenant, week, { name: 'paused' });
    await tenant.post(`/v2/journeys/${paused}/pause`);
    const ended = await makeEntered(t, tenant, week, { name: 'ended' });
    await tenant.post(`/v2/journeys/${ended}/deactivate`);
    const deleted = await makeEntered(t, tenant, week, { name: 'deleted' });
    await drop(deleted);
    const begun = await makeEntered(t, tenant, week, { name: 'new' });
    await age(t, tenant, begun, '23 hours');
    await makeEntered(t, tenant, week, { name: 'batch' });
    await t.db.run(sql`
      update journey set type = 'batch' where tenant_id = ${tenant.tenantId} and name = 'batch'`);
    await look(t);
    expect(await alertsOf(tenant)).toEqual([]);
  });

  it('that is paused closes its alert', async () => {
    const id = await makeEntered(t, tenant, week);
    await look(t);
    await tenant.post(`/v2/journeys/${id}/pause`);
    await look(t);
    expect(await kindsOf(tenant, 'closed')).toEqual(['journeyStopped']);
  });

  it('that is deleted keeps its past alert, without a name', async () => {
    const id = await makeEntered(t, tenant, week, { name: 'Welcome' });
    await look(t);
    await drop(id);
    await look(t);
    expect(await alertsOf(tenant)).toMatchObject([
      {
        ...{ state: 'closed', subject: { type: 'journey', id, name: null }, link: null },
        text: expect.stringContaining('a journey that has since been deleted'),
      },
    ]);
  });
});

describe('a process', () => {
  it('opens each alert once, and closes each once, however many do so at the same time', async () => {
    await setMail(t, tenant, { sent: 1000, hardBounced: 100, complained: 10 });
    const id = await makeSized(t, tenant, 'Customers', [200, 200], 10);
    await Promise.all([1, 2, 3, 4].map(() => look(t)));
    expect((await kindsOf(tenant)).toSorted()).toEqual(['bounces', 'complaints', 'listHalved']);
    await setMail(t, tenant, { sent: 1000 });
    await setSize(t, tenant, id, 200);
    await Promise.all([1, 2, 3, 4].map(() => look(t)));
    expect(await kindsOf(tenant)).toEqual([]);
    expect(await alertsOf(tenant)).toHaveLength(3);
  });

  it('leaves other tenants alone', async () => {
    const other = await t.tenant();
    await setMail(t, tenant, { sent: 1000, hardBounced: 100 });
    await setMail(t, other, { sent: 1000, hardBounced: 10 });
    await look(t);
    expect(await alertsOf(other)).toEqual([]);
    await setMail(t, other, { sent: 1000, hardBounced: 100 });
    await look(t);
    await setMail(t, tenant, { sent: 1000 });
    await look(t);
    expect(await kindsOf(other)).toEqual(['bounces']);
    expect(await kindsOf(tenant)).toEqual([]);
  });

  it('that is told to stop in the middle closes nothing that it did not look at', async () => {
    await setMail(t, tenant, { sent: 1000, hardBounced: 100 });
    await look(t);
    await watchAll(watchNeeds(t), AbortSignal.abort());
    expect(await kindsOf(tenant)).toEqual(['bounces']);
  });

  it('finds the journeys and lists beyond the first page', async () => {
    const [first] = await t.db.rows(sql<{ n: number }>`select count(*) as n from journey`);
    expect(first?.n).toBeLessThan(500);
    const id = await makeActive(tenant, { name: 'Template' });
    await t.db.run(sql`
      insert into journey (tenant_id, journey_id, name, name_folded, name_grams, type, state, version, activated_at, created_by, updated_by)
      select tenant_id, decode(lpad(to_hex(n), 24, '0'), 'hex'), 'J' || n, 'j' || n, '{}', type, state, version,
        now() - interval '30 days', created_by, updated_by
      from journey, generate_series(1, 600) n where tenant_id = ${tenant.tenantId} and name = 'Template'`);
    const last = await makeEntered(t, tenant, week, { name: 'Last' });
    await look(t);
    expect(await alertsOf(tenant)).toMatchObject([{ subject: { id: last } }]);
    expect(id).not.toBe(last);
  });
});
