import { describe, expect, it } from 'vitest';
import { type Reply, useApp } from '../../../test/app.js';
import { auditOf } from '../../../test/audit.js';
import { makeTopic } from '../../../test/consent.js';
import { makeEmail, tenantWithDomain } from '../../../test/emails.js';
import { email, firstName, formBody, makeForm, noBounds } from '../../../test/forms.js';
import { makeJourney } from '../../../test/journeys.js';

const t = useApp({ work: true, forms: noBounds });
const nowhere = '0'.repeat(24);
const fault = (reply: Reply) => [reply.status, reply.body.errors[0]?.errorCode, reply.body.errors[0]?.detail];

describe('POST /v2/forms', () => {
  it('answers the whole form, with what it is where nothing else was said', async () => {
    const tenant = await t.tenant();
    const topicId = await makeTopic(tenant, 'News');
    const made = await tenant.post('/v2/forms', formBody({ topicIds: [topicId] }));
    expect(made.status).toBe(200);
    const { formId, url, embed } = made.body.data;
    expect(made.body.data).toEqual({
      ...{ formId: expect.stringMatching(/^[0-9a-f]{24}$/), name: 'Newsletter', topicIds: [topicId], listId: null },
      fields: [
        { ...email, required: true },
        { ...firstName, required: false },
      ],
      ...{ consentText: 'Yes, write to me.', success: null, allowedOrigins: [], state: 'open' },
      ...{ url: expect.stringMatching(/^http:\/\/rapport\.test\/f\/[\w-]+$/), embed: expect.any(String) },
      counts: { viewed: 0, submitted: 0, confirmed: 0, refused: 0 },
      ...{ createdAt: expect.any(String), updatedAt: expect.any(String) },
    });
    expect(embed).toContain(`action="${url}"`);
    expect(embed).toContain('src="http://rapport.test/f/form.js"');
    expect((await tenant.get(`/v2/forms/${formId}`)).body.data).toEqual(made.body.data);
    expect((await tenant.get('/v2/forms?search=NEWS')).body.data).toEqual([made.body.data]);
    expect((await tenant.get('/v2/forms?search=other')).body.data).toEqual([]);
    const [entry] = await auditOf(t, tenant.tenantId, 'form.created');
    expect(entry).toMatchObject({ subject: formId });
  });

  it('gives the fields of each embed ids of their own: a page may have several forms', async () => {
    const tenant = await t.tenant();
    const idsIn = async () => {
      const { embed } = (await tenant.post('/v2/forms', formBody())).body.data;
      const [ids, labels] = [/ id="([^"]*)"/g, / for="([^"]*)"/g].map((of) =>
        [...embed.matchAll(of)].map(([, id]) => id),
      );
      expect(labels).toEqual(ids);
      return ids as string[];
    };
    const ids = [...(await idsIn()), ...(await idsIn())];
    expect(new Set(ids).size).toBe(4);
  });

  const field = (change: object) => ({ ...firstName, ...change });
  it.each<[string, Record<string, unknown>, string]>([
    ['no name', { name: ' ' }, 'name'],
    ['a name of 256 characters', { name: 'x'.repeat(256) }, 'name'],
    ['no fields', { fields: [] }, 'fields'],
    ['21 fields', { fields: [email, ...Array.from({ length: 20 }, (_, i) => field({ property: `p${i}` }))] }, 'fields'],
    ['no email', { fields: [firstName] }, 'fields'],
    ['two emails', { fields: [email, { ...email, property: 'other' }] }, 'fields'],
    ['an unknown type', { fields: [email, field({ type: 'date' })] }, 'fields[1].type'],
    ['a bad key', { fields: [email, field({ property: 'First Name' })] }, 'fields[1].property'],
    ['a key that is the platform’s', { fields: [email, field({ property: 'unsubscribed' })] }, 'fields[1].property'],
    ['a key with a meaning of its own', { fields: [email, field({ property: 'altcha' })] }, 'fields[1].property'],
    ['__proto__', { fields: [email, field({ property: '__proto__' })] }, 'fields[1].property'],
    ['email as text', { fields: [{ ...email, property: 'mail' }, field({ property: 'email' })] }, 'fields[1].property'],
    ['a key twice', { fields: [email, firstName, firstName] }, 'fields[2].property'],
    ['no label', { fields: [{ ...email, label: '' }] }, 'fields[0].label'],
    ['a select without options', { fields: [email, field({ type: 'select' })] }, 'fields[1].options'],
    ['an option twice', { fields: [email, field({ type: 'select', options: ['a', 'a'] })] }, 'fields[1].options'],
    ['options of a text', { fields: [email, field({ options: ['a'] })] }, 'fields[1].options'],
    ['no consent text', { consentText: '' }, 'consentText'],
    ['a consent text of 1,001 characters', { consentText: 'x'.repeat(1001) }, 'consentText'],
    ['an unknown topic', { topicIds: [nowhere] }, 'topicIds[0]'],
    ['no topics', { topicIds: undefined }, 'topicIds'],
    ['an unknown list', { listId: nowhere }, 'listId'],
    ['a message and a url', { success: { message: 'x', url: 'https://example.com' } }, 'success'],
    ['an empty success', { success: {} }, 'success'],
    ['javascript:', { success: { url: 'javascript:alert(1)' } }, 'success.url'],
    ['data:', { success: { url: 'data:text/html,x' } }, 'success.url'],
    ['a path', { success: { url: '/thanks' } }, 'success.url'],
    ['a password', { success: { url: 'https://me:secret@example.com/' } }, 'success.url'],
    ['an origin with a path', { allowedOrigins: ['https://example.com/x'] }, 'allowedOrigins[0]'],
    ['an origin of its own', { allowedOrigins: ['https://example.com', 'null'] }, 'allowedOrigins[1]'],
    ['all hosts of a domain as an origin', { allowedOrigins: ['https://*.example.com'] }, 'allowedOrigins[0]'],
    ['a url on all hosts of a domain', { success: { url: 'https://*.example.com/' } }, 'success.url'],
    ['any origin', { allowedOrigins: ['*'] }, 'allowedOrigins[0]'],
    [
      'an origin that adds to the policy',
      { allowedOrigins: ["https://a.example; script-src 'x'"] },
      'allowedOrigins[0]',
    ],
    ['an unknown state', { state: 'half' }, 'state'],
  ])('refuses %s', async (_, change, place) => {
    const tenant = await t.tenant();
    expect(fault(await tenant.post('/v2/forms', formBody(change)))).toEqual([400, 'VALIDATION_ERROR', place]);
  });

  it('takes 20 fields, a consent text of 1,000 characters, and every type', async () => {
    const tenant = await t.tenant();
    const types = ['text', 'textarea', 'checkbox', 'hidden'].map((type) => field({ property: `a_${type}`, type }));
    const choice = field({ property: 'a_select', type: 'select', options: ['a', 'b'] });
    const rest = Array.from({ length: 14 }, (_, i) => field({ property: `p${i}` }));
    const made = await tenant.post(
      '/v2/forms',
      formBody({ fields: [email, ...types, choice, ...rest], consentText: 'x'.repeat(1000) }),
    );
    expect([made.status, made.body.data.fields.length]).toEqual([200, 20]);
    expect(made.body.data.fields[5].options).toEqual(['a', 'b']);
  });

  it('does not know topics and lists of another tenant', async () => {
    const [tenant, other] = [await t.tenant(), await t.tenant()];
    const topicId = await makeTopic(other, 'News');
    const listId = (await other.post('/v2/lists', { name: 'L' })).body.data.staticListId;
    expect(fault(await tenant.post('/v2/forms', formBody({ topicIds: [topicId] })))[2]).toBe('topicIds[0]');
    expect(fault(await tenant.post('/v2/forms', formBody({ listId })))[2]).toBe('listId');
    const { formId } = await makeForm(other);
    for (const id of [formId, nowhere, 'x']) {
      expect((await tenant.get(`/v2/forms/${id}`)).status).toBe(404);
      expect((await tenant.patch(`/v2/forms/${id}`, { name: 'x' })).status).toBe(404);
      expect((await tenant.delete(`/v2/forms/${id}`)).status).toBe(404);
      expect((await tenant.get(`/v2/forms/${id}/submissions`)).status).toBe(404);
    }
  });
});

describe('PATCH and DELETE /v2/forms/{formId}', () => {
  it('change what is given and nothing else', async () => {
    const tenant = await t.tenant();
    const { formId } = await makeForm(tenant, { success: { message: 'Thanks' } });
    const path = `/v2/forms/${formId}`;
    const before = (await tenant.get(path)).body.data;
    const changed = await tenant.patch(path, {
      allowedOrigins: ['https://Example.com'],
      success: null,
      state: 'closed',
    });
    expect(changed.body.data).toEqual({
      ...{ ...before, allowedOrigins: ['https://example.com'], success: null, state: 'closed' },
      updatedAt: expect.any(String),
    });
    expect((await tenant.get(path)).body.data).toEqual(changed.body.data);
    // What was read is no change.
    expect((await tenant.patch(path, changed.body.data)).body.data).toEqual(changed.body.data);
    expect(fault(await tenant.patch(path, { fields: [firstName] }))).toEqual([400, 'VALIDATION_ERROR', 'fields']);
    expect(fault(await tenant.patch(path, {}))[0]).toBe(400);
    expect((await tenant.delete(path)).body.data).toEqual({ formId, success: true });
    expect((await tenant.get(path)).status).toBe(404);
    expect((await tenant.delete(path)).status).toBe(404);
    expect((await tenant.get('/v2/forms')).body.data).toEqual([]);
  });

  it('tell what no form could have before that there is no such form', async () => {
    const tenant = await t.tenant();
    const cases: [object, string][] = [
      [{ fields: [firstName] }, 'fields'],
      [{ success: {} }, 'success'],
      [{ success: { url: '/thanks' } }, 'success.url'],
      [{ allowedOrigins: ['*'] }, 'allowedOrigins[0]'],
    ];
    for (const [change, place] of cases)
      expect(fault(await tenant.patch(`/v2/forms/${nowhere}`, change))).toEqual([400, 'VALIDATION_ERROR', place]);
    expect((await tenant.patch(`/v2/forms/${nowhere}`, { fields: [email] })).status).toBe(404);
  });

  it('clear what is null, as if it had never been given', async () => {
    const tenant = await t.tenant();
    const own = { success: { message: 'Thanks' }, allowedOrigins: ['https://example.com'], state: 'closed' };
    const { formId } = await makeForm(tenant, own);
    const path = `/v2/forms/${formId}`;
    expect((await tenant.patch(path, { state: null })).body.data.state).toBe('open');
    expect((await tenant.patch(path, { allowedOrigins: null })).body.data.allowedOrigins).toEqual([]);
    const success = { message: null, url: 'https://example.com/thanks' };
    expect((await tenant.patch(path, { success })).body.data.success).toEqual({ url: success.url });
    const fields = [email, { ...firstName, required: null, options: null }];
    expect((await tenant.patch(path, { fields })).body.data.fields[1]).toEqual({ ...firstName, required: false });
    expect((await tenant.post('/v2/forms', formBody({ fields, success, allowedOrigins: null }))).status).toBe(200);
    const neither = await tenant.patch(path, { success: { message: null, url: null } });
    expect(fault(neither)).toEqual([400, 'VALIDATION_ERROR', 'success']);
  });

  it('keep a topic from being deleted as long as a form uses it', async () => {
    const tenant = await t.tenant();
    const topicId = await makeTopic(tenant, 'News');
    const { formId } = await makeForm(tenant, { topicIds: [topicId] });
    expect(fault(await tenant.delete(`/v2/topics/${topicId}`)).slice(0, 2)).toEqual([409, 'INVALID_STATE']);
    await tenant.delete(`/v2/forms/${formId}`);
    expect((await tenant.delete(`/v2/topics/${topicId}`)).status).toBe(200);
  });
});

it('keeps a form that a journey names, in whatever state the journey is', async () => {
  const tenant = await t.tenant();
  const { formId } = await makeForm(tenant);
  const definition = { entry: { form: { formId } }, steps: [{ id: 'end', type: 'exit' }] };
  const journeyId = await makeJourney(tenant, { name: 'The user', definition });
  const expectKept = async () =>
    expect(await tenant.delete(`/v2/forms/${formId}`)).toMatchObject({
      ...{ status: 409, body: { errors: [{ errorCode: 'INVALID_STATE' }] } },
      text: expect.stringContaining('\\"The user\\"'),
    });
  await expectKept();
  await tenant.post(`/v2/journeys/${journeyId}/activate`);
  await expectKept();
  await tenant.post(`/v2/journeys/${journeyId}/deactivate`);
  await expectKept();
  await tenant.delete(`/v2/journeys/${journeyId}`);
  expect((await tenant.delete(`/v2/forms/${formId}`)).status).toBe(200);
});

describe('a form whose topic asks by mail', () => {
  it('cannot be opened without a sending domain, unless the topic has an email of its own', async () => {
    const tenant = await t.tenant();
    const topicId = await makeTopic(tenant, 'News', { doubleOptIn: true });
    expect(fault(await tenant.post('/v2/forms', formBody({ topicIds: [topicId] })))[0]).toBe(409);
    const { formId } = await makeForm(tenant, { topicIds: [topicId], state: 'closed' });
    const opened = await tenant.patch(`/v2/forms/${formId}`, { state: 'open' });
    expect(fault(opened).slice(0, 2)).toEqual([409, 'INVALID_STATE']);
    const plain = await makeForm(tenant);
    expect((await tenant.patch(`/v2/forms/${plain.formId}`, { topicIds: [topicId] })).status).toBe(409);
    const sender = await tenantWithDomain(t);
    const other = await makeTopic(sender, 'News', { doubleOptIn: true });
    expect((await sender.post('/v2/forms', formBody({ topicIds: [other] }))).status).toBe(200);
  });

  it('stays able to ask: a topic of an open form does not begin to without a sending domain', async () => {
    const tenant = await t.tenant();
    const topicId = await makeTopic(tenant, 'News');
    const { formId } = await makeForm(tenant, { topicIds: [topicId] });
    const path = `/v2/topics/${topicId}`;
    expect(fault(await tenant.patch(path, { doubleOptIn: true })).slice(0, 2)).toEqual([409, 'INVALID_STATE']);
    expect((await tenant.get(path)).body.data.doubleOptIn).toBe(false);
    expect((await tenant.patch(path, { name: 'Other news' })).status).toBe(200);
    await tenant.patch(`/v2/forms/${formId}`, { state: 'closed' });
    expect((await tenant.patch(path, { doubleOptIn: true })).status).toBe(200);
    expect((await tenant.patch(`/v2/forms/${formId}`, { state: 'open' })).status).toBe(409);
    const sender = await tenantWithDomain(t);
    const other = await makeTopic(sender, 'News');
    await makeForm(sender, { topicIds: [other] });
    expect((await sender.patch(`/v2/topics/${other}`, { doubleOptIn: true })).status).toBe(200);
  });

  it('is opened, or its topic begins to ask, but never both at once', async () => {
    for (let i = 0; i < 5; i++) {
      const tenant = await t.tenant();
      const topicId = await makeTopic(tenant, 'News');
      const { formId } = await makeForm(tenant, { topicIds: [topicId], state: 'closed' });
      const replies = await Promise.all([
        tenant.patch(`/v2/forms/${formId}`, { state: 'open' }),
        tenant.patch(`/v2/topics/${topicId}`, { doubleOptIn: true }),
      ]);
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 409]);
    }
  });

  it('asks with an email only where that has the link', async () => {
    const tenant = await tenantWithDomain(t);
    const plain = await makeEmail(tenant);
    const body = { name: 'News', byDefault: 'unsubscribed', doubleOptIn: true, confirmEmailId: plain };
    expect(fault(await tenant.post('/v2/topics', body))).toEqual([400, 'VALIDATION_ERROR', 'confirmEmailId']);
    const html = '<a href="{{ confirm_url }}">Yes</a> {{unsubscribe_url}}';
    const confirmEmailId = await makeEmail(tenant, { name: 'Confirm', html });
    const topic = (await tenant.post('/v2/topics', { ...body, confirmEmailId })).body.data;
    expect(topic.confirmEmailId).toBe(confirmEmailId);
    const changed = await tenant.patch(`/v2/topics/${topic.topicId}`, { confirmEmailId: plain });
    expect(fault(changed)).toEqual([400, 'VALIDATION_ERROR', 'confirmEmailId']);
  });
});
