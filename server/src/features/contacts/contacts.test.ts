import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';

const t = useApp({ work: true });
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('contact writes', () => {
  it('are acknowledged as PENDING, end DONE, and can be read back', async () => {
    const tenant = await t.tenant();
    const reply = await tenant.post('/v1/contacts', { email: ' Ada@Example.com ', properties: { first_name: 'Ada', seats: 3 } });
    expect(reply.status).toBe(200);
    expect(reply.body.meta.status).toBe('SUCCESS');
    expect(reply.body.data).toEqual({
      transactionId: expect.stringMatching(new RegExp(`^${tenant.tenantId}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)),
      status: 'PENDING',
      createdAt: expect.stringMatching(isoTime),
    });
    const done = await tenant.done(reply);
    const { contactId } = done.data.results[0];
    expect(done).toEqual({
      transactionId: reply.body.data.transactionId,
      status: 'DONE',
      createdAt: reply.body.data.createdAt,
      data: { results: [{ email: 'ada@example.com', status: 'CREATED', contactId }] },
    });
    const { body } = await tenant.get(`/v1/contacts/${contactId}`);
    expect(body.data).toEqual({
      id: contactId,
      email: 'ada@example.com',
      properties: { first_name: 'Ada', seats: 3 },
      createdAt: expect.stringMatching(isoTime),
      updatedAt: body.data.createdAt,
    });
    expect((await tenant.get('/v2/contacts/by-email/%20ADA@example.com')).body.data).toEqual(body.data);
  });

  it('upsert in a batch, in order, with an outcome for each item', async () => {
    const tenant = await t.tenant();
    const reply = await tenant.post('/v2/contacts/batch', {
      contacts: [
        { email: 'a@x.io', properties: { plan: 'free', 'Bad Key': 1, nested: { a: 1 } } },
        { email: 'A@x.io ', properties: { plan: 'pro' } },
        { email: 'a@x.io', properties: { plan: 'pro' } },
        { email: 'nonsense' },
        { properties: {} },
        7,
        { email: 'b@x.io', properties: [] },
        { email: 'c@x.io', properties: { a: 'nul \0' } },
        { email: 'd@x.io', properties: { a: '\ud800' } },
      ],
    });
    const { data } = await tenant.done(reply);
    const [id] = data.results.map((row: { contactId: string }) => row.contactId);
    expect(data.results).toEqual([
      { email: 'a@x.io', status: 'CREATED', contactId: id, ignoredProperties: ['Bad Key', 'nested'] },
      { email: 'a@x.io', status: 'UPDATED', contactId: id },
      { email: 'a@x.io', status: 'NO_CHANGE', contactId: id },
      { email: 'nonsense', status: 'FAILED', error: expect.any(String) },
      { email: null, status: 'FAILED', error: expect.any(String) },
      { email: null, status: 'FAILED', error: expect.any(String) },
      { email: 'b@x.io', status: 'FAILED', error: expect.any(String) },
      { email: 'c@x.io', status: 'FAILED', error: expect.any(String) },
      { email: 'd@x.io', status: 'FAILED', error: expect.any(String) },
    ]);
    const log = (await tenant.get(`/v1/contacts/${id}/activity-log`)).body;
    expect(log.data).toEqual([
      { field: 'plan', oldValue: 'free', newValue: 'pro', source: 'api', changedAt: expect.stringMatching(isoTime) },
    ]);
  });

  it('erase a contact', async () => {
    const tenant = await t.tenant();
    const made = await tenant.done(await tenant.post('/v1/contacts', { email: 'gone@x.io', properties: { first_name: 'Zoe' } }));
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
