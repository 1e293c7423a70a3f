// The form of the API's refusals.

import { once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'vitest';
import type { Reply, TenantClient, TestApp } from './app.js';

export const malformed = '{"name":';
export const unknownId = '0'.repeat(24);
export const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

export function expectEmpty(reply: Reply, status: number): void {
  expect(reply.status).toBe(status);
  expect(reply.text).toBe('');
  expect(reply.headers['content-length']).toBe('0');
  expect(reply.headers).not.toHaveProperty('content-type');
}

export function expectFailure(reply: Reply, status: number, errorCode: string): void {
  expect(reply.status).toBe(status);
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(reply.body.data).toBeNull();
  expect(reply.body.errors.length).toBeGreaterThan(0);
  expect(reply.body.errors[0]).toMatchObject({ errorCode, message: expect.any(String) });
  expect(reply.body.meta).toEqual({ status: 'FAILURE', timestamp: expect.stringMatching(isoTime) });
  expect(reply.body).not.toHaveProperty('pagination');
}

export function refusalsOf(t: TestApp, port: () => number) {
  async function spentTenant(scopes?: string[]): Promise<TenantClient> {
    const spent = await t.tenant({ rateLimit: 1, ...(scopes ? { scopes } : {}) });
    await spent.get('/v1/nowhere');
    return spent;
  }

  /** Raw bytes on a socket, for what a client library would correct. */
  async function raw(head: string, body = ''): Promise<{ status: number; head: string; body: string }> {
    const socket = connect(port(), '127.0.0.1');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.write(`${head}\r\nHost: rapport.test\r\nConnection: close\r\n\r\n${body}`);
    await once(socket, 'close');
    const text = Buffer.concat(chunks).toString('utf8');
    const at = text.indexOf('\r\n\r\n');
    return { status: Number(text.slice(9, 12)), head: text.slice(0, at).toLowerCase(), body: text.slice(at + 4) };
  }

  return { spentTenant, raw };
}
