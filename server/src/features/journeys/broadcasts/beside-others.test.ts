// Broadcasts and what they share with others: lists, emails, reports.
import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { inAnHour, later, makeSender, type Sender } from '../../../../test/broadcasts.js';
import { makeEmail } from '../../../../test/emails.js';
import { until } from '../../../../test/enrolments.js';
import { makeJourney } from '../../../../test/journeys.js';

// What stays in an outbox does not count in statistics.
const transport = { name: 'smtp' as const, send: async () => ({ reply: '250 OK' }), close: () => undefined };
const t = useApp({ work: true, transport });
let tenant: Sender['tenant'];
let emailId: string;
let listOf: Sender['listOf'];
let create: Sender['create'];
let read: Sender['read'];
let move: Sender['move'];
beforeAll(async () => {
  ({ tenant, emailId, listOf, create, read, move } = await makeSender(t));
});

describe('a broadcast', () => {
  it('takes the list of its filter again after another audience, and with it when it is deleted', async () => {
    const filter = { property: 'edition', is: 'own list' };
    const id = await create({ audience: { filter } });
    const { audienceListId } = await read(id);
    const [staticListId] = await listOf(1);
    const change = async (audience: object) =>
      (await tenant.patch(`/v2/broadcasts/${id}`, { audience })).body.data.audienceListId;
    expect(await change({ staticListId })).toBeNull();
    expect(await change({ filter })).toBe(audienceListId);
    expect(await change({ staticListId })).toBeNull();
    expect((await tenant.get(`/v2/dynamic-lists/${audienceListId}`)).status).toBe(200);
    expect((await tenant.delete(`/v2/broadcasts/${id}`)).status).toBe(200);
    expect((await tenant.get(`/v2/dynamic-lists/${audienceListId}`)).status).toBe(404);
  });

  it('goes to whom it shows: the list of its filter is changed and deleted nowhere else until it begins', async () => {
    const filter = { property: 'edition', is: 'shown' };
    const id = await create({ audience: { filter }, name: 'Shown' });
    const { audienceListId } = await read(id);
    const list = `/v2/dynamic-lists/${audienceListId}`;
    const change = () => tenant.patch(list, { filter: { property: 'edition', is: 'another' } });
    for (const refused of [await change(), await tenant.delete(list)])
      expect([refused.status, refused.body.errors[0].message]).toEqual([
        409,
        expect.stringContaining('It is the audience of the broadcast "Shown". Change it there.'),
      ]);
    expect((await tenant.get(list)).body.data.filter).toEqual(filter);
    expect((await tenant.patch(list, { name: 'Renamed' })).status).toBe(200);
    // With another audience it is a list like any other.
    const [staticListId] = await listOf(1);
    await tenant.patch(`/v2/broadcasts/${id}`, { audience: { staticListId } });
    expect((await change()).status).toBe(200);
    await tenant.patch(`/v2/broadcasts/${id}`, { audience: { filter } });
    expect((await tenant.get(list)).body.data.filter).toEqual(filter);
  });

  it('leaves its list to a filter that has come to use it, and keeps it while it is on its way', async () => {
    const id = await create({ audience: { filter: { property: 'edition', is: 'shared' } }, when: later() });
    const { audienceListId } = await read(id);
    await move(id, 'send');
    expect((await tenant.delete(`/v2/broadcasts/${id}`)).status).toBe(409);
    expect((await tenant.get(`/v2/dynamic-lists/${audienceListId}`)).status).toBe(200);
    const other = { name: 'Uses it', filter: { dynamicListId: audienceListId } };
    expect((await tenant.post('/v2/dynamic-lists', other)).status).toBe(200);
    await move(id, 'cancel');
    expect((await tenant.delete(`/v2/broadcasts/${id}`)).status).toBe(200);
    expect((await tenant.get(`/v2/dynamic-lists/${audienceListId}`)).status).toBe(200);
  });

  it('is named as a broadcast by what it keeps from being deleted', async () => {
    const own = await makeEmail(tenant);
    const [staticListId] = await listOf(1);
    const id = await create({ audience: { staticListId }, emailId: own, name: 'Keeper', when: later() });
    await move(id, 'send');
    const refusal = async (path: string) => (await tenant.delete(path)).body.errors[0].message;
    expect(await refusal(`/v2/emails/${own}`)).toContain(
      'It is sent by the broadcast "Keeper". Cancel or change it first.',
    );
    const journeyId = await makeJourney(tenant, { type: 'batch', name: 'Beside it' });
    await tenant.patch(`/v2/journeys/${journeyId}`, {
      definition: {
        entry: { audience: { staticListId }, schedule: { at: inAnHour() } },
        steps: [{ id: 'end', type: 'exit' }],
      },
    });
    expect((await tenant.post(`/v2/journeys/${journeyId}/activate`)).status).toBe(200);
    expect(await refusal(`/v2/lists/${staticListId}`)).toContain(
      'It is used by the active journey "Beside it" and the broadcast "Keeper". Deactivate, cancel or change them first.',
    );
  });

  it('says which of its choices is gone when it is sent', async () => {
    const own = await makeEmail(tenant);
    const [staticListId] = await listOf(1);
    const id = await create({ audience: { staticListId }, emailId: own });
    await tenant.delete(`/v2/emails/${own}`);
    expect((await move(id, 'send')).body.errors[0]).toMatchObject({ detail: 'emailId' });
    await tenant.patch(`/v2/broadcasts/${id}`, { emailId });
    await tenant.delete(`/v2/lists/${staticListId}`);
    expect((await move(id, 'send')).body.errors[0]).toMatchObject({ detail: 'audience.staticListId' });
  });

  it('is compared with others by its figures in a window, newest first, also once it is deleted', async () => {
    const own = await makeSender(t);
    const sendOne = async (name: string) => {
      const [staticListId] = await own.listOf(1);
      const id = await own.create({ name, audience: { staticListId } });
      await own.move(id, 'send');
      await own.ended(id);
      return id;
    };
    const [one, two] = [await sendOne('One'), await sendOne('Two')];
    await own.create({ name: 'A draft' });
    await own.tenant.delete(`/v2/broadcasts/${one}`);
    const { body } = await until(
      () => own.tenant.get('/v2/stats/broadcasts'),
      ({ body: found }) => found.data.length === 2,
    );
    expect(body.data).toMatchObject([
      { broadcastId: two, name: 'Two', startedAt: expect.any(String), sent: 1, rates: { deliveryRate: 1 } },
      { broadcastId: one, name: 'One', sent: 1 },
    ]);
    expect(body.pagination.totalElements).toBe(2);
    const file = await own.tenant.get('/exports/stats/broadcasts');
    expect(file.text.split('\r\n')[1]).toMatch(new RegExp(`^${two},Two,`));
    const before = '?endTime=2020-01-01T00:00:00Z';
    expect((await own.tenant.get(`/v2/stats/broadcasts${before}`)).body.data).toEqual([]);
    expect((await tenant.get('/v2/stats/broadcasts')).text).not.toContain(two);
  });
});
