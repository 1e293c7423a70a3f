// A source that speaks Segment's protocol.

import { expect } from 'vitest';
import type { Reply, TenantClient, TestApp } from './app.js';

export interface Segment extends TenantClient {
  /** Sends a batch and waits until it is applied. */
  batch(...messages: unknown[]): Promise<void>;
  call(name: string, body: unknown, headers?: Record<string, string>): Promise<Reply>;
  applied(): Promise<void>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  log(): Promise<any[]>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  read(path: string): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  events(email: string): Promise<any[]>;
}

export const ada = {
  type: 'identify',
  userId: 'ada',
  traits: { email: 'Ada@X.io ', firstName: 'Ada', 'Plan Type': 'pro' },
};

export function segmentOn(t: TestApp) {
  async function segment(): Promise<Segment> {
    const tenant = await t.tenant();
    const authorization = `Basic ${Buffer.from(`${tenant.token}:`).toString('base64')}`;
    const call: Segment['call'] = (name, body, headers) =>
      tenant.post(`/ingest/v1/${name}`, body, { authorization, ...headers });
    // Writes are applied in order: once a later one is done, so are the earlier ones.
    const applied = async () => {
      await tenant.done(await tenant.post('/v2/contacts/batch', { contacts: [{ email: 'marker@x.io' }] }));
    };
    const read = async (path: string) => (await tenant.get(path)).body.data;
    return {
      ...tenant,
      call,
      applied,
      read,
      batch: async (...messages) => {
        expect(await call('batch', { batch: messages })).toMatchObject({ status: 200, text: '{"success":true}' });
        await applied();
      },
      log: () => read('/v2/ingest-log?pageSize=200'),
      events: async (email) => {
        const { id } = await read(`/v1/contacts/by-email/${email}`);
        return read(`/v1/contacts/${id}/product-activity?pageSize=200`);
      },
    };
  }

  return { segment };
}
