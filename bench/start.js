// Time from an empty folder to /readyz, time of the second start, and the memory of the idle service.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chooseAddress } from '../server/dist/db/embedded/address.js';
import { findBinaries } from '../server/dist/db/embedded/binaries.js';
import { findBinaryPackage } from '../server/dist/db/embedded/binary-package.js';
import { ensureCluster } from '../server/dist/db/embedded/cluster.js';
import { chooseLocation } from '../server/dist/db/embedded/location.js';
import { spawnPostmaster } from '../server/dist/db/embedded/postmaster.js';
import { postgresPids } from '../server/test/process/postgres-processes.js';
import { makeDataDir, startService } from '../server/test/process/service.js';
import { freePort } from './free-port.js';
import { median, memoryOf } from './processes.js';

const rounds = 5;
// After this long idle, the garbage of the start is collected and idle connections are closed.
const restSeconds = 35;

/** @param {(line: string) => void} say */
export async function bench(say) {
  /** @type {Record<'first' | 'second' | 'bareFirst' | 'bareSecond' | 'fastify', number[]>} */
  const took = { first: [], second: [], bareFirst: [], bareSecond: [], fastify: [] };
  for (let round = 0; round < rounds; round++) {
    const dataDir = await makeDataDir();
    took.first.push(await timeOf(() => startOnce(dataDir)));
    took.second.push(await timeOf(() => startOnce(dataDir)));
    const bareDir = await makeDataDir();
    took.bareFirst.push(await timeOf(() => startBareDatabase(bareDir)));
    took.bareSecond.push(await timeOf(() => startBareDatabase(bareDir)));
    took.fastify.push(await timeOf(startBareFastify));
  }
  const seconds = (/** @type {number[]} */ times) => `${(median(times) / 1000).toFixed(2)} s`;
  say(
    `empty folder to /readyz: ${seconds(took.first)} (goal: under 3 s); second start: ${seconds(took.second)} (goal: under 1 s)`,
  );
  const bare = `initdb and postgres ${seconds(took.bareFirst)}, postgres again ${seconds(took.bareSecond)}`;
  say(`bare limit: ${bare}, an empty Fastify ${seconds(took.fastify)}; medians of ${rounds}`);
  await sayMemory(say);
}

/**
 * Time until `start` reports ready; what it started is stopped after the clock.
 * @param {() => Promise<() => Promise<unknown>>} start
 */
async function timeOf(start) {
  const before = performance.now();
  const stop = await start();
  const took = performance.now() - before;
  await stop();
  return took;
}

/** @param {string} dataDir */
async function startOnce(dataDir) {
  const { stop } = await startService({ dataDir });
  return stop;
}

/** @param {string} dataDir */
async function startBareDatabase(dataDir) {
  const installed = await findBinaryPackage();
  const { base, runAs } = await chooseLocation(dataDir, installed);
  const binaries = await findBinaries({ installed, base, runAs, pathVariable: '' });
  const cluster = await ensureCluster(base, binaries, runAs);
  const spec = { cluster, logPath: `${base}/postgres.log`, binaries, runAs };
  const postmaster = await spawnPostmaster(spec, await chooseAddress(cluster));
  await postmaster.ready(new AbortController().signal);
  return postmaster.stop;
}

async function startBareFastify() {
  const child = fork(fileURLToPath(new URL('bare-fastify.js', import.meta.url)));
  const [{ url }] = await once(child, 'message');
  await (await fetch(`${url}/readyz`)).text();
  return async () => {
    child.disconnect();
    await once(child, 'exit');
  };
}

/** @param {(line: string) => void} say */
async function sayMemory(say) {
  const dataDir = await makeDataDir();
  const service = await startService({ dataDir, env: { PORT: String(await freePort()) }, discardOutput: true });
  const fastify = fork(fileURLToPath(new URL('bare-fastify.js', import.meta.url)));
  await once(fastify, 'message');
  await sleep(restSeconds * 1000);
  const [node, database] = [await memoryOf([service.pid]), await memoryOf(await postgresPids(dataDir))];
  const sum = Math.round(node + database);
  say(
    `idle after ${restSeconds} s: ${sum} MB (goal: under 250 MB): service ${Math.round(node)}, database ${Math.round(database)}`,
  );
  say(`bare limit: an empty Fastify ${Math.round(await memoryOf([fastify.pid ?? 0]))} MB`);
  fastify.disconnect();
  await service.stop();
}
