import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../test/app.js';
import { emailBody, makeEmail, tenantWithDomain } from '../../../test/emails.js';

const t = useApp({ work: true });
let tenant: TenantClient;
beforeAll(async () => {
  const properties = { first_name: 'Ada', plan: 'pro' };
  tenant = await tenantWithDomain(t, [{ email: 'ada@example.com', properties }]);
});

const code = (reply: Reply) => reply.body.errors[0]?.errorCode;

describe('GET /emails/{id}', () => {
  it.each(['nope', 'F'.repeat(24), 'f'.repeat(24), 'f'.repeat(25), '%00'])('does not find %s', async (id) => {
    for (const reply of [
      await tenant.get(`/v1/emails/${id}`),
      await tenant.patch(`/v2/emails/${id}`, { subject: 'x' }),
      await tenant.delete(`/v2/emails/${id}`),
    ])
      expect([reply.status, code(reply)]).toEqual([404, 'NOT_FOUND']);
  });

  it('does not find a deleted one', async () => {
    const id = await makeEmail(tenant);
    const gone = await tenant.delete(`/v2/emails/${id}`);
    expect(gone.body.data).toEqual({ emailId: id, success: true });
    expect((await tenant.get(`/v1/emails/${id}`)).status).toBe(404);
    expect((await tenant.patch(`/v2/emails/${id}`, { subject: 'x' })).status).toBe(404);
    expect((await tenant.delete(`/v2/emails/${id}`)).status).toBe(404);
  });
});

describe('PATCH /v2/emails/{id}', () => {
  it('changes given fields, clears null ones, and lets replies go to the sender again', async () => {
    const folder = await tenant.post('/v2/folders', { name: 'Patched' });
    const folderId = folder.body.data.directoryId;
    const id = await makeEmail(tenant, { preheader: 'a', replyTo: 'b@example.org', folderId });
    const before = (await tenant.get(`/v1/emails/${id}`)).body.data;
    const subject = await tenant.patch(`/v2/emails/${id}`, { subject: 'New' });
    expect(subject.body.data).toEqual({ ...before, subject: 'New', updatedAt: subject.body.data.updatedAt });
    const cleared = await tenant.patch(`/v2/emails/${id}`, { preheader: null, replyTo: null, folderId: null });
    expect(cleared.body.data).toMatchObject({ preheader: null, replyTo: 'hello@example.com', directoryId: null });
    const moved = await tenant.patch(`/v2/emails/${id}`, { fromEmail: { email: 'other@example.com' } });
    expect(moved.body.data).toMatchObject({
      replyTo: 'other@example.com',
      fromEmail: { email: 'other@example.com', name: null },
    });
    expect(moved.body.data.createdAt).toBe(before.createdAt);
  });

  it('refuses an empty change, and null for a required field', async () => {
    const id = await makeEmail(tenant);
    for (const body of [{}, { unknown: 1 }, { name: null }, { html: null }, { subject: null }, { fromEmail: null }])
      expect((await tenant.patch(`/v2/emails/${id}`, body)).status).toBe(400);
    expect((await tenant.patch('/v1/emails/x', { name: 'x' })).status).toBe(405);
  });

  it('makes the checks of creation on the result', async () => {
    const id = await makeEmail(tenant);
    const taken = emailBody();
    await tenant.post('/v1/emails', taken);
    const patch = (body: object) => tenant.patch(`/v2/emails/${id}`, body).then(code);
    expect(await patch({ html: '{{' })).toBe('VALIDATION_ERROR');
    expect(await patch({ folderId: 'f'.repeat(24) })).toBe('VALIDATION_ERROR');
    expect(await patch({ fromEmail: { email: 'a@nowhere.example' } })).toBe('UnapprovedEmailDomainException');
    expect(await patch({ subject: '{{nope}}' })).toBe('UnknownVariablesException');
    expect(await patch({ name: taken.name })).toBe('TEMPLATE_ALREADY_EXISTS');
    const { name } = (await tenant.get(`/v1/emails/${id}`)).body.data;
    expect((await tenant.patch(`/v2/emails/${id}`, { name })).status).toBe(200);
  });

  it.each([
    ['a fault in the template of its html', { html: '<p>{{ first_name</p>' }, 'html'],
    ['html that is too large', { html: 'x'.repeat(2 * 1024 * 1024 + 1) }, 'html'],
    ['a fault in the template of its subject', { subject: '{% if %}' }, 'subject'],
    ['a fault in another language', { languages: { de: { html: '{{' } } }, 'languages.de.html'],
    ['a design that is none', { design: { blocks: 7 } }, 'design'],
  ])('tells of %s before it says that there is no such email', async (_what, body, field) => {
    for (const id of ['f'.repeat(24), 'nope']) {
      const reply = await tenant.patch(`/v2/emails/${id}`, body);
      expect([reply.status, code(reply)]).toEqual([400, 'VALIDATION_ERROR']);
      expect(reply.body.errors[0].detail).toContain(field);
      const sound = { html: emailBody().html, languages: { de: { subject: 'Hallo' } } };
      expect((await tenant.patch(`/v2/emails/${id}`, sound)).status).toBe(404);
    }
  });

  it('refuses an edit if another user made a change since', async () => {
    const id = await makeEmail(tenant);
    const { etag = '' } = (await tenant.get(`/v1/emails/${id}`)).headers;
    const first = await tenant.patch(`/v2/emails/${id}`, { subject: 'Mine' }, { 'if-match': etag });
    expect(first.status).toBe(200);
    expect(first.headers.etag).not.toBe(etag);
    const late = await tenant.patch(`/v2/emails/${id}`, { subject: 'Yours' }, { 'if-match': etag });
    expect([late.status, code(late)]).toEqual([412, 'EDIT_CONFLICT']);
    expect((await tenant.get(`/v1/emails/${id}`)).body.data.subject).toBe('Mine');
    for (const now of [first.headers.etag, `W/${first.headers.etag}`, `"9", ${first.headers.etag}`, '*']) {
      const { etag: current = '' } = (await tenant.get(`/v1/emails/${id}`)).headers;
      const given = now === '*' ? now : now?.replace(/"\d+"$/, current);
      const reply = await tenant.patch(`/v2/emails/${id}`, { subject: 'Again' }, { 'if-match': given as string });
      expect(reply.status).toBe(200);
    }
  });

  it('lets only one of two concurrent editors win', async () => {
    const id = await makeEmail(tenant);
    const edit = (subject: string) => tenant.patch(`/v2/emails/${id}`, { subject }, { 'if-match': '"1"' });
    const replies = await Promise.all([edit('a'), edit('b'), edit('c')]);
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 412, 412]);
  });
});

describe('GET /v2/emails', () => {
  it('pages newest first, without html, and only under v2', async () => {
    const own = await tenantWithDomain(t);
    const ids = [];
    for (let i = 0; i < 3; i++) ids.unshift(await makeEmail(own));
    const { body } = await own.get('/v2/emails?page_size=2');
    expect(body.data.map((row: { id: string }) => row.id)).toEqual(ids.slice(0, 2));
    expect(body.pagination).toEqual({ pageNumber: 1, pageSize: 2, totalElements: 3, totalPages: 2 });
    expect(body.data[0]).not.toHaveProperty('html');
    expect(body.data[0].editorUrl).toBe(`http://rapport.test/console/emails/${ids[0]}`);
    await own.delete(`/v2/emails/${ids[0]}`);
    expect((await own.get('/v2/emails')).body.pagination.totalElements).toBe(2);
    expect((await own.get('/v1/emails')).status).toBe(405);
  });

  it('sorts by name without regard to case, or by the last change, within a search and a folder too', async () => {
    const own = await tenantWithDomain(t);
    const folder = await own.post('/v2/folders', { name: 'F' });
    const folderId = folder.body.data.directoryId;
    for (const name of ['banana', 'Apple', 'cherry', 'Banana split']) await makeEmail(own, { name, folderId });
    const listed = async (query: string) => (await own.get(`/v2/emails?${query}`)).body;
    const names = async (query: string) => (await listed(query)).data.map((row: { name: string }) => row.name);
    expect(await names('sort=name')).toEqual(['Apple', 'banana', 'Banana split', 'cherry']);
    expect(await names('sort=name&pageSize=2&pageNumber=2')).toEqual(['Banana split', 'cherry']);
    expect(await names(`sort=name&folderId=${folderId}`)).toEqual(['Apple', 'banana', 'Banana split', 'cherry']);
    expect(await names('sort=name&search=banana')).toEqual(['banana', 'Banana split']);
    const newest = ['Banana split', 'cherry', 'Apple', 'banana'];
    for (const query of ['', 'sort=-createdAt']) expect(await names(query)).toEqual(newest);
    const { data } = await listed('search=apple');
    await own.patch(`/v2/emails/${data[0].id}`, { subject: 'Changed' });
    expect(await names('sort=-updatedAt')).toEqual(['Apple', 'Banana split', 'cherry', 'banana']);
    for (const wrong of ['', 'createdAt', '-name', 'name&sort=name'])
      expect((await own.get(`/v2/emails?sort=${wrong}`)).status).toBe(400);
  });

  it('filters by name and folder', async () => {
    const own = await tenantWithDomain(t);
    const folder = await own.post('/v2/folders', { name: 'F' });
    const folderId = folder.body.data.directoryId;
    await makeEmail(own, { name: 'Größe 100%', folderId });
    await makeEmail(own, { name: 'Welcome', folderId });
    await makeEmail(own, { name: 'Welcome back' });
    const names = async (query: string) => {
      const { body } = await own.get(`/v2/emails?${query}`);
      expect(body.pagination.totalElements).toBe(body.data.length);
      return body.data.map((row: { name: string }) => row.name);
    };
    expect(await names('search=GRÖSS')).toEqual([]);
    expect(await names('search=GRÖẞE')).toEqual(['Größe 100%']);
    expect(await names('search=gRöß')).toEqual(['Größe 100%']);
    expect(await names('search=0%25')).toEqual(['Größe 100%']);
    expect(await names('search=welcome')).toEqual(['Welcome back', 'Welcome']);
    expect(await names(`search=welcome&folder_id=${folderId}`)).toEqual(['Welcome']);
    expect(await names(`folderId=${folderId}`)).toEqual(['Welcome', 'Größe 100%']);
    for (const unknown of ['', 'nope', 'f'.repeat(24)]) expect(await names(`folderId=${unknown}`)).toEqual([]);
    expect(await names('search=')).toHaveLength(3);
    expect((await own.get('/v2/emails?folderId=a&folder_id=a')).status).toBe(400);
  });
});
