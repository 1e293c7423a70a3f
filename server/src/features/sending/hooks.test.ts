import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { sql } from '../../db/sql.js';
import { randomBytes } from '../../lib/random.js';
import { SecretBox } from '../../lib/secret-box.js';
import { findHook } from './index.js';

const box = new SecretBox(randomBytes(32));
const t = useApp({ box });
const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const sendgridKey = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
const signingSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const topic = 'arn:aws:sns:eu-west-1:123456789012:bounces';

async function hooksPath(): Promise<{ tenantId: number; path: string }> {
  const { tenantId } = (await t.admin.post('/admin/tenants', { name: 'Acme' })).body.data;
  return { tenantId, path: `/admin/tenants/${tenantId}/mail-hooks` };
}

const tokenOf = (url: string) => url.slice(url.lastIndexOf('.') + 1);

describe('a mail hook', () => {
  it('is made with an address that is shown once, listed without it, and removed', async () => {
    const { tenantId, path } = await hooksPath();
    const first = (await t.admin.post(path, { provider: 'postmark' })).body.data;
    expect(first).toEqual({
      hookId: expect.stringMatching(/^[0-9a-f]{24}$/),
      provider: 'postmark',
      url: expect.stringMatching(new RegExp(`^http://rapport\\.test/hooks/mail/${tenantId}\\.[A-Za-z0-9_-]{43}$`)),
      createdAt: expect.any(String),
    });
    const second = (await t.admin.post(path, { provider: 'generic' })).body.data;
    const { data, pagination } = (await t.admin.get(path)).body;
    const listed = [second, first].map(({ url: _, ...rest }) => rest);
    expect(data).toEqual(listed);
    expect(pagination.totalElements).toBe(2);
    expect((await t.admin.delete(`${path}/${first.hookId}`)).body.data).toEqual({
      hookId: first.hookId,
      success: true,
    });
    expect((await t.admin.delete(`${path}/${first.hookId}`)).status).toBe(404);
    expect((await t.admin.get(path)).body.data).toEqual(listed.slice(0, 1));
    expect(await findHook(t.db, box, tenantId, tokenOf(first.url))).toBeUndefined();
  });

  it('is found by its tenant and token, and by nothing else', async () => {
    const [one, two] = [await hooksPath(), await hooksPath()];
    const { url } = (await t.admin.post(one.path, { provider: 'mailgun', key: 'key-123' })).body.data;
    const token = tokenOf(url);
    expect(await findHook(t.db, box, one.tenantId, token)).toEqual({
      tenantId: one.tenantId,
      provider: 'mailgun',
      key: 'key-123',
    });
    for (const [tenantId, guess] of [
      [two.tenantId, token],
      [one.tenantId, `${token}x`],
      [one.tenantId, ''],
      [0, token],
      [-1, token],
      [1.5, token],
      [1e300, token],
      [Number.NaN, token],
    ] as const)
      expect(await findHook(t.db, box, tenantId, guess)).toBeUndefined();
    const stored = await t.db.rows(sql<{ text: string }>`select m::text as text from mail_hook m`);
    for (const { text } of stored) expect(text).not.toMatch(new RegExp(`${token}|key-123`));
  });

  it.each([
    [{ provider: 'generic' }, null],
    [{ provider: 'postmark' }, null],
    [{ provider: 'ses' }, null],
    [{ provider: 'ses', key: topic }, topic],
    [{ provider: 'ses', key: 'raw' }, 'raw'],
    [{ provider: 'sendgrid', key: sendgridKey }, sendgridKey],
    [
      { provider: 'sendgrid', key: `-----BEGIN PUBLIC KEY-----\n${sendgridKey}\n-----END PUBLIC KEY-----` },
      sendgridKey,
    ],
    [{ provider: 'mailgun', key: 'a1b2c3' }, 'a1b2c3'],
    [{ provider: 'resend', key: signingSecret }, signingSecret],
  ])('may be %j', async (body, key) => {
    const { tenantId, path } = await hooksPath();
    const { url } = (await t.admin.post(path, body)).body.data;
    expect(await findHook(t.db, box, tenantId, tokenOf(url))).toEqual({ tenantId, provider: body.provider, key });
  });

  it.each([
    [{}, 'provider'],
    [{ provider: 'pigeon' }, 'provider'],
    [{ provider: 'generic', key: 'x' }, 'key'],
    [{ provider: 'postmark', key: 'x' }, 'key'],
    [{ provider: 'ses', key: 'arn:aws:s3:::bucket' }, 'key'],
    [{ provider: 'ses', key: 'RAW' }, 'key'],
    [{ provider: 'sendgrid' }, 'key'],
    [{ provider: 'sendgrid', key: 'not a key' }, 'key'],
    [{ provider: 'mailgun' }, 'key'],
    [{ provider: 'mailgun', key: 'two words' }, 'key'],
    [{ provider: 'resend' }, 'key'],
    [{ provider: 'resend', key: 're_123456789' }, 'key'],
  ])('may not be %j', async (body, field) => {
    const { path } = await hooksPath();
    const reply = await t.admin.post(path, body);
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0]).toMatchObject({ errorCode: 'VALIDATION_ERROR', detail: field });
    expect((await t.admin.get(path)).body.data).toEqual([]);
  });

  it.each(['x', '%00', 'f'.repeat(24)])('is not there by the id %s', async (id) => {
    const { path } = await hooksPath();
    expect((await t.admin.delete(`${path}/${id}`)).status).toBe(404);
  });
});
