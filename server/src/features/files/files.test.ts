import { mostFileBytes } from '@rapport/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../test/app.js';
import { auditOf } from '../../../test/audit.js';
import { makeEmail, tenantWithDomain } from '../../../test/emails.js';
import { gif, jpeg, png, webp } from '../../../test/pictures.js';
import { sql } from '../../db/sql.js';

const t = useApp();
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await tenantWithDomain(t);
});

const raw = (of: TenantClient, bytes: Buffer | string, name = 'a.png', type = 'application/octet-stream') =>
  of.post(`/v2/files?name=${encodeURIComponent(name)}`, bytes, { 'content-type': type });
const told = ({ status, body }: Reply) => [status, body.errors[0]?.errorCode, body.errors[0]?.detail];
const pathOf = (url: string) => new URL(url).pathname;

function form(parts: [header: string, content: Buffer | string][], boundary = 'xYzZY') {
  const written = parts.flatMap(([header, content]) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${header}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  const body = Buffer.concat([...written, Buffer.from(`--${boundary}--\r\n`)]);
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
}
const sendForm = (of: TenantClient, ...parts: [string, Buffer | string][]) => {
  const { body, headers } = form(parts);
  return of.post('/v2/files', body, headers);
};

describe('POST /v2/files', () => {
  it('answers what the bytes are, whatever the name and the type of the request say', async () => {
    const { status, body } = await raw(tenant, jpeg(30, 20), 'claims.gif', 'image/png');
    expect(status).toBe(200);
    expect(body.data).toEqual({
      fileId: expect.stringMatching(/^[0-9a-f]{24}$/),
      url: expect.stringMatching(/^http:\/\/rapport\.test\/files\/[0-9a-f]{64}\.jpg$/),
      ...{ width: 30, height: 20, size: jpeg(30, 20).length, type: 'image/jpeg' },
    });
  });

  it.each([
    ['image/png', png(2, 2), 'png'],
    ['image/gif', gif, 'gif'],
    ['image/webp', webp.lossy(2, 2), 'webp'],
  ])('takes %s', async (type, bytes, extension) => {
    const { data } = (await raw(tenant, bytes)).body;
    expect([data.type, data.url.endsWith(`.${extension}`)]).toEqual([type, true]);
  });

  it('takes the field `file` of a form, with its name, among other fields', async () => {
    const bytes = png(5, 4);
    const reply = await sendForm(
      tenant,
      ['name="note"', 'hello'],
      ['name="other"; filename="x.txt"\r\nContent-Type: text/plain', 'no picture'],
      ['name="file"; filename="Größe.png"\r\nContent-Type: image/png', bytes],
    );
    expect([reply.status, reply.body.data.width]).toEqual([200, 5]);
    const [newest] = (await tenant.get('/v2/files')).body.data;
    expect(newest).toEqual({ ...reply.body.data, name: 'Größe.png', createdAt: expect.any(String) });
  });

  it('takes the name from the field `name` of a form, if there is one', async () => {
    await sendForm(tenant, ['name="name"', 'Logo'], ['name="file"; filename="x.png"', png(7, 4)]);
    expect((await tenant.get('/v2/files')).body.data[0]).toMatchObject({ name: 'Logo', width: 7 });
  });

  it.each([
    ['a form without a file', form([['name="note"', 'x']])],
    ['a form whose field has another name', form([['name="picture"; filename="a.png"', png(1, 1)]])],
    ['a form without a boundary', { body: form([]).body, headers: { 'content-type': 'multipart/form-data' } }],
    [
      'a form that is cut off',
      { ...form([]), body: Buffer.from('--xYzZY\r\nContent-Disposition: form-data; name="f') },
    ],
    ['an empty body', { body: '', headers: { 'content-type': 'image/png' } }],
  ])('refuses %s', async (_, { body, headers }) => {
    const reply = await tenant.post('/v2/files', body, headers);
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0].errorCode).toBe('VALIDATION_ERROR');
  });

  it.each([
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ['text named like a picture', 'hello'],
    ['a picture that is cut off', png(9, 9).subarray(0, 40)],
    ['20,001 pixels', png(1, 1, { width: 20_001 })],
    ['60,000 by 60,000 pixels', png(1, 1, { width: 60_000, height: 60_000 })],
  ])('refuses %s', async (_, bytes) => {
    expect(told(await raw(tenant, bytes))).toEqual([400, 'VALIDATION_ERROR', 'file']);
    expect(told(await sendForm(tenant, ['name="file"; filename="a.png"', bytes]))[0]).toBe(400);
  });

  it('takes 20,000 pixels and 5 MiB, and answers 413 above that', async () => {
    expect((await raw(tenant, png(20_000, 1))).status).toBe(200);
    const filled = (length: number) => Buffer.concat([png(3, 3), Buffer.alloc(length - png(3, 3).length)]);
    expect((await raw(tenant, filled(mostFileBytes))).body.data.size).toBe(mostFileBytes);
    expect(told(await raw(tenant, filled(mostFileBytes + 1)))).toEqual([413, 'PAYLOAD_TOO_LARGE', undefined]);
    const inForm = await sendForm(tenant, ['name="file"; filename="a.png"', filled(mostFileBytes + 1)]);
    expect(told(inForm)).toEqual([413, 'PAYLOAD_TOO_LARGE', undefined]);
    expect((await raw(tenant, filled(2 * mostFileBytes))).status).toBe(413);
  });

  it('refuses a name that is too long or has control characters', async () => {
    for (const name of ['x'.repeat(256), 'a\nb.png'])
      expect(told(await raw(tenant, png(1, 2), name))).toEqual([400, 'VALIDATION_ERROR', 'name']);
    expect((await tenant.post('/v2/files', png(1, 2), { 'content-type': 'image/png' })).status).toBe(200);
  });

  it('stores equal bytes once per tenant, sent twice or at the same time, and apart from other tenants', async () => {
    const [one, two] = [await t.tenant(), await t.tenant()];
    const bytes = png(11, 12);
    const replies = await Promise.all(Array.from({ length: 5 }, () => raw(one, bytes)));
    expect(new Set(replies.map(({ body }) => body.data.fileId)).size).toBe(1);
    expect((await one.get('/v2/files')).body.pagination.totalElements).toBe(1);
    const other = await raw(two, bytes);
    expect(other.body.data.fileId).not.toBe(replies[0]?.body.data.fileId);
    // A hash of the content alone would tell who has which picture.
    expect(other.body.data.url).not.toBe(replies[0]?.body.data.url);
  });

  it('repeats the answer for a repeated Idempotency-Key, and refuses the key with another picture', async () => {
    const send = (bytes: Buffer) =>
      tenant.post('/v2/files', bytes, { 'content-type': 'image/png', 'idempotency-key': 'upload' });
    const first = await send(png(13, 1));
    const again = await send(png(13, 1));
    expect([again.headers['idempotency-replayed'], again.body.data]).toEqual(['true', first.body.data]);
    expect(told(await send(png(13, 2)))).toEqual([409, 'IDEMPOTENCY_KEY_REUSED', undefined]);
  });

  it('is logged, and counted by its outcome', async () => {
    const own = await t.tenant();
    const { fileId } = (await raw(own, png(21, 1), 'logo.png')).body.data;
    expect(await auditOf(t, own.tenantId, 'file.')).toMatchObject([
      { action: 'file.uploaded', subject: fileId, detail: '{"name":"logo.png"}' },
    ]);
  });
});

describe('GET /files/{hash}.{ext}', () => {
  const open = (path: string, headers = {}) => t.app.http.inject({ url: path, headers });

  it('returns the bytes to everyone, for good, and lets nothing in them act', async () => {
    const bytes = Buffer.concat([png(8, 8), Buffer.alloc(300_000, 7)]);
    const { url } = (await raw(tenant, bytes)).body.data;
    const reply = await open(pathOf(url));
    expect(reply.statusCode).toBe(200);
    expect(reply.rawPayload.equals(bytes)).toBe(true);
    expect(reply.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect(reply.headers['set-cookie']).toBeUndefined();
    const cached = await open(pathOf(url), { 'if-none-match': String(reply.headers.etag) });
    expect([cached.statusCode, cached.body]).toEqual([304, '']);
    const head = await t.app.http.inject({ method: 'HEAD', url: pathOf(url) });
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([200, '', String(bytes.length)]);
  });

  it('knows no other name, type or method', async () => {
    const { url } = (await raw(tenant, png(8, 9))).body.data;
    const path = pathOf(url);
    for (const other of [path.replace('.png', '.gif'), path.replace('.png', ''), '/files/x.png', `${path}/x`])
      expect([other, (await open(other)).statusCode]).toEqual([other, 404]);
    expect((await t.app.http.inject({ method: 'POST', url: path })).statusCode).toBe(405);
  });
});

describe('GET /v2/files', () => {
  it('lists the files of the tenant alone, newest first, in pages', async () => {
    const own = await t.tenant();
    for (const width of [1, 2, 3]) await raw(own, png(width, 1), `${width}.png`);
    const { data, pagination } = (await own.get('/v2/files?pageSize=2')).body;
    expect(data.map((row: { name: string }) => row.name)).toEqual(['3.png', '2.png']);
    expect(pagination.totalElements).toBe(3);
    expect((await own.get('/v2/files?page_size=2&pageNumber=2')).body.data).toHaveLength(1);
  });
});

describe('DELETE /v2/files/{fileId}', () => {
  it('removes the file and its content: the address answers 404, and the same bytes come back under the same one', async () => {
    const own = await t.tenant();
    const { fileId, url } = (await raw(own, png(4, 4))).body.data;
    expect((await own.delete(`/v2/files/${fileId}`)).body.data).toEqual({ fileId, success: true });
    expect((await t.app.http.inject({ url: pathOf(url) })).statusCode).toBe(404);
    expect(told(await own.delete(`/v2/files/${fileId}`))).toEqual([404, 'NOT_FOUND', undefined]);
    const left = await t.db.row(
      sql<{ count: number }>`select count(*) from file_content where tenant_id = ${own.tenantId}`,
    );
    expect([left?.count, (await own.get('/v2/files')).body.pagination.totalElements]).toEqual([0, 0]);
    expect((await raw(own, png(4, 4))).body.data.url).toBe(url);
  });

  it('is refused while the html of a live email names it, whatever its history does', async () => {
    const { fileId, url } = (await raw(tenant, png(4, 5))).body.data;
    const html = `<img src="${url}"><a href="{{unsubscribe_url}}">No more</a>`;
    const id = await makeEmail(tenant, { name: 'Shows it', html });
    const refused = await tenant.delete(`/v2/files/${fileId}`);
    expect(told(refused)).toEqual([409, 'INVALID_STATE', undefined]);
    expect(refused.body.errors[0].message).toBe('The email "Shows it" shows it.');
    await tenant.patch(`/v2/emails/${id}`, { html: '<p>{{unsubscribe_url}}</p>' });
    expect((await tenant.delete(`/v2/files/${fileId}`)).status).toBe(200);
  });

  it('is allowed once the email is deleted', async () => {
    const { fileId, url } = (await raw(tenant, png(4, 6))).body.data;
    const id = await makeEmail(tenant, { html: `<img src="${url}">{{unsubscribe_url}}` });
    expect((await tenant.delete(`/v2/files/${fileId}`)).status).toBe(409);
    await tenant.delete(`/v2/emails/${id}`);
    expect((await tenant.delete(`/v2/files/${fileId}`)).status).toBe(200);
  });
});
