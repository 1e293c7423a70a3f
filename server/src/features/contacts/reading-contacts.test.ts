import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { systemClock } from '../../lib/clock.js';
import { unwatched } from '../../work/queue.js';
import { searchQueue } from './search/settle.js';

const t = useApp({ work: true });

describe('GET /v2/contacts', () => {
  it('pages newest first with exact totals', async () => {
    const tenant = await t.tenant();
    const contacts = Array.from({ length: 25 }, (_, i) => ({ email: `c${i}@x.io` }));
    await tenant.done(await tenant.post('/v1/contacts/batch', { contacts }));
    const first = (await tenant.get('/v2/contacts')).body;
    expect(first.pagination).toEqual({ pageNumber: 1, pageSize: 20, totalElements: 25, totalPages: 2 });
    expect(first.data[0].email).toBe('c24@x.io');
    const second = (await tenant.get('/v2/contacts?pageNumber=2')).body;
    expect(second.data.map((row: { email: string }) => row.email)).toEqual([
      'c4@x.io',
      'c3@x.io',
      'c2@x.io',
      'c1@x.io',
      'c0@x.io',
    ]);
    expect((await tenant.get('/v2/contacts?pageNumber=3')).body.data).toEqual([]);
    expect((await tenant.get('/v2/contacts?page_size=1')).body.data).toHaveLength(20);
  });

  it('finds by email and name, before and after the index has settled, and after a rename', async () => {
    const tenant = await t.tenant();
    const people = [
      { email: 'ada@x.io', properties: { first_name: 'Ada', last_name: 'Lovelace' } },
      { email: 'alan@y.io', properties: { first_name: 'Alan', last_name: 'Turing' } },
      { email: 'grace@x.io', properties: { first_name: 'ÉTIENNE' } },
    ];
    const { data } = await tenant.done(await tenant.post('/v1/contacts/batch', { contacts: people }));
    const find = async (search: string) =>
      (await tenant.get(`/v2/contacts?search=${encodeURIComponent(search)}`)).body.data.map(
        (row: { email: string }) => row.email,
      );
    const check = async () => {
      expect(await find('LOVE')).toEqual(['ada@x.io']);
      expect(await find('ada lovelace')).toEqual(['ada@x.io']);
      expect(await find('@x.io')).toEqual(['grace@x.io', 'ada@x.io']);
      expect(await find('étienne')).toEqual(['grace@x.io']);
      expect(await find('y.')).toEqual(['alan@y.io']);
      expect(await find('%')).toEqual([]);
      // A match must not run from the email into the name.
      expect(await find('ioada')).toEqual([]);
      expect(await find('io ada')).toEqual([]);
    };
    await check();
    const later = { ...systemClock, now: () => new Date(Date.now() + 120_000) };
    const settle = () => searchQueue(t.db, later).serve(tenant.tenantId, unwatched, new AbortController().signal);
    while ((await settle()) !== 0);
    await check();
    await tenant.done(
      await tenant.patch(`/v1/contacts/${data.results[0].contactId}`, { properties: { last_name: 'King' } }),
    );
    expect(await find('lovelace')).toEqual([]);
    expect(await find('king')).toEqual(['ada@x.io']);
    await settle();
    expect(await find('lovelace')).toEqual([]);
    expect(await find('king')).toEqual(['ada@x.io']);
  });
});

describe('DELETE /v2/contacts/{id}', () => {
  it('erases the person everywhere, in old results too', async () => {
    const tenant = await t.tenant();
    const made = await tenant.done(
      await tenant.post('/v1/contacts', { email: 'gone@x.io', properties: { first_name: 'Zoe' } }),
    );
    const { contactId } = made.data.results[0];
    expect((await tenant.get('/v2/contacts?search=zoe')).body.data).toHaveLength(1);
    const erased = await tenant.done(await tenant.delete(`/v2/contacts/${contactId}`));
    expect(erased.data.results).toEqual([{ email: null, status: 'UPDATED', contactId }]);
    expect((await tenant.get(`/v1/contacts/${contactId}`)).status).toBe(400);
    expect((await tenant.get('/v2/contacts?search=zoe')).body.data).toHaveLength(0);
    expect((await tenant.get('/v2/contacts')).body.pagination.totalElements).toBe(0);
    const poll = await tenant.get(`/v2/contacts/transactions/${made.transactionId}`);
    expect(poll.text).not.toContain('gone@x.io');
  });
});
