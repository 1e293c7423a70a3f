// What happens to an accepted file: rows in order, failures by row number, progress, fair turns.
import { describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../../test/app.js';
import { csv, errorsOf, importsTo, numbered, url } from '../../../../test/imports.js';
import { sql } from '../../../db/sql.js';

const test = useApp({ work: true });

async function poll(tenant: TenantClient, acknowledged: Reply) {
  return (await tenant.get(`/v2/contacts/transactions/${acknowledged.body.data.transactionId}`)).body.data;
}

const { whileLocked } = importsTo(test);

describe('an import', () => {
  it('reports its progress, which only grows', async () => {
    const tenant = await test.tenant();
    const acknowledged = await whileLocked(tenant.tenantId, async () => {
      const waiting = await tenant.post(url, numbered(9000), csv);
      expect(await poll(tenant, waiting)).toEqual({
        ...waiting.body.data,
        counts: { CREATED: 0, UPDATED: 0, NO_CHANGE: 0, FAILED: 0 },
        progress: { done: 0, total: 9000 },
      });
      return waiting;
    });
    const seen: { done: number; status: string }[] = [];
    do {
      const { status, progress, counts } = await poll(tenant, acknowledged);
      expect(counts.CREATED).toBe(progress.done);
      seen.push({ done: progress.done, status });
    } while (seen.at(-1)?.status !== 'DONE');
    expect(seen.map(({ done }) => done)).toEqual(seen.map(({ done }) => done).sort((a, b) => a - b));
    expect(seen.some(({ done }) => done > 0 && done < 9000)).toBe(true);
  });

  it('lets later writes of its tenant and of others overtake it, and overtakes no earlier one', async () => {
    const [tenant, other] = [await test.tenant(), await test.tenant()];
    await tenant.done(await tenant.post('/v2/contacts', { email: 'c15999@x.de' }));
    const { body } = await tenant.get('/v2/contacts/by-email/c15999@x.de');
    const [before, acknowledged] = await whileLocked(tenant.tenantId, async () => [
      await tenant.patch(`/v2/contacts/${body.data.id}`, { properties: { n: 'before' } }),
      await tenant.post(url, numbered(16_000), csv),
    ]);
    await Promise.all([
      tenant.done(await tenant.post('/v2/contacts', { email: 'late@x.de' })),
      other.done(await other.post('/v2/contacts', { email: 'late@x.de' })),
    ]);
    expect(await poll(tenant, acknowledged)).toMatchObject({ status: 'PENDING' });
    expect((await poll(tenant, before)).status).toBe('DONE');
    expect((await tenant.done(acknowledged)).counts).toMatchObject({ CREATED: 15_999, UPDATED: 1 });
    const { data } = (await tenant.get('/v2/contacts/by-email/c15999@x.de')).body;
    expect(data.properties.n).toBe('15999');
  });

  it('comes before the later writes when it is small', async () => {
    const tenant = await test.tenant();
    const write = { contacts: [{ email: 'same@x.de', properties: { n: 'later' } }] };
    const [imported, later] = await whileLocked(tenant.tenantId, async () => [
      await tenant.post(url, `${numbered(2500)}\nsame@x.de,first`, csv),
      await tenant.post('/v2/contacts/batch', write),
    ]);
    expect((await tenant.done(later)).data.results[0].status).toBe('UPDATED');
    expect((await poll(tenant, imported)).status).toBe('DONE');
    expect((await tenant.get('/v2/contacts/by-email/same@x.de')).body.data.properties.n).toBe('later');
  });

  it('comes after the imports that were acknowledged before it', async () => {
    const tenant = await test.tenant();
    const [first, second] = await whileLocked(tenant.tenantId, async () => [
      await tenant.post(url, `${numbered(2500)}\nsame@x.de,first`, csv),
      await tenant.post(url, 'email,n\nsame@x.de,second', csv),
    ]);
    await tenant.done(second);
    expect((await poll(tenant, first)).status).toBe('DONE');
    expect((await tenant.get('/v2/contacts/by-email/same@x.de')).body.data.properties.n).toBe('second');
  });

  it('that an older build beside this one acknowledged is applied in its place', async () => {
    const tenant = await test.tenant();
    const [imported, later] = await whileLocked(tenant.tenantId, async () => {
      const acknowledged = await tenant.post(url, `${numbered(2500)}\nsame@x.de,first`, csv);
      // Rows that the older build inserts do not have this column.
      await test.db.run(sql`update write_transaction set is_long = default where tenant_id = ${tenant.tenantId}`);
      const write = { contacts: [{ email: 'same@x.de', properties: { n: 'later' } }] };
      return [acknowledged, await tenant.post('/v2/contacts/batch', write)];
    });
    expect((await tenant.done(imported)).counts.CREATED).toBe(2501);
    expect((await tenant.done(later)).data.results[0].status).toBe('UPDATED');
  });

  it('whose rows are lost ends instead of blocking those behind it', async () => {
    const tenant = await test.tenant();
    const acknowledged = await whileLocked(tenant.tenantId, async () => {
      const waiting = await tenant.post(url, 'email\na@x.de', csv);
      await test.db.run(sql`delete from import_chunk where tenant_id = ${tenant.tenantId}`);
      return waiting;
    });
    expect((await tenant.done(acknowledged)).progress).toEqual({ done: 0, total: 1 });
  });

  it('that an older build acknowledged beside this one is applied too, and so is what comes after it', async () => {
    const tenant = await test.tenant();
    const [imported, later] = await whileLocked(tenant.tenantId, async () => {
      const replies = [
        await tenant.post(url, numbered(3), csv),
        await tenant.post('/v1/contacts', { email: 'z@x.de' }),
      ];
      await test.db.run(sql`update write_transaction set is_long = false where tenant_id = ${tenant.tenantId}`);
      return replies as [Reply, Reply];
    });
    expect((await tenant.done(imported)).counts.CREATED).toBe(3);
    expect((await tenant.done(later)).data.results[0].status).toBe('CREATED');
  });

  it('belongs to its tenant', async () => {
    const [tenant, other] = [await test.tenant(), await test.tenant()];
    const acknowledged = await tenant.post(url, 'email\nbad', csv);
    await tenant.done(acknowledged);
    expect((await poll(other, acknowledged)).status).toBe('NOT_EXIST');
    expect((await errorsOf(other, acknowledged)).status).toBe(404);
    expect((await other.get('/v2/contacts')).body.pagination.totalElements).toBe(0);
    expect((await other.get(`/exports/transactions/${acknowledged.body.data.transactionId}/errors`)).status).toBe(404);
  });

  it('forgets the failed rows of an erased person', async () => {
    const tenant = await test.tenant();
    const long = 'x'.repeat(33_000);
    const acknowledged = await tenant.post(url, `email,long\na@x.de,\na@x.de,${long}`, csv);
    await tenant.done(acknowledged);
    expect((await errorsOf(tenant, acknowledged)).text).toContain('a@x.de');
    const { id } = (await tenant.get('/v2/contacts/by-email/a@x.de')).body.data;
    await tenant.done(await tenant.delete(`/v2/contacts/${id}`));
    expect((await errorsOf(tenant, acknowledged)).text).not.toContain('a@x.de');
  });
});

describe('erasure', () => {
  it('removes waiting rows of imports that were acknowledged before it, but not of later ones', async () => {
    const tenant = await test.tenant();
    const made = await tenant.done(await tenant.post('/v1/contacts', { email: 'gone@x.de' }));
    const { contactId } = made.data.results[0];
    const [earlier, erased, later] = await whileLocked(tenant.tenantId, async () => [
      await tenant.post(url, `${numbered(4000)}\n GONE@x.de,2\n`, csv),
      await tenant.delete(`/v2/contacts/${contactId}`),
      await tenant.post(url, 'email,n\nback@x.de,1\n', csv),
    ]);
    // The erasure overtakes the import, as every later write overtakes a long one.
    expect((await tenant.done(erased)).data.results[0].status).toBe('UPDATED');
    expect((await tenant.done(earlier)).counts).toEqual({ CREATED: 4000, UPDATED: 0, NO_CHANGE: 0, FAILED: 1 });
    expect((await tenant.done(later)).counts.CREATED).toBe(1);
    expect((await tenant.get('/v2/contacts/by-email/gone@x.de')).status).toBe(400);
    expect((await errorsOf(tenant, earlier)).text.toLowerCase()).not.toContain('gone@x.de');
  });
});
