// Exports that are too large to hold in memory, and exports that break off.
import { get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeContact } from '../../../../test/events.js';
import { sql } from '../../../db/sql.js';
import { parseJson } from '../../../lib/parse-json.js';

const t = useApp({ work: true });
const events = 30_000;
let own: TenantClient;
let contactId: string;
let url: string;
beforeAll(async () => {
  own = await t.tenant();
  contactId = await makeContact(own, 'much@example.com');
  await t.db.background.run(sql`
    insert into event (tenant_id, contact_id, event_date, event_no, event_name, properties)
    select ${own.tenantId}, ${contactId}, '2026-01-01'::timestamptz + make_interval(mins => (n / 3)::integer), n, 'event ' || n,
      jsonb_build_object('text', repeat('x', 1000))
    from generate_series(1, ${events}::bigint) as n`);
  await t.app.http.listen({ port: 0, host: '127.0.0.1' });
  url = `http://127.0.0.1:${(t.app.http.server.address() as AddressInfo).port}/v2/contacts/${contactId}/export`;
});
const headers = () => ({ authorization: `Bearer ${own.token}` });

it('has every event once, newest first, across all pages', async () => {
  const answer = await fetch(url, { headers: headers() });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const { data } = parseJson(await answer.text()) as { data: { productEvents: { eventName: string }[] } };
  const names = data.productEvents.map(({ eventName }) => eventName);
  expect(names).toEqual(Array.from({ length: events }, (_, i) => `event ${events - i}`));
});

it('reads no further than the client consumes it', async () => {
  const reads = { pages: 0 };
  const { slow } = t.db;
  const counted: typeof slow = (tenantId) => {
    const runner = slow(tenantId);
    return {
      ...runner,
      rows: (statement) => {
        if (statement.text.includes('from event')) reads.pages++;
        return runner.rows(statement);
      },
    };
  };
  Object.assign(t.db, { slow: counted });
  try {
    await new Promise<void>((resolve, reject) => {
      // Without a data listener, the response is not read.
      const request = get(url, { headers: headers() }, async (answer) => {
        let before = -1;
        while (reads.pages !== before) {
          before = reads.pages;
          await sleep(300);
        }
        answer.destroy();
        resolve();
      });
      request.on('error', reject);
    });
    // The whole export has 150 pages; the buffers of two sockets take a few megabytes.
    expect(reads.pages).toBeGreaterThan(0);
    expect(reads.pages).toBeLessThan(140);
  } finally {
    Object.assign(t.db, { slow });
  }
});

it('that fails halfway ends the connection; one that fails at once is an error like any other', async () => {
  await t.db.run(sql`alter table contact_change rename to contact_change_away`);
  try {
    const broken = await fetch(url, { headers: headers() });
    expect(broken.status).toBe(200);
    await expect(broken.text()).rejects.toThrow('terminated');
    const id = await makeContact(own, 'little@example.com');
    const { status, body } = await own.get(`/v2/contacts/${id}/export`);
    expect(status).toBe(500);
    expect(body).toMatchObject({ data: null, meta: { status: 'FAILURE' } });
  } finally {
    await t.db.run(sql`alter table contact_change_away rename to contact_change`);
  }
});

it('of a person erased meanwhile does not look complete', async () => {
  const answer = await fetch(url, { headers: headers() });
  const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await t.db.run(sql`delete from contact where contact_id = ${contactId}`);
  const readAll = async () => {
    while (!(await reader.read()).done);
  };
  await expect(readAll()).rejects.toThrow('terminated');
});
