import { describe, expect, it } from 'vitest';
import { type Reply, useApp } from '../../../test/app.js';
import { auditOf } from '../../../test/audit.js';
import { makeEmail, tenantWithDomain } from '../../../test/emails.js';
import { sql } from '../../db/sql.js';
import { sweepTopics } from './topics/queries.js';

const t = useApp({ work: true });
const fault = (reply: Reply) => [reply.status, reply.body.errors[0]?.errorCode, reply.body.errors[0]?.detail];
const nowhere = '0'.repeat(24);

describe('POST /v2/topics', () => {
  it('answers the whole topic, with what it is where nothing else was said', async () => {
    const tenant = await t.tenant();
    const made = await tenant.post('/v2/topics', { name: ' Product news ', byDefault: 'unsubscribed' });
    expect(made.status).toBe(200);
    expect(made.body.data).toEqual({
      ...{ topicId: expect.stringMatching(/^[0-9a-f]{24}$/), key: 'product_news', name: 'Product news' },
      ...{
        description: null,
        byDefault: 'unsubscribed',
        visibility: 'public',
        doubleOptIn: false,
        confirmEmailId: null,
      },
      ...{ subscribed: 0, unsubscribed: 0, pending: 0 },
      ...{ createdAt: expect.any(String), updatedAt: expect.any(String) },
    });
    const read = await tenant.get(`/v2/topics/${made.body.data.topicId}`);
    expect(read.body.data).toEqual(made.body.data);
  });

  it.each([
    ['Überraschung & Größe!', 'uberraschung_gro_e'],
    ['新闻', 'topic'],
    ['x'.repeat(80), 'x'.repeat(40)],
  ])('makes a key of the name %s', async (name, key) => {
    const tenant = await t.tenant();
    expect((await tenant.post('/v2/topics', { name, byDefault: 'subscribed' })).body.data.key).toBe(key);
  });

  it('makes another key where that is taken, and refuses one that is given and taken', async () => {
    const tenant = await t.tenant();
    const keys: string[] = [];
    for (const name of ['News', 'News!', 'News?'])
      keys.push((await tenant.post('/v2/topics', { name, byDefault: 'subscribed' })).body.data.key);
    expect(keys).toEqual(['news', 'news_2', 'news_3']);
    const taken = await tenant.post('/v2/topics', { name: 'Other', key: 'news', byDefault: 'subscribed' });
    expect(fault(taken)).toEqual([409, 'TOPIC_ALREADY_EXISTS', 'key']);
    const long = 'y'.repeat(80);
    await tenant.post('/v2/topics', { name: long, byDefault: 'subscribed' });
    const second = await tenant.post('/v2/topics', { name: `${long.slice(1)}!`, byDefault: 'subscribed' });
    expect(second.body.data.key).toBe(`${'y'.repeat(38)}_2`);
  });

  it('makes a key for each of several that are made at once, though their names would give the same one', async () => {
    const tenant = await t.tenant();
    const replies = await Promise.all(
      ['News', 'News!', 'News?', '(News)'].map((name) => tenant.post('/v2/topics', { name, byDefault: 'subscribed' })),
    );
    const keys = replies.map(({ body }) => body.data?.key).sort();
    expect(keys).toEqual(['news', 'news_2', 'news_3', 'news_4']);
  });

  it('takes a name once, whatever its case', async () => {
    const tenant = await t.tenant();
    await tenant.post('/v2/topics', { name: 'Straße ÄÖ', byDefault: 'subscribed' });
    const again = await tenant.post('/v2/topics', { name: 'STRAßE äö', key: 'other', byDefault: 'subscribed' });
    expect(fault(again)).toEqual([409, 'TOPIC_ALREADY_EXISTS', 'name']);
    const other = await t.tenant();
    expect((await other.post('/v2/topics', { name: 'Straße ÄÖ', byDefault: 'subscribed' })).status).toBe(200);
  });

  it.each([
    [{ name: 'x' }, 'byDefault'],
    [{ name: 'x', byDefault: 'pending' }, 'byDefault'],
    [{ byDefault: 'subscribed' }, 'name'],
    [{ name: ' ', byDefault: 'subscribed' }, 'name'],
    [{ name: 'x'.repeat(81), byDefault: 'subscribed' }, 'name'],
    [{ name: 'x', byDefault: 'subscribed', key: '' }, 'key'],
    [{ name: 'x', byDefault: 'subscribed', key: 'Up' }, 'key'],
    [{ name: 'x', byDefault: 'subscribed', key: 'x'.repeat(41) }, 'key'],
    [{ name: 'x', byDefault: 'subscribed', visibility: 'hidden' }, 'visibility'],
    [{ name: 'x', byDefault: 'subscribed', doubleOptIn: 'yes' }, 'doubleOptIn'],
    [{ name: 'x', byDefault: 'subscribed', confirmEmailId: nowhere }, 'confirmEmailId'],
  ])('refuses %j', async (body, field) => {
    const tenant = await t.tenant();
    expect(fault(await tenant.post('/v2/topics', body))).toEqual([400, 'VALIDATION_ERROR', field]);
  });

  it('answers a repeated Idempotency-Key with the first answer', async () => {
    const tenant = await t.tenant();
    const make = () =>
      tenant.post('/v2/topics', { name: 'Once', byDefault: 'subscribed' }, { 'idempotency-key': 'topic-1' });
    const [first, again] = [await make(), await make()];
    expect(again.body.data).toEqual(first.body.data);
    expect(again.headers['idempotency-replayed']).toBe('true');
  });
});

describe('PATCH /v2/topics/{topicId}', () => {
  it('changes what is given, and neither the key nor the default', async () => {
    const tenant = await tenantWithDomain(t);
    const confirmEmailId = await makeEmail(tenant, { html: '{{confirm_url}} {{unsubscribe_url}}' });
    const { data } = (await tenant.post('/v2/topics', { name: 'A', byDefault: 'subscribed' })).body;
    const path = `/v2/topics/${data.topicId}`;
    const change = { name: 'B', description: 'Now and then', visibility: 'private', doubleOptIn: true, confirmEmailId };
    const changed = await tenant.patch(path, { ...change, key: 'a', byDefault: 'subscribed' });
    expect(changed.body.data).toEqual({ ...data, ...change, updatedAt: changed.body.data.updatedAt });
    expect(fault(await tenant.patch(path, { byDefault: 'unsubscribed' }))).toEqual([
      400,
      'VALIDATION_ERROR',
      'byDefault',
    ]);
    expect(fault(await tenant.patch(path, { key: 'b' }))).toEqual([400, 'VALIDATION_ERROR', 'key']);
    expect((await tenant.get(path)).body.data).toEqual(changed.body.data);
    const inUse = await tenant.delete(`/v2/emails/${confirmEmailId}`);
    expect(fault(inUse)).toEqual([409, 'INVALID_STATE', undefined]);
    await tenant.patch(path, { confirmEmailId: null, description: null });
    expect((await tenant.delete(`/v2/emails/${confirmEmailId}`)).status).toBe(200);
  });

  it('clears what is null, as if it had never been given, and what is required never', async () => {
    const tenant = await tenantWithDomain(t);
    const given = { name: 'C', byDefault: 'subscribed', description: 'x', visibility: 'private', doubleOptIn: true };
    const { data } = (await tenant.post('/v2/topics', given)).body;
    const path = `/v2/topics/${data.topicId}`;
    const cleared = await tenant.patch(path, { description: null, visibility: null, doubleOptIn: null });
    expect([cleared.status, cleared.body.data]).toMatchObject([
      200,
      { description: null, visibility: 'public', doubleOptIn: false, name: 'C', key: 'c', byDefault: 'subscribed' },
    ]);
    for (const field of ['name', 'key', 'byDefault'])
      expect(fault(await tenant.patch(path, { [field]: null }))).toEqual([400, 'VALIDATION_ERROR', field]);
  });

  it('refuses a name that another topic has, not its own in another case', async () => {
    const tenant = await t.tenant();
    await tenant.post('/v2/topics', { name: 'One', byDefault: 'subscribed' });
    const { data } = (await tenant.post('/v2/topics', { name: 'Two', byDefault: 'subscribed' })).body;
    expect(fault(await tenant.patch(`/v2/topics/${data.topicId}`, { name: 'ONE' }))[0]).toBe(409);
    expect((await tenant.patch(`/v2/topics/${data.topicId}`, { name: 'TWO' })).body.data.name).toBe('TWO');
  });
});

describe('GET /v2/topics', () => {
  it('lists the newest first, and finds by name', async () => {
    const tenant = await t.tenant();
    for (const name of ['Ärger', 'Bücher', 'Blumen'])
      await tenant.post('/v2/topics', { name, byDefault: 'subscribed' });
    const names = async (query = '') =>
      (await tenant.get(`/v2/topics${query}`)).body.data.map((row: { name: string }) => row.name);
    expect(await names()).toEqual(['Blumen', 'Bücher', 'Ärger']);
    expect(await names('?search=B%C3%9C')).toEqual(['Bücher']);
    expect(await names('?pageSize=1&pageNumber=3')).toEqual(['Ärger']);
    expect((await tenant.get('/v2/topics')).body.pagination.totalElements).toBe(3);
  });
});

describe('a topic', () => {
  it('is not there for who has no such id, nor for another tenant', async () => {
    const [tenant, other] = [await t.tenant(), await t.tenant()];
    const { topicId } = (await other.post('/v2/topics', { name: 'Theirs', byDefault: 'subscribed' })).body.data;
    for (const id of [topicId, nowhere, 'x', `${topicId}0`]) {
      expect((await tenant.get(`/v2/topics/${id}`)).status).toBe(404);
      expect((await tenant.patch(`/v2/topics/${id}`, { name: 'Mine' })).status).toBe(404);
      expect((await tenant.delete(`/v2/topics/${id}`)).status).toBe(404);
    }
  });

  it('is gone once it is deleted, with what was said of it, and its name and key are free', async () => {
    const tenant = await t.tenant();
    const made = await tenant.done(await tenant.post('/v1/contacts', { email: 'a@example.com' }));
    const { contactId } = made.data.results[0];
    const make = () => tenant.post('/v2/topics', { name: 'News', byDefault: 'unsubscribed' });
    const { topicId } = (await make()).body.data;
    await tenant.put(`/v2/contacts/${contactId}/topics/${topicId}`, { state: 'subscribed' });
    expect((await tenant.delete(`/v2/topics/${topicId}`)).body.data).toEqual({ topicId, success: true });
    expect((await tenant.get(`/v2/topics/${topicId}`)).status).toBe(404);
    expect((await tenant.get(`/v2/contacts/${contactId}/topics`)).body.data).toEqual([]);
    expect((await tenant.put(`/v2/contacts/${contactId}/topics/${topicId}`, { state: 'subscribed' })).status).toBe(404);
    const log = (await tenant.get(`/v2/contacts/${contactId}/consent-log`)).body.data;
    expect(log).toMatchObject([{ topicId, state: 'subscribed' }]);
    expect((await make()).body.data).toMatchObject({ key: 'news', subscribed: 0 });
    await sweepTopics(t.db, 1000);
    const left = await t.db.row(sql<{ n: number }>`
      select count(*) as n from contact_topic where tenant_id = ${tenant.tenantId}`);
    expect(left?.n).toBe(0);
  });

  it('is in the audit log when it is made, changed and deleted', async () => {
    const tenant = await t.tenant();
    const { topicId } = (await tenant.post('/v2/topics', { name: 'Seen', byDefault: 'subscribed' })).body.data;
    await tenant.patch(`/v2/topics/${topicId}`, { name: 'Seen again' });
    await tenant.patch(`/v2/topics/${topicId}`, { name: 'Seen again' });
    await tenant.delete(`/v2/topics/${topicId}`);
    const entries = await auditOf(t, tenant.tenantId, 'topic.');
    expect(entries.map(({ action, subject }) => [action, subject])).toEqual([
      ['topic.created', topicId],
      ['topic.changed', topicId],
      ['topic.deleted', topicId],
    ]);
  });
});
