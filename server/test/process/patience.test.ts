import { afterAll, describe, expect, it } from 'vitest';
import { cleanUp, makeDataDir, runService, startService } from './service.js';
import { beginSlowly } from './slow-request.js';
import { makeTenant } from './tenant.js';

afterAll(cleanUp);

// Half a minute each, so they run in parallel.
describe.concurrent('the service waits only so long', () => {
  it('for a client that never finishes its request, once it is told to stop', async () => {
    const service = await startService({ dataDir: await makeDataDir() });
    const { token } = await makeTenant(service);
    const { received, closed } = await beginSlowly(service.url, token);
    service.signal('SIGTERM');
    await closed;
    expect(received()).toBe('');
    expect(await service.exited).toEqual({ code: 0, signal: null });
  });

  it('for a database that does not answer, and ends with a sentence that names DATABASE_URL', async () => {
    // Port 1 of this machine: nothing listens there.
    const env = { DATABASE_URL: 'postgres://rapport:hush-hush@127.0.0.1:1/rapport' };
    const run = runService({ dataDir: await makeDataDir(), env });
    expect(await run.exited).toEqual({ code: 1, signal: null });
    expect(run.stderr()).toMatch(/^Rapport did not start .*Check DATABASE_URL[.,].*\n$/);
    expect(run.stderr() + run.stdout()).not.toContain('hush-hush');
  });
});
