import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { sql } from '../../db/sql.js';
import { randomBytes } from '../../lib/random.js';
import { SecretBox } from '../../lib/secret-box.js';
import { selectTransports } from './index.js';
import { withoutPassword } from './transports.js';

const box = new SecretBox(randomBytes(32));
const t = useApp({ box });

async function transportPath(): Promise<{ tenantId: number; path: string }> {
  const { tenantId } = (await t.admin.post('/admin/tenants', { name: 'Acme' })).body.data;
  return { tenantId, path: `/admin/tenants/${tenantId}/transport` };
}

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe("a tenant's own mail server", () => {
  it('is set, shown without its password, replaced and removed', async () => {
    const { path } = await transportPath();
    expect((await t.admin.get(path)).status).toBe(404);
    const made = await t.admin.put(path, {
      smtpUrl: 'smtp://ada:hush-hush@mail.example:587',
      rate: 20,
      maxConnections: 4,
    });
    expect(made.body.data).toEqual({
      smtpUrl: 'smtp://ada:***@mail.example:587',
      ...{ host: 'mail.example', port: 587, security: 'auto', user: 'ada', hasPassword: true },
      rate: 20,
      maxConnections: 4,
      updatedAt: expect.stringMatching(isoTime),
    });
    expect((await t.admin.get(path)).body.data).toEqual(made.body.data);
    const replaced = await t.admin.put(path, { smtpUrl: 'smtps://mail2.example' });
    expect(replaced.body.data).toMatchObject({ smtpUrl: 'smtps://mail2.example', rate: null, maxConnections: null });
    expect((await t.admin.delete(path)).body.data).toEqual({ success: true });
    expect((await t.admin.delete(path)).status).toBe(404);
    expect((await t.admin.get(path)).status).toBe(404);
  });

  it('is read with its password by the sender, and encrypted in the database', async () => {
    const [one, two, none] = [await transportPath(), await transportPath(), await transportPath()];
    await t.admin.put(one.path, { smtpUrl: 'smtp://ada:hush-hush@mail.example', rate: 3 });
    await t.admin.put(two.path, { smtpUrl: 'smtp://mail2.example' });
    const found = await selectTransports(t.db, box, [one.tenantId, two.tenantId, none.tenantId]);
    expect(found.sort((a, b) => a.tenantId - b.tenantId)).toEqual([
      {
        tenantId: one.tenantId,
        smtpUrl: 'smtp://ada:hush-hush@mail.example',
        rate: 3,
        maxConnections: null,
        isGuarded: false,
        updatedAt: expect.any(String),
      },
      {
        tenantId: two.tenantId,
        smtpUrl: 'smtp://mail2.example',
        rate: null,
        maxConnections: null,
        isGuarded: false,
        updatedAt: expect.any(String),
      },
    ]);
    const stored = await t.db.rows(
      sql<{ text: string }>`select encode(sealed_url, 'escape') as text from mail_transport`,
    );
    for (const { text } of stored) expect(text).not.toMatch(/hush|smtp/);
  });

  it('belongs to one tenant: its row cannot be opened elsewhere', async () => {
    const [one, two] = [await transportPath(), await transportPath()];
    await t.admin.put(one.path, { smtpUrl: 'smtp://ada:hush-hush@mail.example' });
    await t.db.run(sql`
      insert into mail_transport (tenant_id, sealed_url)
      select ${two.tenantId}::bigint, sealed_url from mail_transport where tenant_id = ${one.tenantId}`);
    await expect(selectTransports(t.db, box, [two.tenantId])).rejects.toThrow('in the place of another');
  });

  it('sealed by an unknown key is reported in a sentence, and can be set again', async () => {
    const { tenantId, path } = await transportPath();
    await t.admin.put(path, { smtpUrl: 'smtp://ada:hush-hush@mail.example' });
    const sealed = new SecretBox(randomBytes(32)).seal('smtp://x', `smtp:${tenantId}`).toString('hex');
    await t.db.run(sql`update mail_transport set sealed_url = ${`\\x${sealed}`}::bytea where tenant_id = ${tenantId}`);
    const reply = await t.admin.get(path);
    expect(reply.status).toBe(409);
    expect(reply.body.errors).toEqual([
      {
        errorCode: 'INVALID_STATE',
        message: expect.stringMatching(/^The secret smtp:\d+ was encrypted under a key that is not here/),
      },
    ]);
    expect((await t.admin.put(path, { smtpUrl: 'smtp://mail.example' })).status).toBe(200);
  });

  it.each([
    ['smtp://mail.example'],
    ['smtps://user:p%2F%23%25w@mail.example:465'],
    ['smtp://[2001:db8::1]:25'],
    ['smtp://u:p@mail.example/?requireTLS=true&name=out.example'],
    ['SMTP://mail.example'],
  ])('may be %s', async (smtpUrl) => {
    const { path } = await transportPath();
    expect((await t.admin.put(path, { smtpUrl })).status).toBe(200);
  });

  it.each([
    [{ smtpUrl: 'http://mail.example' }, 'smtpUrl'],
    [{ smtpUrl: 'mail.example:25' }, 'smtpUrl'],
    [{ smtpUrl: 'smtp://' }, 'smtpUrl'],
    [{ smtpUrl: '' }, 'smtpUrl'],
    [{ smtpUrl: 'smtp://user:pa ss@mail.example' }, 'smtpUrl'],
    [{ smtpUrl: 'smtp://mail.exa\nmple' }, 'smtpUrl'],
    [{ smtpUrl: 'smtp://user:p/w@mail.example' }, 'smtpUrl'],
    [{ smtpUrl: 'smtp://user:100%@mail.example' }, 'smtpUrl'],
    [{ smtpUrl: 'smtp://mail.example#x' }, 'smtpUrl'],
    [{ smtpUrl: 'smtp://mail.example?proxy=http://inside' }, 'smtpUrl'],
    [{ smtpUrl: `smtp://${'a'.repeat(2000)}` }, 'smtpUrl'],
    [{ smtpUrl: 7 }, 'smtpUrl'],
    [{}, 'smtpUrl'],
    [{ smtpUrl: 'smtp://mail.example', rate: 0 }, 'rate'],
    [{ smtpUrl: 'smtp://mail.example', rate: 1.5 }, 'rate'],
    [{ smtpUrl: 'smtp://mail.example', maxConnections: 101 }, 'maxConnections'],
  ])('may not be %j', async (body, field) => {
    const { path } = await transportPath();
    const reply = await t.admin.put(path, body);
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0]).toMatchObject({ errorCode: 'VALIDATION_ERROR', detail: field });
    expect(reply.text).not.toContain('pa ss');
    expect((await t.admin.get(path)).status).toBe(404);
  });

  it('needs a tenant that exists', async () => {
    expect((await t.admin.put('/admin/tenants/999999/transport', { smtpUrl: 'smtp://mail.example' })).status).toBe(404);
  });

  it.each([
    ['smtp://user:secret@host:25', 'smtp://user:***@host:25'],
    ['smtp://token:token@host', 'smtp://***:***@host'],
    ['smtps://user@host', 'smtps://user@host'],
    ['smtp://:secret@host', 'smtp://:***@host'],
    ['smtp://host?requireTLS=true', 'smtp://host?requireTLS=true'],
  ])('%s is shown as %s', (smtpUrl, told) => {
    expect(withoutPassword(smtpUrl)).toBe(told);
  });
});
