// Which proxies are trusted to say where a request came from.
import { describe, expect, it } from 'vitest';
import { type TestApp, useApp } from '../../test/app.js';
import { sql } from '../db/sql.js';

const alone = useApp();
// Requests of tests come from 127.0.0.1.
const behindProxies = useApp(() => ({ trustedProxies: ['127.0.0.1', '10.0.0.0/8'] }));
const behindAnother = useApp(() => ({ trustedProxies: ['192.0.2.1'] }));

/** The status of a request with a token that works only from 203.0.113.0/24. */
async function statusFrom(t: TestApp, forwardedFor: string): Promise<number> {
  const tenant = await t.tenant();
  await t.db.run(sql`
    update access_token set allowed_addresses = array['203.0.113.0/24', '2001:db8::/32'] where tenant_id = ${tenant.tenantId}`);
  return (await tenant.get('/v2/folders', { 'x-forwarded-for': forwardedFor })).status;
}

describe('X-Forwarded-For', () => {
  it('is not trusted unless proxies are configured', async () => {
    expect(await statusFrom(alone, '203.0.113.7')).toBe(403);
  });

  it('is not trusted from other addresses than the configured proxies', async () => {
    expect(await statusFrom(behindAnother, '203.0.113.7')).toBe(403);
  });

  it('is trusted from those', async () => {
    expect(await statusFrom(behindProxies, '203.0.113.7')).toBe(200);
    expect(await statusFrom(behindProxies, '2001:db8::7')).toBe(200);
    expect(await statusFrom(behindProxies, '198.51.100.7')).toBe(403);
  });

  it('is read from the end: what the client wrote itself comes before what a proxy saw', async () => {
    expect(await statusFrom(behindProxies, '203.0.113.7, 198.51.100.7')).toBe(403);
    expect(await statusFrom(behindProxies, '198.51.100.7, 203.0.113.7')).toBe(200);
    expect(await statusFrom(behindProxies, '203.0.113.7, 10.1.2.3')).toBe(200);
  });

  it.each(['', 'x', '203.0.113.7:80', ',,,', '203.0.113', '[2001:db8::7]'])('%j lets no one in', async (value) => {
    expect(await statusFrom(behindProxies, value)).toBe(403);
  });
});
