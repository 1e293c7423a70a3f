// Imports a CSV file of a million rows, made on the fly, while the memory of the service is watched. Single writes
// continue meanwhile and must not wait for the import.
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@rapport/client';
import { importContacts } from '@rapport/contract';
import { cleanUp, makeDataDir, startService } from '../../server/test/process/service.js';
import { callJson, makeTenant } from '../../server/test/process/tenant.js';

/** @typedef {{ url: string, token: string }} Service */

export const claim =
  'importing 1 million CSV rows keeps the service within 300 MB more than idle, and single writes go on';

const rows = 1_000_000;
const badEvery = 100_000;
const mostGrowth = 300;
const env = { DEMO: 'off', LOG_LEVEL: 'warn' };

/**
 * @param {{ say: (line: string) => void }} options
 * @returns {Promise<{ summary: string, problems: string[] }>}
 */
export async function prove({ say }) {
  try {
    const service = await startService({ dataDir: await makeDataDir(), env });
    const { token } = await makeTenant(service);
    await sleep(2000);
    const idle = await memoryOf(service.pid);
    say(`idle: ${idle.toFixed(0)} MB`);
    const watch = watchMemory(service.pid);
    const result = await importRows({ url: service.url, token }, say, () => watch.peak());
    watch.stop();
    const growth = watch.peak() - idle;
    const problems = [...result.problems];
    if (growth > mostGrowth) problems.push(`the service grew by ${growth.toFixed(0)} MB`);
    await service.stop();
    const { rate, waits } = result;
    const summary =
      `${rate} rows/s from first byte to DONE; idle ${idle.toFixed(0)} MB, at most ${growth.toFixed(0)} MB more; ` +
      `${waits.length} single writes meanwhile, DONE after ${waits[waits.length >> 1]} ms (median), ${waits.at(-1)} ms (slowest)`;
    return { summary, problems };
  } finally {
    await cleanUp();
  }
}

/**
 * @param {Service} service
 * @param {(line: string) => void} say
 * @param {() => number} peak
 */
async function importRows(service, say, peak) {
  const start = performance.now();
  const seconds = () => ((performance.now() - start) / 1000).toFixed(1);
  const client = createClient({ baseUrl: service.url, token: service.token });
  const { data } = await client.call(importContacts, { body: Readable.from(csvLines()), contentType: 'text/csv' });
  say(`uploaded and acknowledged after ${seconds()} s, peak ${peak().toFixed(0)} MB`);
  const { transactionId } = data;
  const others = keepWriting(service);
  const { counts, progress, problems } = await follow(client, transactionId, (done) =>
    say(`${done.toLocaleString('en-US')} rows after ${seconds()} s, peak ${peak().toFixed(0)} MB`),
  );
  const rate = Math.round((rows / (performance.now() - start)) * 1000).toLocaleString('en-US');
  const waits = await others.stop();
  const failed = rows / badEvery;
  if (counts.CREATED !== rows - failed || counts.FAILED !== failed)
    problems.push(`counts are ${JSON.stringify(counts)}`);
  if (progress.done !== rows || progress.total !== rows) problems.push(`progress is ${JSON.stringify(progress)}`);
  const { body } = await callJson(`${service.url}/v2/contacts?pageSize=1`, service);
  const expected = counts.CREATED + waits.length;
  const { totalElements } = body.pagination;
  if (totalElements !== expected) problems.push(`there are ${totalElements} contacts instead of ${expected}`);
  const errors = await (await client.download(`/exports/transactions/${transactionId}/errors`)).text();
  if (errors.split('\r\n').length !== failed + 2) problems.push('the file of failed rows is not whole');
  return { rate, waits, problems };
}

/** Lines of 64 KiB and more: what a client would send in one write. */
function* csvLines() {
  let text = 'email,first_name,last_name,plan,seats,company\n';
  for (let row = 1; row <= rows; row++) {
    const email = row % badEvery === 0 ? 'no address' : `person.${row}@example.com`;
    text += `${email},Ada ${row},"Lovelace, ${row}",pro,${row % 500},Analytical Engines Ltd\n`;
    if (text.length < 65_536) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

/**
 * @param {import('@rapport/client').Client} client
 * @param {string} transactionId
 * @param {(done: number) => void} tell
 */
async function follow(client, transactionId, tell) {
  /** @type {string[]} */
  const problems = [];
  let before = 0;
  let told = 0;
  const { counts, progress } = await client.transactions.wait(transactionId, {
    patienceMs: 3_600_000,
    longestPauseMs: 100,
    onProgress: ({ progress = { done: 0 }, status }) => {
      if (progress.done < before) problems.push(`progress went from ${before} back to ${progress.done}`);
      before = progress.done;
      if (before - told < rows / 10 && status !== 'DONE') return;
      tell(before);
      told = before;
    },
  });
  if (!counts || !progress) throw new Error('The transaction is not that of an import');
  return { counts, progress, problems };
}

/** One small write after the other, each until it is DONE. */
function keepWriting(/** @type {Service} */ service) {
  /** @type {number[]} */
  const waits = [];
  let stopped = false;
  const writing = (async () => {
    while (!stopped) {
      const start = performance.now();
      const body = { email: `single.${waits.length}@example.com` };
      const made = await callJson(`${service.url}/v2/contacts`, { ...service, method: 'POST', body });
      const poll = `${service.url}/v2/contacts/transactions/${made.body.data.transactionId}`;
      while ((await callJson(poll, service)).body.data.status !== 'DONE') await sleep(5);
      waits.push(Math.round(performance.now() - start));
      await sleep(100);
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      await writing;
      return waits.sort((a, b) => a - b);
    },
  };
}

function watchMemory(/** @type {number} */ pid) {
  let peak = 0;
  const timer = setInterval(async () => {
    peak = Math.max(peak, await memoryOf(pid).catch(() => 0));
  }, 50);
  return { peak: () => peak, stop: () => clearInterval(timer) };
}

/** Resident memory of the service alone in MB: its database is a separate process. */
async function memoryOf(/** @type {number} */ pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => {
    throw new Error('Memory is read from /proc: this proof needs Linux.');
  });
  return (Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024) / 1e6;
}
