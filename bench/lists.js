// GET /v2/lists, 20 rows of 10,000, against a bare Fastify route with the same statement on the same database.
import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { connectionOf, postgresPids } from '../server/test/process/postgres-processes.js';
import { makeDataDir, startService } from '../server/test/process/service.js';
import { makeTenant } from '../server/test/process/tenant.js';
import { freePort } from './free-port.js';
import { listStatement } from './list-statement.js';
import { cpuSecondsOf, median } from './processes.js';
import { seedLists } from './seed-lists.js';

const rounds = 5;
const seconds = 3;
const connections = 32;

/** @param {(line: string) => void} say */
export async function bench(say) {
  const dataDir = await makeDataDir();
  const PORT = String(await freePort());
  const service = await startService({
    dataDir,
    env: { PORT, DEMO: 'off' },
    discardOutput: true,
    nodeArgs: nodeArgs(),
  });
  const tenant = await makeTenant(service);
  const connection = await connectionOf(dataDir);
  const client = new pg.Client(connection);
  await client.connect();
  await seedLists(client, tenant, 10_000, (i) => `List number ${i}`);
  await client.end();

  const bare = fork(fileURLToPath(new URL('bare-lists.js', import.meta.url)));
  bare.send({ connection, statement: await listStatement(tenant.tenantId) });
  const [{ url: bareUrl }] = await once(bare, 'message');
  const contenders = [
    { name: 'Rapport, GET /v2/lists', url: `${service.url}/v2/lists`, token: tenant.token, pid: service.pid },
    { name: 'bare Fastify, named statement', url: `${bareUrl}/named`, pid: bare.pid ?? 0 },
    { name: 'bare Fastify, unnamed statement', url: `${bareUrl}/unnamed`, pid: bare.pid ?? 0 },
    { name: 'bare Fastify, named, never planned anew', url: `${bareUrl}/generic`, pid: bare.pid ?? 0 },
  ].map((contender) => ({ ...contender, ...emptyFigures() }));

  say(`${connections} connections, ${rounds} rounds of ${seconds} s each in turn, after one to warm up; medians`);
  for (let round = 0; round <= rounds; round++) {
    for (const contender of contenders) {
      const { perSecond, cpu, database } = await load(contender, dataDir);
      if (round === 0) continue;
      contender.perSecond.push(perSecond);
      contender.cpu.push(cpu);
      contender.database.push(database);
    }
  }
  bare.disconnect();
  await service.stop();
  const [ours = 0, ...others] = contenders.map((contender) => median(contender.perSecond));
  for (const { name, perSecond, cpu, database } of contenders) {
    const spread = `${Math.round(Math.min(...perSecond))} to ${Math.round(Math.max(...perSecond))}`;
    const cost = `${Math.round(median(cpu))} µs each, database ${Math.round(median(database))} µs`;
    say(`${name}: ${Math.round(median(perSecond))} requests/s (${spread}); processor time ${cost}`);
  }
  const [named, unnamed, generic] = others.map((other) => (ours / other).toFixed(2));
  say(
    `ratio to the named statement: ${named} (goal: at least 0.90); to the unnamed: ${unnamed}; to never planned anew: ${generic}`,
  );
}

/** @returns {Record<'perSecond' | 'cpu' | 'database', number[]>} */
function emptyFigures() {
  return { perSecond: [], cpu: [], database: [] };
}

/** BENCH_PROFILE names a folder for a CPU profile of the service. */
function nodeArgs() {
  const folder = process.env.BENCH_PROFILE;
  return folder ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
}

/**
 * @param {{ url: string, token?: string, pid: number }} contender
 * @param {string} dataDir
 */
async function load({ url, token, pid }, dataDir) {
  const script = fileURLToPath(new URL('load.js', import.meta.url));
  const cpu = () => cpuSecondsOf([pid]);
  const databaseCpu = async () => cpuSecondsOf(await postgresPids(dataDir));
  const [before, databaseBefore] = [await cpu(), await databaseCpu()];
  const order = JSON.stringify({ url, token, connections, seconds });
  const { stdout } = await promisify(execFile)(process.execPath, [script, order]);
  const { perSecond, answered, refused } = JSON.parse(stdout);
  if (refused > 0) throw new Error(`${refused} of ${answered} requests to ${url} were refused.`);
  const micros = 1e6 / answered;
  return {
    perSecond,
    cpu: ((await cpu()) - before) * micros,
    database: ((await databaseCpu()) - databaseBefore) * micros,
  };
}
