import { beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { tenantWithDomain } from '../../../../test/emails.js';
import { sendEvents } from '../../../../test/events.js';
import { explanationsOf, of, ordered, said, wait } from '../../../../test/journeys/explain.js';
import { makeActive, makeJourney } from '../../../../test/journeys.js';
import { eventually } from '../../../../test/messages.js';
import { newAssetId, newContactId } from '../../../lib/ids.js';

const t = useApp({ work: true });

let tenant: TenantClient;
let ada: string;
beforeEach(async () => {
  tenant = await tenantWithDomain(t);
  ada = await contact('ada@x.io');
});

const { contact, explain, until, order } = explanationsOf(
  () => tenant,
  () => ada,
);

describe('an explanation of why a contact did not enter', () => {
  it('names the state of the journey, and what never came', async () => {
    const id = await makeJourney(tenant, { definition: { entry: ordered, steps: [wait] } });
    const told = await explain(id);
    expect(told).toEqual({
      entered: false,
      reasons: [
        {
          at: null,
          what: 'journey',
          holds: false,
          detail: 'The journey is a draft: no one enters until it is activated.',
          state: 'draft',
        },
        { at: null, what: 'entry', holds: false, detail: 'They never did “ordered”.' },
      ],
      messages: [],
    });
  });

  it('is true of events with an old date that came late', async () => {
    const id = await makeActive(tenant, { definition: { entry: ordered, steps: [wait] } });
    const late = (total: number) =>
      sendEvents(tenant, [
        { email: 'ada@x.io', eventName: 'ordered', eventDate: '2026-01-01T00:00:00Z', eventProperties: { total } },
      ]);
    await late(5);
    const [refused] = of(await explain(id), 'entry');
    expect(refused).toMatchObject({ holds: false, detail: expect.stringContaining('where.all[0]') });
    await late(50);
    const told = await until(id, ({ entered }) => entered);
    expect(said(told, 'entry')).toEqual([[true, 'They did “ordered”.']]);
  });

  it('is true of a draft without a definition', async () => {
    const id = (await tenant.post('/v2/journeys', { name: 'Empty', type: 'trigger' })).body.data.journeyId;
    expect(said(await explain(id), 'entry')).toEqual([
      [false, 'The journey is not complete: activate it to see what is missing.'],
    ]);
  });

  it('tells which condition of the event did not hold', async () => {
    const id = await makeActive(tenant, { definition: { entry: ordered, steps: [wait] } });
    await order(5);
    expect(said(await explain(id), 'entry')).toEqual([
      [
        false,
        'They did “ordered”, but definition.entry.event.where.all[0] ({"gt":10,"eventProperty":"total"}) was not met.',
      ],
    ]);
  });

  it('tells of lists: not joined, or joined before', async () => {
    const staticListId = (await tenant.post('/v2/lists', { name: 'L' })).body.data.staticListId;
    const id = await makeActive(tenant, { definition: { entry: { joined: { staticListId } }, steps: [wait] } });
    expect(said(await explain(id), 'entry')).toEqual([[false, 'They are not in the list.']]);
    await tenant.post(`/v2/lists/${staticListId}/members`, { contactIds: [ada] });
    const told = await until(id, ({ entered }) => entered);
    expect(said(told, 'entry')).toEqual([[true, 'They joined the list.']]);
    const later = await makeActive(tenant, { definition: { entry: { joined: { staticListId } }, steps: [wait] } });
    expect(said(await explain(later), 'entry')[0]?.[1]).toMatch(
      /^They joined the list before the journey was activated on /,
    );
  });

  it('tells of properties: never changed, or not so', async () => {
    const entry = { propertyChanged: { property: 'plan', to: 'pro' } };
    const id = await makeActive(tenant, { definition: { entry, steps: [wait] } });
    expect(said(await explain(id), 'entry')).toEqual([
      [false, 'The property “plan” has not changed since the contact was created.'],
    ]);
    await contact('ada@x.io', { plan: 'free' });
    expect(said(await explain(id), 'entry')).toEqual([[false, 'The property “plan” changed, but not to “pro”.']]);
    await contact('ada@x.io', { plan: 'pro' });
    expect(said(await until(id, ({ entered }) => entered), 'entry')).toEqual([[true, 'The property “plan” changed.']]);
  });

  it('tells of dates: none, or when', async () => {
    const entry = { date: { property: 'trial_ends' } };
    const id = await makeActive(tenant, { definition: { entry, steps: [wait] } });
    expect(said(await explain(id), 'entry')).toEqual([[false, 'They have no date in “trial_ends”.']]);
    await contact('ada@x.io', { trial_ends: '2040-05-01T10:00:00Z' });
    const told = await until(id, (one) => of(one, 'entry').length === 1);
    expect(of(told, 'entry')).toEqual([
      {
        at: '2040-05-01T10:00:00.000Z',
        what: 'entry',
        holds: false,
        detail: 'The date in “trial_ends” is still ahead.',
      },
    ]);
  });

  it('tells of audiences: members at the run and others', async () => {
    const staticListId = (await tenant.post('/v2/lists', { name: 'L' })).body.data.staticListId;
    const bob = await contact('bob@x.io');
    await tenant.post(`/v2/lists/${staticListId}/members`, { contactIds: [bob] });
    const id = await makeActive(tenant, {
      type: 'batch',
      definition: { entry: { audience: { staticListId } }, steps: [wait] },
    });
    const told = await eventually(
      () => explain(id, bob),
      ({ entered }) => entered,
    );
    expect(said(told, 'entry')).toEqual([[true, 'They were in the audience when the journey ran.']]);
    expect(said(await explain(id), 'entry')).toEqual([[false, 'They are not in the audience; no run is scheduled.']]);
    await tenant.post(`/v2/lists/${staticListId}/members`, { contactIds: [ada] });
    expect(said(await explain(id), 'entry')[0]?.[1]).toMatch(/^They joined the audience after the run on /);
  });

  it('refuses unknown contacts and journeys', async () => {
    const id = await makeJourney(tenant);
    for (const contactId of [newContactId(), 'nobody']) {
      const { status, body } = await tenant.get(`/v2/journeys/${id}/explain?contactId=${contactId}`);
      expect([status, body.errors[0].errorCode]).toEqual([400, 'BAS-E-002']);
    }
    expect((await tenant.get(`/v2/journeys/${newAssetId()}/explain?contactId=${ada}`)).status).toBe(404);
    expect((await tenant.get(`/v2/journeys/${id}/explain`)).status).toBe(400);
  });
});
