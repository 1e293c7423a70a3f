import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../test/app.js';
import { makeEmail, tenantWithDomain } from '../../../test/emails.js';

const t = useApp({ work: true });
let tenant: TenantClient;
let contactId: string;
const subject = 'Hi {{first_name | default: "there"}}';
const html = '<body><p>{{first_name | default: "you"}} &amp; {{company}}</p><a href="{{unsubscribe_url}}">x</a></body>';
const own = '<p>Only for you {{unsubscribe_url}}</p>';
const properties = { first_name: 'Ada <3', company: 'Engines' };
beforeAll(async () => {
  tenant = await tenantWithDomain(t, [{ email: 'ada@example.com', properties }, { email: 'bob@example.com' }]);
  contactId = (await tenant.get('/v1/contacts/by-email/ada@example.com')).body.data.id;
});

const code = (reply: Reply) => reply.body.errors[0]?.errorCode;
const preview = (id: string, body: object = {}) => tenant.post(`/v2/emails/${id}/preview`, body);

describe('POST /v2/emails/{id}/preview', () => {
  it('renders the default for a contact, named by id or email', async () => {
    const id = await makeEmail(tenant, { subject, html, preheader: '{{company}} news' });
    for (const named of [{ contactId }, { email: 'ADA@example.com' }]) {
      const { status, body } = await preview(id, named);
      expect(status).toBe(200);
      expect(body.data).toEqual({
        subject: 'Hi Ada <3',
        preheader: 'Engines news',
        html: '<body><p>Ada &lt;3 &amp; Engines</p><a href="http://rapport.test/t/u/preview">x</a></body>',
        chosen: 'default',
        reason: 'The contact has no version of this email.',
        problems: [],
      });
    }
    const nobody = await preview(id);
    expect(nobody.body.data).toMatchObject({ subject: 'Hi there', chosen: 'default', reason: 'No contact was named.' });
    expect(nobody.body.data.html).toContain('<p>you &amp; </p>');
    expect((await preview(id, { email: 'bob@example.com' })).body.data.subject).toBe('Hi there');
  });

  it('renders a ready version, its missing parts from the asset, and never as a template', async () => {
    const id = await makeEmail(tenant, { subject, html, preheader: '{{company}}' });
    await tenant.post('/v1/email-versions', { assetId: id, email: 'ada@example.com', html: `{% if %}${own}{{ a` });
    expect((await preview(id, { contactId })).body.data).toEqual({
      subject: 'Hi Ada <3',
      preheader: 'Engines',
      html: '{% if %}<p>Only for you http://rapport.test/t/u/preview</p>{{ a',
      chosen: 'version',
      reason: 'The contact has a version of this email.',
      problems: [],
    });
    const literal = { subject: '{{first_name}} & <b>', preheader: '{{company}}' };
    await tenant.post('/v1/email-versions', { assetId: id, email: 'ada@example.com', html: own, ...literal });
    const problems = [
      { field: 'subject', line: 1, column: 1, message: 'subject has {{…}}, which is sent as it is.' },
      { field: 'preheader', line: 1, column: 1, message: 'preheader has {{…}}, which is sent as it is.' },
    ];
    expect((await preview(id, { contactId })).body.data).toMatchObject({ ...literal, problems });
    const [latest] = (await tenant.get(`/v2/emails/${id}/activity`)).body.data;
    expect([latest.outcome, latest.reason]).toEqual(['replaced', problems.map(({ message }) => message).join(' ')]);
    expect((await preview(id, { email: 'bob@example.com' })).body.data.chosen).toBe('default');
  });

  it('falls back to the default after expiresAt, and after the version is deleted', async () => {
    const id = await makeEmail(tenant, { subject, html });
    const expiresAt = '2030-01-01T00:00:00.000Z';
    await tenant.post('/v1/email-versions', { assetId: id, email: 'ada@example.com', html: own, expiresAt });
    expect((await preview(id, { contactId })).body.data.chosen).toBe('version');
    expect((await preview(id, { contactId, at: expiresAt })).body.data.chosen).toBe('version');
    const late = (await preview(id, { contactId, at: '2030-01-01T00:00:00.001Z' })).body.data;
    expect(late).toMatchObject({ chosen: 'default', reason: `The contact’s version expired at ${expiresAt}.` });
    await tenant.delete(`/v1/email-versions?assetId=${id}&email=ada@example.com`);
    expect((await preview(id, { contactId })).body.data.chosen).toBe('default');
  });

  it('responds to unknown contacts and emails as elsewhere', async () => {
    const id = await makeEmail(tenant);
    expect(code(await preview(id, { contactId: 'nope' }))).toBe('BAS-E-002');
    expect(code(await preview(id, { email: 'no@example.com' }))).toBe('BAS-E-002');
    expect(code(await preview(id, { contactId, email: 'ada@example.com' }))).toBe('VALIDATION_ERROR');
    expect(code(await preview(id, { at: 'tomorrow' }))).toBe('VALIDATION_ERROR');
    expect(code(await preview('nope'))).toBe('NOT_FOUND');
  });

  it('renders a draft with its problems, instead of failing', async () => {
    const id = await makeEmail(tenant, { subject, html, preheader: 'Saved' });
    await tenant.post('/v1/email-versions', { assetId: id, email: 'ada@example.com', html: own });
    const fine = await preview(id, { contactId, draft: { html: '<p>{{first_name}}</p>' } });
    expect(fine.body.data).toMatchObject({
      subject: 'Hi Ada <3',
      preheader: 'Saved',
      html: '<p>Ada &lt;3</p>',
      chosen: 'draft',
      problems: [],
    });
    const draft = { html: '<p>\n {{nope}}</p>', subject: 'Hi {{', preheader: '{{ who }}' };
    const { status, body } = await preview(id, { contactId, draft });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ html: '<p>\n </p>', subject: '', preheader: '' });
    expect(body.data.problems).toHaveLength(3);
    expect(body.data.problems).toEqual(
      expect.arrayContaining([
        { field: 'html', line: 2, column: 4, message: expect.stringContaining('{{nope}}'), variable: 'nope' },
        { field: 'subject', line: 1, column: 4, message: expect.stringContaining('not closed') },
        { field: 'preheader', line: 1, column: 4, message: expect.stringContaining('{{who}}'), variable: 'who' },
      ]),
    );
    const bomb = await preview(id, { draft: { html: '{% for i in (1..100000000) %}x{% endfor %}' } });
    expect(bomb.body.data.problems).toMatchObject([{ field: 'html', message: expect.stringContaining('limit') }]);
    const large = await preview(id, { draft: { html: 'x'.repeat(2 * 1024 * 1024 + 1) } });
    expect(large.body.data.problems).toMatchObject([{ field: 'html', message: expect.stringContaining('2097152') }]);
  });

  it('reports what cannot be rendered, and does not send it', async () => {
    const id = await makeEmail(tenant, {
      html: 'a{% if email != "" %}\n{% for i in (1..100000000) %}x{% endfor %}{% endif %}',
    });
    const { status, body } = await preview(id, { contactId });
    expect([status, body.data.html]).toEqual([200, '']);
    expect(body.data.problems).toMatchObject([{ field: 'html', line: 2, column: 1 }]);
    const sent = await tenant.post(`/v2/emails/${id}/test-send`, { to: 'me@example.org', contactId });
    expect([sent.status, code(sent), sent.body.errors[0].detail]).toEqual([400, 'VALIDATION_ERROR', 'html']);
  });
});

describe('GET /v2/emails/{id}/preview', () => {
  const expiresAt = '2030-01-01T00:00:00.000Z';

  it('responds like the POST, for callers who may only read', async () => {
    const id = await makeEmail(tenant, { subject, html, preheader: '{{company}} news' });
    await tenant.post('/v1/email-versions', { assetId: id, email: 'ada@example.com', html: own, expiresAt });
    const { body } = await t.admin.post(`/admin/tenants/${tenant.tenantId}/tokens`, { name: 'r', scopes: ['READ'] });
    const reader = t.withToken(body.data.token);
    const late = '2031-01-01T00:00:00Z';
    for (const wanted of [{}, { contactId }, { contactId, at: '2029-12-31' }, { contactId, at: late }]) {
      const read = await reader.get(`/v2/emails/${id}/preview?${new URLSearchParams(wanted)}`);
      expect(read.status).toBe(200);
      expect(read.body.data).toEqual((await preview(id, wanted)).body.data);
    }
    const expired = await reader.get(`/v2/emails/${id}/preview?contact_id=${contactId}&at=${late}`);
    expect(expired.body.data).toMatchObject({ chosen: 'default', subject: 'Hi Ada <3' });
    expect((await reader.post(`/v2/emails/${id}/preview`, {})).status).toBe(403);
  });

  it('responds to unknown contacts, emails and times as elsewhere, and shows what cannot be rendered', async () => {
    const id = await makeEmail(tenant, {
      html: '{% if email != "" %}{% for i in (1..100000000) %}x{% endfor %}{% endif %}',
    });
    const get = (query: string, of = id) => tenant.get(`/v2/emails/${of}/preview?${query}`);
    for (const unknown of ['', 'nope', 'f'.repeat(32)])
      expect(code(await get(`contactId=${unknown}`))).toBe('BAS-E-002');
    expect(code(await get('', 'nope'))).toBe('NOT_FOUND');
    expect(code(await get('at=soon'))).toBe('VALIDATION_ERROR');
    expect((await get(`contactId=${contactId}`)).body.data).toMatchObject({ html: '', problems: [{ field: 'html' }] });
    expect((await tenant.get(`/v1/emails/${id}/preview`)).status).toBe(404);
  });
});
