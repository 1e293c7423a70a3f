import { beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { makeContact, makeUser, readEvents, sendEvents } from '../../../test/events.js';
import { newContactId } from '../../lib/ids.js';
import { type EventNews, eventsStored } from './news.js';
import { type OwnEvent, storeOwnEvents } from './own-events.js';

const t = useApp({ work: true });
let tenant: TenantClient;
let told: EventNews[];
beforeEach(async () => {
  tenant = await t.tenant();
  const own: EventNews[] = [];
  told = own;
  const { tenantId } = tenant;
  eventsStored.hear(t.db.identity, async (_tx, of, items) => {
    if (of === tenantId) own.push(...items);
  });
});

const now = '2026-03-01T00:00:00.000Z';
const acknowledgedAt = '2026-02-28T23:59:59.000Z';
const fromEnrolment = '0'.repeat(32);

function store(events: readonly OwnEvent[], seq = 1) {
  return t.db.transaction((tx) => storeOwnEvents(tx, tenant.tenantId, events, seq, now));
}

describe('events of our own', () => {
  it('are events of the contact like any other, and say where they came from', async () => {
    const contactId = await makeContact(tenant, 'a@x.io');
    const from = { contactId, chain: 3, fromEnrolment, acknowledgedAt };
    const { errors, months } = await store([
      { ...from, eventName: 'won_back', properties: { step: 'x', n: 2 } },
      { ...from, eventName: 'won_back', properties: {} },
    ]);
    expect(errors).toEqual([null, null]);
    expect([...months]).toEqual([2026 * 12 + 1]);
    expect(await readEvents(tenant, contactId)).toMatchObject([
      { eventName: 'won_back', eventDate: acknowledgedAt },
      { eventName: 'won_back', eventDate: acknowledgedAt },
    ]);
    expect(told).toMatchObject([
      { contactId, eventName: 'won_back', properties: '{"step":"x","n":2}', chain: 3, fromEnrolment, acknowledgedAt },
      { contactId, properties: null, chain: 3, fromEnrolment },
    ]);
    expect(new Set(told.map(({ eventNo }) => eventNo)).size).toBe(2);
  });

  it('are left out if the contact is gone or the properties cannot be stored, and the others go on', async () => {
    const contactId = await makeContact(tenant, 'a@x.io');
    const from = { eventName: 'e', chain: 1, fromEnrolment, acknowledgedAt };
    const { errors } = await store([
      { ...from, contactId: newContactId(), properties: {} },
      { ...from, contactId, properties: { text: 'half \ud800' } },
      { ...from, contactId, properties: { text: 'x'.repeat(40_000) } },
      { ...from, contactId, properties: { text: 'good' } },
    ]);
    expect(errors).toEqual([
      expect.stringContaining('deleted'),
      expect.stringContaining('Unicode'),
      expect.stringContaining('bytes'),
      null,
    ]);
    expect(told).toHaveLength(1);
  });

  it('are no more than a write has numbers for', async () => {
    const event = {
      contactId: newContactId(),
      eventName: 'e',
      properties: {},
      chain: 1,
      fromEnrolment,
      acknowledgedAt,
    };
    await expect(store(new Array(4097).fill(event))).rejects.toThrow('at most 4096');
  });
});

describe('news of events', () => {
  it('tell when their write was acknowledged, of events and of calls as Segment sends them', async () => {
    await makeUser(tenant, 'a@x.io', 'u1');
    const { createdAt } = await sendEvents(tenant, [
      { userId: 'u1', eventName: 'login', eventDate: '2020-01-01T00:00:00Z' },
    ]);
    expect(told).toMatchObject([{ eventName: 'login', acknowledgedAt: createdAt }]);
    const before = told.length;
    await tenant.post('/ingest/v1/track', { userId: 'u1', event: 'bought', timestamp: '2020-01-01T00:00:00Z' });
    await expect.poll(() => told.length).toBe(before + 1);
    const at = Date.parse(told.at(-1)?.acknowledgedAt ?? '');
    expect(at).toBeGreaterThanOrEqual(Date.parse(createdAt));
    expect(told.at(-1)?.chain).toBeUndefined();
  });
});
