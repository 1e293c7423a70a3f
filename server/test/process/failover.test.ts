// Two databases, one of which follows the other: slow reads go to the follower, and when the first one dies, writes go there too.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rapport } from './backup-data.js';
import { startReplicated } from './replicated.js';
import { cleanUp, makeDataDir, startService } from './service.js';
import { callJson, makeTenant, readAdminToken } from './tenant.js';

let databases: Awaited<ReturnType<typeof startReplicated>>;
let service: Awaited<ReturnType<typeof startService>>;
let token: string;

beforeAll(async () => {
  databases = await startReplicated();
  const { primary, standby } = databases;
  const env = {
    // The host that accepts no writes comes first: it must be skipped.
    DATABASE_URL: `postgres://rapport@${standby.host},${primary.host}/rapport`,
    DATABASE_REPLICA_URL: standby.url,
    DATABASE_REPLICA_LAG_MS: '300',
  };
  service = await startService({ dataDir: await makeDataDir(), env });
  ({ token } = await makeTenant(service));
});
afterAll(async () => {
  await cleanUp();
  await Promise.all([databases?.primary.stop('SIGQUIT'), databases?.standby.stop('SIGQUIT')]);
});

const api = (path: string, body?: object) =>
  callJson(service.url + path, { token, ...(body ? { method: 'POST', body } : {}) });

async function slowReads(): Promise<{ primary: number; replica: number }> {
  const headers = { authorization: `Bearer ${await readAdminToken(service.dataDir)}` };
  const text = await (await fetch(`${service.url}/metrics`, { headers })).text();
  const count = (name: string) =>
    Number(new RegExp(`rapport_slow_reads_total\\{database="${name}"\\} (\\d+)`).exec(text)?.[1]);
  return { primary: count('primary'), replica: count('replica') };
}

const namesFound = async (search: string) =>
  (await api(`/v2/lists?search=${search}`)).body.data.map(({ name }: { name: string }) => name);

describe('a replica', () => {
  it('answers slow reads, and has what was just written', async () => {
    const before = await slowReads();
    for (let i = 0; i < 10; i++) {
      await api('/v2/lists', { name: `seen ${i}` });
      expect(await namesFound(`seen%20${i}`)).toEqual([`seen ${i}`]);
    }
    const after = await slowReads();
    expect(after.replica).toBeGreaterThanOrEqual(before.replica + 10);
    expect(after.primary).toBe(before.primary);
  });

  it('is passed over while it lags: the primary shows what was just written', async () => {
    await databases.standby.query('select pg_wal_replay_pause()');
    const before = await slowReads();
    await api('/v2/lists', { name: 'held back' });
    expect(await namesFound('held%20back')).toEqual(['held back']);
    expect((await slowReads()).primary).toBeGreaterThan(before.primary);
    await databases.standby.query('select pg_wal_replay_resume()');
    await expect
      .poll(
        async () => {
          await namesFound('held%20back');
          return (await slowReads()).replica;
        },
        { timeout: 20_000, interval: 200 },
      )
      .toBeGreaterThan(before.replica);
  });
});

describe('a backup from a replica', () => {
  it('has what the replica has, without asking the primary', async () => {
    const { primary, standby } = databases;
    await api('/v2/lists', { name: 'in the backup' });
    const [{ lsn } = {}] = await primary.query('select pg_current_wal_lsn()::text as lsn');
    const replayed = `select pg_last_wal_replay_lsn() >= '${lsn}' as is`;
    await expect.poll(async () => (await standby.query(replayed))[0]?.is).toBe(true);
    const file = join(service.dataDir, 'replica.backup');
    // Where there is no primary.
    const env = { DATABASE_URL: 'postgres://rapport@127.0.0.1:1/rapport', DATABASE_REPLICA_URL: standby.url };
    const made = await rapport(['backup', file, '--from-replica'], env);
    expect(made).toEqual({
      code: 0,
      output: expect.stringMatching(/rows of \d+ tables are in .*SHA-256 [0-9a-f]{64}/),
    });
    expect(gunzipSync(await readFile(file)).toString()).toContain('"name":"in the backup"');
  });

  it('says what is missing where no replica is named', async () => {
    const made = await rapport(['backup', join(service.dataDir, 'none.backup'), '--from-replica'], {
      DATABASE_URL: databases.primary.url,
    });
    expect(made).toEqual({ code: 1, output: expect.stringContaining('--from-replica needs DATABASE_REPLICA_URL') });
  });
});

describe('a primary that dies', () => {
  it('is followed by the standby: nothing acknowledged is lost, callers get 503 meanwhile, and writes go on', async () => {
    const { primary, standby } = databases;
    const acknowledged: string[] = [];
    const statuses = new Set<number>();
    let isOver = false;
    const write = async () => {
      for (let i = 0; !isOver; i++) {
        const email = `p${i}@example.com`;
        const { status } = await api('/v2/contacts', { email, properties: {} });
        statuses.add(status);
        if (status === 200) acknowledged.push(email);
        else await sleep(20);
      }
    };
    const writing = write();
    await expect.poll(() => acknowledged.length).toBeGreaterThan(20);
    await primary.stop('SIGQUIT');
    const before = acknowledged.length;
    await expect.poll(() => statuses.has(503)).toBe(true);
    await standby.query('select pg_promote()');
    await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(before + 20);
    isOver = true;
    await writing;
    expect([...statuses].sort()).toEqual([200, 503]);
    const missing = async () => {
      const stored = new Set((await standby.query('select email from contact')).map(({ email }) => email));
      return acknowledged.filter((email) => !stored.has(email));
    };
    await expect.poll(missing, { timeout: 20_000 }).toEqual([]);
    expect(await api('/v2/lists?search=held%20back')).toMatchObject({ status: 200 });
  });
});
