// Secrets at rest of the built service: its stored key, key rotation, and a backup that is restored with and without the key.
import { execFile } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { cleanUp, makeDataDir, projectDir, type Service, startService } from './service.js';
import { callJson, makeTenant, readAdminToken } from './tenant.js';

afterAll(cleanUp);

/** `npm run rapport -- …`, without npm. */
function rapport(args: string[], env: Record<string, string>): Promise<{ code: number; output: string }> {
  const { PATH, HOME } = process.env;
  return new Promise((resolve) => {
    const options = { cwd: projectDir, env: { PATH, HOME, ...env } };
    execFile(process.execPath, ['scripts/rapport.js', ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

const smtpUrl = 'smtp://ada:hush-hush@mail.example:587';
const shownUrl = 'smtp://ada:***@mail.example:587';

async function admin(service: Service, method: string, path: string, body?: unknown) {
  const token = await readAdminToken(service.dataDir);
  return callJson(`${service.url}/admin/tenants/${path}`, { token, method, body });
}

async function shownBy(service: Service, tenantId: number) {
  const transport = await admin(service, 'GET', `${tenantId}/transport`);
  const domains = await admin(service, 'GET', `${tenantId}/sending-domains`);
  const hooks = await admin(service, 'GET', `${tenantId}/mail-hooks`);
  return {
    transport: transport.body.data ?? transport.body.errors,
    domains: domains.body.data,
    hooks: hooks.body.data,
  };
}

async function fillWithSecrets(service: Service): Promise<number> {
  const { tenantId } = await makeTenant(service);
  await admin(service, 'PUT', `${tenantId}/transport`, { smtpUrl });
  await admin(service, 'POST', `${tenantId}/sending-domains`, { domain: 'example.com' });
  await admin(service, 'POST', `${tenantId}/mail-hooks`, { provider: 'mailgun', key: 'key-123' });
  return tenantId;
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(10);
}

const unknownKey = expect.stringMatching(/^The secret smtp:\d+ was encrypted under a key that is not here/);

it('a new key in the file comes into force by restart and rotation, and then the old one is not needed', async () => {
  const dataDir = await makeDataDir();
  const env = { DEMO: 'off' };
  const file = join(dataDir, 'secret-key');
  let service = await startService({ dataDir, env });
  const tenantId = await fillWithSecrets(service);
  const before = await shownBy(service, tenantId);
  expect(before.transport.smtpUrl).toBe(shownUrl);

  const made = await rapport(['secrets', 'new-key'], { DATA_DIR: dataDir });
  expect(made).toEqual({ code: 0, output: expect.stringContaining('Restart the service') });
  // The service continues with the key that it has.
  expect(await shownBy(service, tenantId)).toEqual(before);
  expect(await service.stop()).toBe(0);
  service = await startService({ dataDir, env });
  expect(await shownBy(service, tenantId)).toEqual(before);

  const rotated = await rapport(['secrets', 'rotate'], { DATA_DIR: dataDir });
  expect(rotated).toEqual({ code: 0, output: 'Under the newest key now: 3, of which 3 were not before.\n' });
  const again = await rapport(['secrets', 'rotate'], { DATA_DIR: dataDir });
  expect(again).toEqual({ code: 0, output: 'Under the newest key now: 3, of which 0 were not before.\n' });
  expect(await shownBy(service, tenantId)).toEqual(before);
  expect(await service.stop()).toBe(0);

  const [newest = '', old = ''] = (await readFile(file, 'utf8')).split('\n');
  // With the old key alone nothing can be opened, and the service says so instead of failing.
  await writeFile(file, `${old}\n`);
  service = await startService({ dataDir, env });
  expect((await shownBy(service, tenantId)).transport).toEqual([{ errorCode: 'INVALID_STATE', message: unknownKey }]);
  await until(() => service.stdout().includes('secrets were encrypted under a key that is not here'));
  const failed = await rapport(['secrets', 'rotate'], { DATA_DIR: dataDir });
  expect(failed).toEqual({ code: 1, output: expect.stringContaining('Could not be opened, and are as they were: 3.') });
  expect(failed.output).not.toContain('    at ');
  // SECRET_KEY replaces the file, whose keys still open; then only the newest key is used.
  expect(await service.stop()).toBe(0);
  await writeFile(file, `${newest}\n`);
  const keyed = { ...env, SECRET_KEY: 'correct horse battery staple' };
  service = await startService({ dataDir, env: keyed });
  expect(await shownBy(service, tenantId)).toEqual(before);
  expect((await rapport(['secrets', 'rotate'], { DATA_DIR: dataDir, ...keyed })).output).toContain('of which 3 were');
  expect((await rapport(['secrets', 'new-key'], { DATA_DIR: dataDir, ...keyed })).code).toBe(1);
  expect(await service.stop()).toBe(0);
  const later = {
    ...env,
    SECRET_KEY: 'a'.repeat(64),
    SECRET_KEY_OLD: `${'b'.repeat(64)}, correct horse battery staple`,
  };
  service = await startService({ dataDir, env: later });
  expect(await shownBy(service, tenantId)).toEqual(before);
  expect(await service.stop()).toBe(0);
});

it('a restored backup works with the key of its time, and says what is missing without', async () => {
  const env = { DEMO: 'off' };
  const service = await startService({ dataDir: await makeDataDir(), env });
  const tenantId = await fillWithSecrets(service);
  const before = await shownBy(service, tenantId);
  const file = join(service.dataDir, 'rapport.backup');
  expect((await rapport(['backup', file], { DATA_DIR: service.dataDir })).code).toBe(0);
  expect(await service.stop()).toBe(0);

  const dataDir = await makeDataDir();
  expect((await rapport(['restore', file], { DATA_DIR: dataDir })).code).toBe(0);
  const without = await startService({ dataDir, env });
  const { transport, ...rest } = await shownBy(without, tenantId);
  expect(transport).toEqual([{ errorCode: 'INVALID_STATE', message: unknownKey }]);
  expect({ transport: before.transport, ...rest }).toEqual(before);
  expect(await without.stop()).toBe(0);
  await copyFile(join(service.dataDir, 'secret-key'), join(dataDir, 'secret-key'));
  const restored = await startService({ dataDir, env });
  expect(await shownBy(restored, tenantId)).toEqual(before);
  expect(await restored.stop()).toBe(0);
});

it.each([[[]], [['rotate', 'more']], [['forget']]])('refuses secrets %j with its usage', async (args) => {
  const { code, output } = await rapport(['secrets', ...args], { DATA_DIR: '/nowhere' });
  expect(code).toBe(1);
  expect(output).toContain('Usage: npm run rapport -- secrets new-key | rotate');
});
