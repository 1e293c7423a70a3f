// Uploads over real connections: who may send, how much at once, and what becomes of uploads that never end.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, type Socket } from 'node:net';
import { mostFileBytes } from '@rapport/contract';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { png } from '../../../test/pictures.js';

const t = useApp();
let tenant: TenantClient;
let port: number;
beforeAll(async () => {
  tenant = await t.tenant();
  await t.app.http.listen({ port: 0, host: '127.0.0.1' });
  port = (t.app.http.server.address() as AddressInfo).port;
});

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Begins an upload, and sends only what is given of it. */
function begin(token: string | undefined, length: number, sent: Buffer = Buffer.alloc(0)): Socket {
  const socket = connect(port, '127.0.0.1');
  sockets.push(socket);
  const bearer = token === undefined ? '' : `Authorization: Bearer ${token}\r\n`;
  socket.write(`POST /v2/files?name=a.png HTTP/1.1\r\nHost: x\r\n${bearer}Content-Length: ${length}\r\n\r\n`);
  socket.write(sent);
  return socket;
}

async function statusOf(socket: Socket): Promise<string> {
  const [chunk] = await once(socket, 'data');
  return String(chunk).slice(9, 12);
}

it('tells who may not send before a byte of the body arrives', async () => {
  const made = await t.admin.post(`/admin/tenants/${tenant.tenantId}/tokens`, { name: 'reads', scopes: ['READ'] });
  expect(await statusOf(begin(undefined, mostFileBytes))).toBe('401');
  expect(await statusOf(begin(made.body.data.token, mostFileBytes))).toBe('403');
});

it('refuses a file that is said to be too large before a byte of it arrives', async () => {
  expect(await statusOf(begin(tenant.token, 2 * mostFileBytes))).toBe('413');
});

it('holds only so many files of a tenant at once; the others are told to wait, and other tenants are not', async () => {
  const unfinished = Array.from({ length: 12 }, () => begin(tenant.token, mostFileBytes, png(1, 1)));
  await Promise.all(unfinished.map((socket) => once(socket, 'connect')));
  await expect.poll(() => statusOf(begin(tenant.token, mostFileBytes, png(1, 1)))).toBe('503');
  const other = await t.tenant();
  expect((await other.post('/v2/files?name=a.png', png(1, 1), { 'content-type': 'image/png' })).status).toBe(200);
});

it('stores nothing of an upload that breaks off', async () => {
  const own = await t.tenant();
  const socket = begin(own.token, 1000, png(1, 1));
  await once(socket, 'connect');
  socket.destroy();
  await once(socket, 'close');
  expect((await own.get('/v2/files')).body.data).toEqual([]);
});
