import { describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { countsOf, leftTopics, logOf, makeContacts, makeTopic, statesOf } from '../../../test/consent.js';
import { eventually } from '../../../test/messages.js';

const t = useApp({ work: true });
const csv = { 'content-type': 'text/csv' };
const ndjson = { 'content-type': 'application/x-ndjson' };

async function idOf(tenant: TenantClient, email: string): Promise<string> {
  return (await tenant.get(`/v2/contacts/by-email/${email}`)).body.data.id;
}

describe('topics in contact writes', () => {
  it('are applied with the contact: a new one, a changed one and one of a batch', async () => {
    const tenant = await t.tenant();
    const topicId = await makeTopic(tenant, 'News');
    await makeTopic(tenant, 'Tips', { byDefault: 'subscribed' });
    const made = await tenant.done(
      await tenant.post('/v2/contacts', { email: 'a@example.com', topics: { news: 'subscribed' } }),
    );
    const id = made.data.results[0].contactId;
    expect(made.data.results[0].status).toBe('CREATED');
    expect(await statesOf(tenant, id)).toEqual({ news: 'subscribed', tips: 'subscribed' });
    const patched = await tenant.done(await tenant.patch(`/v2/contacts/${id}`, { topics: { tips: 'unsubscribed' } }));
    expect(patched.data.results[0].status).toBe('UPDATED');
    const again = await tenant.done(await tenant.patch(`/v2/contacts/${id}`, { topics: { tips: 'unsubscribed' } }));
    expect(again.data.results[0].status).toBe('NO_CHANGE');
    const contacts = [
      { email: 'a@example.com', topics: { news: 'unsubscribed' } },
      { email: 'b@example.com', topics: { news: 'unsubscribed' } },
      { email: 'b@example.com', topics: { news: 'subscribed' } },
      { email: 'b@example.com', properties: { plan: 'pro' }, topics: {} },
    ];
    const batch = await tenant.done(await tenant.post('/v2/contacts/batch', { contacts }));
    expect(batch.data.results.map(({ status }: { status: string }) => status)).toEqual([
      'UPDATED',
      'CREATED',
      'UPDATED',
      'UPDATED',
    ]);
    expect(await logOf(tenant, await idOf(tenant, 'b@example.com'))).toEqual([
      ['unsubscribed', 'api'],
      ['subscribed', 'api'],
    ]);
    expect(await countsOf(tenant, topicId)).toEqual([1, 1, 0]);
    await eventually(
      () => leftTopics(tenant, id),
      (left) => left.length === 2,
    );
    const [entry] = (await tenant.get(`/v2/contacts/${id}/consent-log`)).body.data;
    expect(entry).toMatchObject({ source: 'api', accountId: expect.any(Number) });
  });

  it('vouch: who unsubscribed is subscribed again', async () => {
    const tenant = await t.tenant();
    const [id] = (await makeContacts(tenant, 'a@example.com')) as [string];
    const topicId = await makeTopic(tenant, 'News');
    await tenant.put(`/v2/contacts/${id}/topics/${topicId}`, { state: 'unsubscribed' });
    await tenant.done(await tenant.patch(`/v2/contacts/${id}`, { properties: {}, topics: { news: 'subscribed' } }));
    expect((await statesOf(tenant, id)).news).toBe('subscribed');
  });

  it('fail their item where a key or a word is unknown, and nothing of it is applied', async () => {
    const tenant = await t.tenant();
    await makeTopic(tenant, 'News');
    const bad = [
      { other: 'subscribed' },
      { news: 'yes' },
      { news: 'pending' },
      { news: null },
      'news',
      ['news'],
      { News: 'subscribed' },
    ];
    const contacts = bad.map((topics, i) => ({ email: `bad${i}@example.com`, properties: { plan: 'pro' }, topics }));
    const { data } = await tenant.done(
      await tenant.post('/v2/contacts/batch', { contacts: [...contacts, { email: 'good@example.com', topics: null }] }),
    );
    expect(data.results.map(({ status }: { status: string }) => status)).toEqual([
      ...bad.map(() => 'FAILED'),
      'CREATED',
    ]);
    expect(data.results[0]).toMatchObject({ email: 'bad0@example.com', error: 'No topic has the key "other".' });
    expect(data.results[1].error).toMatch(/^topics\.news must be subscribed or unsubscribed/);
    const [id] = (await makeContacts(tenant, 'good@example.com')) as [string];
    for (const topics of [{ other: 'subscribed' }, { news: 'x' }]) {
      const patch = { properties: { plan: 'pro' }, topics };
      const { data: patched } = await tenant.done(await tenant.patch(`/v2/contacts/${id}`, patch));
      expect(patched.results[0].status).toBe('FAILED');
    }
    expect((await tenant.get(`/v2/contacts/${id}`)).body.data.properties).toEqual({});
    for (const body of [{}, { voucher: {} }]) {
      const nothing = await tenant.patch(`/v2/contacts/${id}`, body);
      expect([nothing.status, nothing.body.errors[0].message]).toEqual([
        400,
        'body must have at least one of: properties, topics.',
      ]);
    }
  });

  it('say who vouched, even if the body names someone else', async () => {
    const tenant = await t.tenant();
    await makeTopic(tenant, 'News');
    const email = 'a@example.com';
    const forged = { source: 'page', accountId: 7 };
    const item = `{"email":"${email}","voucher":${JSON.stringify(forged)},"\\u0074opics":{"news":"subscribed"}} `;
    await tenant.done(await tenant.post('/v2/contacts', item));
    const [entry] = (await tenant.get(`/v2/contacts/${await idOf(tenant, email)}/consent-log`)).body.data;
    expect(entry.source).toBe('api');
  });
});

describe('topics in imports', () => {
  it('come in columns of a CSV file: yes, no or nothing', async () => {
    const tenant = await t.tenant();
    await makeTopic(tenant, 'News');
    await makeTopic(tenant, 'Tips', { byDefault: 'subscribed' });
    const file =
      'email,topic:news,plan,topic:tips\na@example.com,yes,pro,no\nb@example.com,,, \nc@example.com, NO ,,Yes\n';
    const done = await tenant.done(await tenant.post('/v2/contacts/import', file, csv));
    expect(done.counts).toEqual({ CREATED: 3, UPDATED: 0, NO_CHANGE: 0, FAILED: 0 });
    expect(done).not.toHaveProperty('kept');
    expect(await statesOf(tenant, await idOf(tenant, 'a@example.com'))).toEqual({
      news: 'subscribed',
      tips: 'unsubscribed',
    });
    expect(await logOf(tenant, await idOf(tenant, 'b@example.com'))).toEqual([]);
    expect(await logOf(tenant, await idOf(tenant, 'c@example.com'))).toEqual([
      ['unsubscribed', 'import'],
      ['subscribed', 'import'],
    ]);
    const columns = encodeURIComponent('email,topic:news');
    const planned = await tenant.post(`/v2/contacts/import?columns=${columns}`, 'Mail,News?\nb@example.com,no\n', csv);
    await tenant.done(planned);
    expect((await statesOf(tenant, await idOf(tenant, 'b@example.com'))).news).toBe('unsubscribed');
  });

  it('fail their row where a word or a key is unknown, and the file of failed rows has it as it came', async () => {
    const tenant = await t.tenant();
    await makeTopic(tenant, 'News');
    const file =
      'email,topic:news,topic:other\na@example.com,maybe,\nb@example.com,,yes\nc@example.com,yes,\nd@example.com,subscribed,\ne@example.com,constructor,\n';
    const reply = await tenant.post('/v2/contacts/import', file, csv);
    const done = await tenant.done(reply);
    expect(done.counts).toEqual({ CREATED: 1, UPDATED: 0, NO_CHANGE: 0, FAILED: 4 });
    const errors = await tenant.get(`/exports/transactions/${reply.body.data.transactionId}/errors`);
    const rows = errors.text
      .trim()
      .split(/\r?\n/)
      .map((line) => line.split(',').slice(-4));
    expect(errors.text).toContain('a@example.com,maybe,');
    expect(errors.text).toContain('b@example.com,,yes');
    expect(errors.text).toContain('e@example.com,constructor,');
    expect(rows).toHaveLength(5);
  });

  it('fail their row also where the column names what no key can be: consent is never taken for a property', async () => {
    const tenant = await t.tenant();
    await makeTopic(tenant, 'News');
    const file = 'email,topic:News,topic:\na@example.com,yes,\nb@example.com,,no\nc@example.com,,\n';
    const reply = await tenant.post('/v2/contacts/import', file, csv);
    const done = await tenant.done(reply);
    expect(done.counts).toEqual({ CREATED: 1, UPDATED: 0, NO_CHANGE: 0, FAILED: 2 });
    const errors = await tenant.get(`/exports/transactions/${reply.body.data.transactionId}/errors`);
    expect(errors.text).toContain('No topic has the key ""News"".');
    expect(errors.text).toContain('a@example.com,yes,');
  });

  it('never resubscribe a person who unsubscribed; such rows are counted as kept', async () => {
    const tenant = await t.tenant();
    const topicId = await makeTopic(tenant, 'News');
    const [left, fresh] = (await makeContacts(tenant, 'left@example.com', 'fresh@example.com')) as [string, string];
    await tenant.put(`/v2/contacts/${left}/topics/${topicId}`, { state: 'unsubscribed' });
    const lines = ['left', 'fresh', 'new'].map((name) =>
      JSON.stringify({ email: `${name}@example.com`, properties: { plan: 'pro' }, topics: { news: 'subscribed' } }),
    );
    const reply = await tenant.post('/v2/contacts/import', lines.join('\n'), ndjson);
    const done = await tenant.done(reply);
    expect([done.counts, done.kept]).toEqual([{ CREATED: 1, UPDATED: 2, NO_CHANGE: 0, FAILED: 0 }, 1]);
    const told = await tenant.get(`/v2/imports/${reply.body.data.transactionId}`);
    expect(told.body.data).toMatchObject({ kept: 1, errorsPath: null });
    expect((await statesOf(tenant, left)).news).toBe('unsubscribed');
    expect((await tenant.get(`/v2/contacts/${left}`)).body.data.properties).toEqual({ plan: 'pro' });
    expect((await statesOf(tenant, fresh)).news).toBe('subscribed');
    expect(await countsOf(tenant, topicId)).toEqual([2, 1, 0]);
  });

  it('never resubscribe a person who unsubscribed and was erased; a write that vouches does', async () => {
    const tenant = await t.tenant();
    const topicId = await makeTopic(tenant, 'News', { byDefault: 'subscribed' });
    const [id] = (await makeContacts(tenant, 'a@example.com')) as [string];
    await tenant.put(`/v2/contacts/${id}/topics/${topicId}`, { state: 'unsubscribed' });
    await tenant.done(await tenant.delete(`/v2/contacts/${id}`));
    const file = 'email,topic:news\na@example.com,yes\n';
    expect(await tenant.done(await tenant.post('/v2/contacts/import', file, csv))).toMatchObject({
      ...{ kept: 1, counts: { CREATED: 1 } },
    });
    const again = await idOf(tenant, 'a@example.com');
    expect((await statesOf(tenant, again)).news).toBe('unsubscribed');
    await tenant.done(await tenant.patch(`/v2/contacts/${again}`, { topics: { news: 'subscribed' } }));
    expect((await statesOf(tenant, again)).news).toBe('subscribed');
  });
});
