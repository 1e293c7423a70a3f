import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { sql } from '../../db/sql.js';

/** Applies nothing. */
const idle = useApp();
const t = useApp({ work: true });

describe('GET /admin/work', () => {
  it('says per tenant what waits, since when, how often it failed and why', async () => {
    const [one, two] = [await idle.tenant(), await idle.tenant()];
    const first = await one.post('/v1/contacts', { email: 'a@x.io' });
    await one.post('/v1/contacts', { email: 'b@x.io' });
    await one.post('/v2/events', { events: [{ email: 'a@x.io', eventName: 'e' }] });
    await two.post('/v2/contacts/import', 'email\na@x.io', { 'content-type': 'text/csv' });
    await idle.db.run(sql`
      update write_transaction set attempts = 2, last_error = 'Error: oops', due_at = '2099-01-01'
      where tenant_id = ${one.tenantId} and kind = 'event.batch'`);
    const { body } = await idle.admin.get('/admin/work');
    expect(body.data).toEqual([
      {
        tenantId: one.tenantId,
        queue: 'writes',
        kind: 'contact.create',
        waiting: 2,
        since: first.body.data.createdAt,
        attempts: 0,
        lastError: null,
        dueAt: null,
      },
      {
        tenantId: one.tenantId,
        queue: 'writes',
        kind: 'event.batch',
        waiting: 1,
        since: expect.any(String),
        attempts: 2,
        lastError: 'Error: oops',
        dueAt: '2099-01-01T00:00:00.000Z',
      },
      {
        tenantId: two.tenantId,
        queue: 'writes',
        kind: 'contact.import',
        waiting: 1,
        since: expect.any(String),
        attempts: 0,
        lastError: null,
        dueAt: null,
      },
    ]);
    expect(body.pagination).toEqual({ pageNumber: 1, pageSize: 20, totalElements: 3, totalPages: 1 });
    const second = await idle.admin.get('/admin/work?pageSize=2&pageNumber=2');
    expect(second.body.data).toMatchObject([{ tenantId: two.tenantId }]);
    expect((await one.get('/admin/work')).status).toBe(401);
  });
});

describe('/metrics', () => {
  it('has depth and age of what waits, by kind, without tenants', async () => {
    const { text } = await idle.admin.get('/metrics');
    expect(text).toContain('rapport_work_depth{queue="writes",kind="contact.create"} 2');
    expect(text).toMatch(/rapport_work_oldest_seconds{queue="writes",kind="contact.import"} \d/);
    expect(text).not.toMatch(/rapport_work.*tenant/);
  });

  it('counts what was done, tried again and given up, by kind', async () => {
    const tenant = await t.tenant();
    await tenant.done(await tenant.post('/v1/contacts', { email: 'a@x.io' }));
    await t.db.run(sql`alter table contact add constraint poison check (email not like 'poison%')`);
    const refused = await tenant.done(await tenant.post('/v1/contacts', { email: 'poison@x.io' }));
    expect(refused.data.results).toMatchObject([
      { status: 'FAILED', error: 'This write cannot be applied (code 23514). Check its values and send it again.' },
    ]);
    const { text } = await t.admin.get('/metrics');
    expect(text).toContain('rapport_work_done_total{kind="contact.create"} 1');
    expect(text).toContain('rapport_work_failed_total{kind="contact.create"} 1');
  });
});
