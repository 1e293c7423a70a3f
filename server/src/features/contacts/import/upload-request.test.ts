import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../../test/app.js';
import { csv, upload, uploadsTo, url } from '../../../../test/uploads.js';
import { sql } from '../../../db/sql.js';
import { sweepUploads } from './remove-uploads.js';

const test = useApp({ work: true });

const { chunksOf, expectNothing } = uploadsTo(test);

describe('the request', () => {
  it.each(['application/json', 'text/plain', 'text/csv; charset=iso-8859-1', 'csv', 'multipart/form-data; boundary=x'])(
    'with Content-Type %s is refused',
    async (type) => {
      const tenant = await test.tenant();
      const { status, body } = await upload(tenant, 'email\na@x.de', { 'content-type': type });
      expect(status).toBe(400);
      expect(body.errors[0].errorCode).toBe('VALIDATION_ERROR');
    },
  );

  it.each(['text/csv; charset=utf-8; header=present', 'Text/CSV;charset="UTF-8"'])('with %s is taken', async (type) => {
    const tenant = await test.tenant();
    expect((await upload(tenant, 'email\na@x.de', { 'content-type': type })).status).toBe(200);
  });

  it('without a Content-Type, or without a body, is refused', async () => {
    const tenant = await test.tenant();
    const headers = { authorization: `Bearer ${tenant.token}` };
    const untyped = await test.app.http.inject({
      method: 'POST',
      url,
      headers,
      payload: Readable.from(['email\na@x.de']),
    });
    expect(untyped.statusCode).toBe(400);
    expect(untyped.json().errors[0].detail).toBe('Content-Type');
    expect((await tenant.post(url)).status).toBe(400);
    expect((await tenant.post(url, undefined, csv)).status).toBe(400);
  });

  it('is checked in the same order as every other', async () => {
    const reader = await test.tenant({ scopes: ['READ'] });
    expect((await test.anonymous.post(url, 'email', csv)).status).toBe(401);
    expect((await reader.post(url, 'email', { 'content-type': 'text/plain' })).status).toBe(403);
    const tenant = await test.tenant();
    expect((await tenant.put(url, 'email', csv)).status).toBe(405);
    expect((await tenant.post('/v1/contacts/import', 'email\na@x.de', csv)).status).toBe(404);
    const limited = await test.tenant({ rateLimit: 1 });
    await limited.get('/v2/contacts');
    expect((await limited.post(url, 'email', csv)).status).toBe(429);
  });

  it('may be larger than 10 MiB', async () => {
    const tenant = await test.tenant();
    const row = `${'x'.repeat(30_000)}\n`;
    const rows = Array.from({ length: 400 }, (_, i) => `c${i}@x.de,${row}`);
    const done = await tenant.done(await upload(tenant, `email,long\n${rows.join('')}`));
    expect(done.counts.CREATED).toBe(400);
  });
});

describe('with an Idempotency-Key', () => {
  const withKey = (key: string) => ({ ...csv, 'idempotency-key': key });

  it('the same file gets the same transaction, and is imported once', async () => {
    const tenant = await test.tenant();
    const file = 'email,n\na@x.de,1\nb@x.de,2';
    const first = await upload(tenant, file, withKey('k'));
    await tenant.done(first);
    const second = await upload(tenant, file, withKey('k'));
    expect(second.body.data).toEqual(first.body.data);
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(await chunksOf(tenant)).toBe(0);
    const other = await upload(tenant, `${file}\n`, withKey('k'));
    expect(other.status).toBe(409);
    expect(other.body.errors[0].errorCode).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await chunksOf(tenant)).toBe(0);
  });

  it('concurrent duplicates are one import', async () => {
    const tenant = await test.tenant();
    const replies = await Promise.all(Array.from({ length: 5 }, () => upload(tenant, 'email\na@x.de', withKey('k'))));
    expect(new Set(replies.map((reply) => reply.body.data.transactionId)).size).toBe(1);
    expect(replies.filter((reply) => reply.headers['idempotency-replayed'])).toHaveLength(4);
    expect((await tenant.done(replies[0] as Reply)).counts.CREATED).toBe(1);
    expect(await chunksOf(tenant)).toBe(0);
  });

  it('a refused file does not use the key up', async () => {
    const tenant = await test.tenant();
    expect((await upload(tenant, 'email\na@x.de,b', withKey('k'))).status).toBe(400);
    expect((await upload(tenant, 'email\na@x.de', withKey('k'))).status).toBe(200);
    expect((await upload(tenant, 'email\na@x.de', withKey('two words'))).status).toBe(400);
  });
});

describe('over a real connection', () => {
  const many = Array.from({ length: 5000 }, (_, i) => `c${i}@x.de,${i}\n`).join('');

  async function open(tenant: TenantClient, headers: string): Promise<Socket> {
    const { http } = test.app;
    if (!http.server.listening) await http.listen({ host: '127.0.0.1', port: 0 });
    const address = http.server.address() as { port: number };
    const socket = connect(address.port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.write(
      `POST ${url} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.token}\r\nContent-Type: text/csv\r\n${headers}\r\n\r\n`,
    );
    return socket;
  }

  async function until(condition: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; !(await condition()); tries++) {
      if (tries > 1000) throw new Error('It never happened.');
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  it('an upload that is cut off leaves nothing behind', async () => {
    const tenant = await test.tenant();
    const socket = await open(tenant, 'Content-Length: 10000000');
    socket.write(`email,n\n${many}`);
    await until(async () => (await chunksOf(tenant)) > 0);
    socket.destroy();
    await until(async () => (await chunksOf(tenant)) === 0);
    await expectNothing(tenant);
  });

  it('an upload that is refused early gets its response at once, and may be sent to the end', async () => {
    const tenant = await test.tenant();
    const socket = await open(tenant, 'Transfer-Encoding: chunked');
    const send = (text: string) => socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
    let answer = '';
    socket.setEncoding('utf8').on('data', (text) => {
      answer += text;
    });
    send('email,n\na@x.de,b,c\nb@x.de,d\n');
    await until(async () => answer.includes('Line 2 has 3 cells'));
    expect(answer).toContain('HTTP/1.1 400 Bad Request');
    send(many);
    socket.write(`0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    await until(async () => answer.includes('HTTP/1.1 200 OK'));
    await expectNothing(tenant);
  });
});

describe('an upload whose process died', () => {
  const upload = (uuid: string) => uuid.repeat(32);

  async function stage(tenantId: number, uuid: string, hoursAgo: number): Promise<void> {
    await test.db.run(sql`
      insert into import_chunk (tenant_id, transaction_id, chunk, first_row, row_count, payload, staged_at)
      select ${tenantId}, ${uuid}, coalesce(max(chunk) + 1, 0), 0, 1, '{}', now() - make_interval(hours => ${hoursAgo})
      from import_chunk where transaction_id = ${uuid}`);
  }

  it('is swept after some hours, but never one that is in progress or acknowledged', async () => {
    const tenant = await test.tenant();
    const { tenantId } = tenant;
    await stage(tenantId, upload('a'), 7);
    await stage(tenantId, upload('a'), 8);
    await stage(tenantId, upload('b'), 7);
    await stage(tenantId, upload('b'), 1);
    // Of a kind that no worker handles, so that it stays pending.
    await test.db.run(sql`
      insert into write_transaction (tenant_id, transaction_id, kind, status) values (${tenantId}, ${upload('c')}, 'test', 'DONE')`);
    await stage(tenantId, upload('c'), 100);
    expect(await sweepUploads(test.db, 6, 100)).toBe(1);
    expect(await sweepUploads(test.db, 6, 100)).toBe(0);
    expect(await chunksOf(tenant)).toBe(3);
  });
});
