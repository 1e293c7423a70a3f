// One small read with a personal token, with an app's (OAuth), and with one of another issuer (a JWT), in turn: the cost of each kind.
import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { Issuer } from '../server/test/issuer.js';
import { connectionOf } from '../server/test/process/postgres-processes.js';
import { makeDataDir, startService } from '../server/test/process/service.js';
import { makeTenant } from '../server/test/process/tenant.js';
import { freePort } from './free-port.js';
import { cpuSecondsOf, median } from './processes.js';

const rounds = Number(process.env.BENCH_ROUNDS ?? 7);
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const connections = 16;

/** @param {(line: string) => void} say */
export async function bench(say) {
  const issuer = new Issuer();
  await issuer.start();
  try {
    await compareKinds(issuer, say);
  } finally {
    await issuer.stop();
  }
}

/**
 * @param {Issuer} issuer
 * @param {(line: string) => void} say
 */
async function compareKinds(issuer, say) {
  const dataDir = await makeDataDir();
  const PORT = String(await freePort());
  const outside = { OAUTH_ISSUER: issuer.url, OAUTH_AUDIENCE: issuer.audience };
  const service = await startService({ dataDir, env: { PORT, DEMO: 'off', ...outside }, discardOutput: true });
  const tenant = await makeTenant(service);
  const kinds = [
    { name: 'personal token', token: tenant.token },
    { name: 'token of an app', token: await makeAppToken(dataDir, tenant) },
    {
      name: 'token of another issuer',
      token: await issuer.sign({ rapport_tenant: tenant.tenantId, exp: 4_102_444_800 }),
    },
  ].map((kind) => ({ ...kind, cpu: /** @type {number[]} */ ([]), perSecond: /** @type {number[]} */ ([]) }));

  say(
    `GET /v2/folders, ${connections} connections, ${rounds} rounds of ${seconds} s each in turn, after one to warm up; medians`,
  );
  for (let round = 0; round <= rounds; round++) {
    for (const kind of kinds) {
      const { perSecond, cpu } = await load(`${service.url}/v2/folders`, kind.token, service.pid);
      if (round === 0) continue;
      kind.perSecond.push(perSecond);
      kind.cpu.push(cpu);
    }
  }
  await service.stop();
  const own = median(kinds[0]?.cpu ?? []);
  for (const { name, perSecond, cpu } of kinds) {
    const spread = `${Math.round(Math.min(...cpu))} to ${Math.round(Math.max(...cpu))}`;
    const cost = `${median(cpu).toFixed(1)} µs of processor time each (${spread})`;
    say(
      `${name}: ${Math.round(median(perSecond))} requests/s; ${cost}; ratio ${(median(cpu) / own).toFixed(3)} (goal: at most 1.10)`,
    );
  }
}

/**
 * As the authorization server stores them.
 * @param {string} dataDir
 * @param {{ tenantId: number, accountId: number }} tenant
 */
async function makeAppToken(dataDir, { tenantId, accountId }) {
  const token = `rpt_app_${randomBytes(32).toString('base64url')}`;
  const client = new pg.Client(await connectionOf(dataDir));
  await client.connect();
  await client.query(
    `insert into access_token (token_hash, tenant_id, account_id, name, scopes, expires_at, kind, grant_hash, client_id)
     values ($1, $2, $3, 'bench', array['READ', 'WRITE'], now() + interval '1 day', 'app', $4, 'bench')`,
    [createHash('sha256').update(token).digest(), tenantId, accountId, randomBytes(32)],
  );
  await client.end();
  return token;
}

/**
 * @param {string} url
 * @param {string} token
 * @param {number} pid
 */
async function load(url, token, pid) {
  const script = fileURLToPath(new URL('load.js', import.meta.url));
  const before = await cpuSecondsOf([pid]);
  const order = JSON.stringify({ url, token, connections, seconds });
  const { stdout } = await promisify(execFile)(process.execPath, [script, order]);
  const { perSecond, answered, refused } = JSON.parse(stdout);
  if (refused > 0) throw new Error(`${refused} of ${answered} requests to ${url} were refused.`);
  return { perSecond, cpu: (((await cpuSecondsOf([pid])) - before) * 1e6) / answered };
}
