// A separate thread, because a sender of 10 MB is itself delayed: here the second tenant reads and writes without a pause, and the
// service is asked how late its event loop was and how large it is.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { callJson } from '../../../server/test/process/tenant.js';

/** @type {{ url: string, token: string, adminToken: string, tag: string }} */
const { url, token, adminToken, tag } = workerData;
// Milliseconds between two requests of each caller, and between two polls.
const pause = 8;
const lookEvery = 500;

// How the machine delays a thread that only waits: whenever that is late, the service is late for the same reason.
const own = monitorEventLoopDelay({ resolution: 10 });
own.enable();

let best = Number.POSITIVE_INFINITY;
/** How many times longer than at best a piece of work takes now: others may be using the CPUs. */
function priceNow() {
  const at = performance.now();
  let sum = 0;
  for (let i = 0; i < 4e6; i++) sum += i ^ (sum & 7);
  const took = performance.now() - at + sum * 0;
  best = Math.min(best, took);
  return took / best;
}
for (let i = 0; i < 50; i++) priceNow();

/** @type {import('./watch.js').Figures} */
let figures;
function reset() {
  figures = { latencies: [], faults: [], stall: 0, prices: [], rss: 0 };
}
reset();

/** @param {() => Promise<{ status: number }>} request */
async function time(request) {
  const { latencies, faults } = figures;
  const at = performance.now();
  try {
    const { status } = await request();
    latencies.push(performance.now() - at);
    if (status !== 200) faults.push(`status ${status}`);
  } catch (error) {
    faults.push(String(error));
  }
}

const reads = ['/v2/lists', '/v2/contacts', '/v2/folders', '/v2/emails'];

async function readOn() {
  for (let i = 0; ; i++) {
    await time(() => callJson(`${url}${reads[i % reads.length]}`, { token }));
    await sleep(pause);
  }
}

async function writeOn() {
  for (let i = 0; ; i++) {
    const body = { email: `neighbour${tag}${i}@example.com`, properties: { i } };
    await time(() => callJson(`${url}/v2/contacts`, { token, method: 'POST', body }));
    await sleep(pause);
  }
}

async function look() {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${adminToken}` } });
  const text = await response.text();
  /** @param {string} name */
  const metric = (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
  const lateHere = own.max / 1e6;
  own.reset();
  // A delay that both had is the machine's.
  const late = metric('nodejs_eventloop_lag_max_seconds') * 1000;
  if (Number.isFinite(late)) figures.stall = Math.max(figures.stall, lateHere > 100 ? late - lateHere : late);
  figures.rss = Math.max(figures.rss, metric('process_resident_memory_bytes') || 0);
  figures.prices.push(priceNow());
}

async function lookOn() {
  for (;;) {
    await look().catch((error) => figures.faults.push(`/metrics: ${error}`));
    await sleep(lookEvery);
  }
}

parentPort?.on('message', async (what) => {
  // The last stall shows in the next poll.
  await look().catch(() => undefined);
  parentPort?.postMessage(figures);
  if (what === 'take') reset();
});
void readOn();
void writeOn();
void lookOn();
