import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';

const t = useApp({ work: true });
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('contact writes', () => {
  it('are acknowledged as PENDING, end DONE, and can be read back', async () => {
    const tenant = await t.tenant();
    const reply = await tenant.post('/v1/contacts', {
      email: ' Ada@Example.com ',
      properties: { first_name: 'Ada', seats: 3 },
    });
    expect(reply.status).toBe(200);
    expect(reply.body.meta.status).toBe('SUCCESS');
    expect(reply.body.data).toEqual({
      transactionId: expect.stringMatching(
        new RegExp(`^${tenant.tenantId}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`),
      ),
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

  it('of megabytes are applied in parts, as if they were applied whole', async () => {
    const tenant = await t.tenant();
    const long = 'x'.repeat(3000);
    const people = Array.from({ length: 250 }, (_, i) => ({ email: `p${i}@x.io`, properties: { long, i } }));
    const again = { email: 'p0@x.io', properties: { i: 'again' } };
    const bad = { email: 'nonsense' };
    const { data } = await tenant.done(
      await tenant.post('/v2/contacts/batch', { contacts: [...people, bad, again, again] }),
    );
    const statuses = data.results.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual([...people.map(() => 'CREATED'), 'FAILED', 'UPDATED', 'NO_CHANGE']);
    expect(data.results[251].contactId).toBe(data.results[0].contactId);
    const { body } = await tenant.get(`/v2/contacts/${data.results[0].contactId}/activity-log`);
    expect(body.data).toMatchObject([{ field: 'i', oldValue: 0, newValue: 'again', source: 'api' }]);
    expect((await tenant.get('/v2/contacts?pageSize=1')).body.pagination.totalElements).toBe(250);
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

  it('create only: an email that exists ends FAILED and changes nothing', async () => {
    const tenant = await t.tenant();
    await tenant.done(await tenant.post('/v2/contacts', { email: 'a@x.io', properties: { plan: 'free' } }));
    const { data } = await tenant.done(
      await tenant.post('/v1/contacts', { email: 'A@X.io', properties: { plan: 'pro' } }),
    );
    expect(data.results).toEqual([
      { email: 'a@x.io', status: 'FAILED', contactId: expect.any(String), error: expect.stringContaining('exists') },
    ]);
    expect((await tenant.get('/v1/contacts/by-email/a@x.io')).body.data.properties).toEqual({ plan: 'free' });
  });

  it('merge on PATCH: later value wins, missing keys stay, null removes, and NO_CHANGE leaves updatedAt', async () => {
    const tenant = await t.tenant();
    const made = await tenant.done(
      await tenant.post('/v1/contacts', { email: 'a@x.io', properties: { plan: 'free', seats: 3, tags: ['a', 'b'] } }),
    );
    const { contactId } = made.data.results[0];
    const path = `/v1/contacts/${contactId}`;
    const patch = async (properties: object) =>
      (await tenant.done(await tenant.patch(path, { properties }))).data.results[0].status;
    const before = (await tenant.get(path)).body.data;
    expect(await patch({ plan: 'free', tags: ['a', 'b'], missing: null })).toBe('NO_CHANGE');
    expect(await patch({})).toBe('NO_CHANGE');
    expect((await tenant.get(path)).body.data).toEqual(before);
    expect(await patch({ plan: 'pro', seats: null })).toBe('UPDATED');
    const after = (await tenant.get(path)).body.data;
    expect(after.properties).toEqual({ plan: 'pro', tags: ['a', 'b'] });
    expect(after.createdAt).toBe(before.createdAt);
    expect(after.updatedAt > before.updatedAt).toBe(true);
    const log = (await tenant.get(`${path}/activity-log?pageSize=1`)).body;
    expect(log.pagination).toEqual({ pageNumber: 1, pageSize: 1, totalElements: 2, totalPages: 2 });
    expect(log.data[0]).toMatchObject({ field: 'seats', oldValue: 3, newValue: null });
  });

  it.each([
    ['camelCase key', { firstName: 'x', ok: 1 }, { status: 'CREATED', ignoredProperties: ['firstName'] }],
    ['object value', { nested: { a: 1 }, ok: 1 }, { status: 'CREATED', ignoredProperties: ['nested'] }],
    ['array of objects', { list: [{}], ok: 1 }, { status: 'CREATED', ignoredProperties: ['list'] }],
    ['33 KiB', { ok: 'x'.repeat(33 * 1024) }, { status: 'FAILED', error: expect.stringContaining('32768') }],
    [
      '501 keys',
      Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`k${i}`, 1])),
      { status: 'FAILED', error: expect.stringContaining('500') },
    ],
    ['a NUL', { ok: 'a\0' }, { status: 'FAILED', error: expect.stringContaining('NUL') }],
    ['a NUL in an array', { ok: ['a\0'] }, { status: 'FAILED', error: expect.stringContaining('NUL') }],
    ['a NUL in a key', { 'a\0': 1 }, { status: 'FAILED', error: expect.stringContaining('NUL') }],
    ['a lone surrogate', { ok: '\udfff' }, { status: 'FAILED', error: expect.stringContaining('Unicode') }],
  ])('in a batch meet %s with their exact outcome', async (_, properties, outcome) => {
    const tenant = await t.tenant();
    const reply = await tenant.post('/v1/contacts/batch', {
      contacts: [{ email: 'a@x.io', properties }, { email: 'b@x.io' }],
    });
    const { data } = await tenant.done(reply);
    const contactId = outcome.status === 'CREATED' ? { contactId: expect.any(String) } : {};
    expect(data.results[0]).toEqual({ email: 'a@x.io', ...outcome, ...contactId });
    expect(data.results[1].status).toBe('CREATED');
    const stored = await tenant.get('/v1/contacts/by-email/a@x.io');
    expect(stored.status === 200 ? stored.body.data.properties : stored.status).toEqual(
      outcome.status === 'CREATED' ? { ok: 1 } : 400,
    );
  });

  it.each([
    ['NUL', { email: 'a@x.io', properties: { a: '\0' } }],
    ['a lone surrogate', { email: 'a@x.io', properties: { a: ['\ud800'] } }],
    ['no email', { properties: {} }],
    ['a null email', { email: null }],
    ['no address', { email: 'nobody' }],
    ['a space inside', { email: 'a b@x.io' }],
    ['255 characters', { email: `${'a'.repeat(250)}@x.io` }],
    ['properties that are a list', { email: 'a@x.io', properties: [] }],
    ['properties that are text', { email: 'a@x.io', properties: 'x' }],
  ])('refuse %s at once when single', async (_, body) => {
    const tenant = await t.tenant();
    const reply = await tenant.post('/v1/contacts', body);
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0].errorCode).toBe('VALIDATION_ERROR');
  });

  it.each([
    [{}],
    [{ contacts: [] }],
    [{ contacts: {} }],
    [{ contacts: null }],
    [[]],
    [{ contacts: Array(1001).fill({ email: 'a@x.io' }) }],
  ])('refuse the outer shape %# whole', async (body) => {
    const tenant = await t.tenant();
    expect((await tenant.post('/v1/contacts/batch', body)).status).toBe(400);
  });

  it('ignore a number that is too large, and do not treat it as null', async () => {
    const tenant = await t.tenant();
    const made = await tenant.post('/v1/contacts', '{"email": "a@x.io", "properties": {"big": 1e999, "ok": 1}}');
    const [created] = (await tenant.done(made)).data.results;
    expect(created).toMatchObject({ status: 'CREATED', ignoredProperties: ['big'] });
    const patched = await tenant.patch(`/v1/contacts/${created.contactId}`, '{"properties": {"ok": 1e999}}');
    expect((await tenant.done(patched)).data.results[0]).toMatchObject({
      status: 'NO_CHANGE',
      ignoredProperties: ['ok'],
    });
    expect((await tenant.get(`/v1/contacts/${created.contactId}`)).body.data.properties).toEqual({ ok: 1 });
  });

  it('apply 1,000 copies of one email as one contact', async () => {
    const tenant = await t.tenant();
    const contacts = Array.from({ length: 1000 }, (_, i) => ({
      email: i % 2 ? 'Same@x.io' : ' same@X.io ',
      properties: { n: i },
    }));
    const { data } = await tenant.done(await tenant.post('/v1/contacts/batch', { contacts }));
    expect(data.results[0].status).toBe('CREATED');
    expect(data.results.slice(1).every((row: { status: string }) => row.status === 'UPDATED')).toBe(true);
    const page = (await tenant.get('/v2/contacts')).body;
    expect(page.pagination.totalElements).toBe(1);
    expect(page.data[0].properties).toEqual({ n: 999 });
  });

  it('end FAILED if the contact is erased before they are applied', async () => {
    const tenant = await t.tenant();
    const made = await tenant.done(await tenant.post('/v1/contacts', { email: 'a@x.io' }));
    const { contactId } = made.data.results[0];
    const [erased, late] = await Promise.all([
      tenant.delete(`/v2/contacts/${contactId}`),
      tenant.patch(`/v1/contacts/${contactId}`, { properties: { a: 1 } }),
    ]);
    await tenant.done(erased);
    if (late.status === 200) expect(['FAILED', 'UPDATED']).toContain((await tenant.done(late)).data.results[0].status);
    const again = await tenant.patch(`/v1/contacts/${contactId}`, { properties: { a: 1 } });
    expect([again.status, again.body.errors[0].errorCode]).toEqual([400, 'BAS-E-002']);
    const remade = await tenant.done(await tenant.post('/v1/contacts', { email: 'a@x.io' }));
    expect(remade.data.results[0].status).toBe('CREATED');
    expect(remade.data.results[0].contactId).not.toBe(contactId);
  });

  it('answer unknown ids with 400 BAS-E-002, and unknown transactions with NOT_EXIST and 200', async () => {
    const [tenant, other] = [await t.tenant(), await t.tenant()];
    const theirs = await other.done(await other.post('/v1/contacts', { email: 'a@x.io' }));
    const ids = ['0'.repeat(32), 'x', '%00', theirs.data.results[0].contactId];
    for (const id of ids) {
      const replies = [
        await tenant.get(`/v1/contacts/${id}`),
        await tenant.patch(`/v1/contacts/${id}`, { properties: {} }),
        await tenant.delete(`/v2/contacts/${id}`),
        await tenant.get(`/v1/contacts/${id}/activity-log`),
        await tenant.get(`/v1/contacts/by-email/${id}`),
      ];
      for (const reply of replies) expect([reply.status, reply.body.errors[0].errorCode]).toEqual([400, 'BAS-E-002']);
    }
    for (const id of [theirs.transactionId, 'x', `${tenant.tenantId}-00000000-0000-0000-0000-000000000000`]) {
      for (const version of ['v1', 'v2']) {
        const { status, body } = await tenant.get(`/${version}/contacts/transactions/${id}`);
        expect(status).toBe(200);
        expect(body.data).toEqual({ transactionId: id, status: 'NOT_EXIST' });
        expect(body.meta.status).toBe('SUCCESS');
      }
    }
  });

  it('are polled with PENDING until they are applied', async () => {
    const tenant = await t.tenant();
    const reply = await tenant.post('/v1/contacts', { email: 'a@x.io' });
    const { body } = await tenant.get(`/v1/contacts/transactions/${reply.body.data.transactionId}`);
    expect(['PENDING', 'DONE']).toContain(body.data.status);
    if (body.data.status === 'PENDING') expect(body.data).toEqual(reply.body.data);
    await tenant.done(reply);
  });
});
