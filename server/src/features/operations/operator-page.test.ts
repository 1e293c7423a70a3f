import { describe, expect, it } from 'vitest';
import { adminToken, useApp } from '../../../test/app.js';

/** Applies nothing. */
const idle = useApp();

describe('/operator', () => {
  const path = '/operator';
  const show = (token: string) =>
    idle.app.http.inject({
      ...{ method: 'POST', url: path, payload: new URLSearchParams({ token }).toString() },
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });

  it('asks for the admin token, and shows what waits to those who have it', async () => {
    const tenant = await idle.tenant();
    await tenant.post('/v1/contacts', { email: 'page@x.io' });
    const asked = await idle.app.http.inject({ method: 'GET', url: path });
    expect(asked.statusCode).toBe(200);
    expect(asked.headers['content-security-policy']).toContain("default-src 'none'");
    expect(asked.body).toContain('Admin token');
    const shown = await show(adminToken);
    expect(shown.statusCode).toBe(200);
    expect(shown.headers['cache-control']).toBe('no-store');
    expect(shown.body).toContain(`(${tenant.tenantId}), for `);
    expect(shown.body).toContain('1 × contact.create');
    expect(shown.body).toContain('Refresh');
  });

  it('shows nothing without it, and takes few guesses', async () => {
    const refused = await show('wrong <b>');
    expect(refused.statusCode).toBe(401);
    expect(refused.body).toContain('This is not the admin token.');
    expect(refused.body).not.toContain('contact.create');
    expect(refused.body).not.toContain('wrong <b>');
    const statuses = await Promise.all(Array.from({ length: 50 }, async () => (await show('no')).statusCode));
    expect(statuses).toContain(429);
  });
});
