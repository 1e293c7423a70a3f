// Helpers shared by the benches: loads in separate processes, waiting for the queue, and the comparison line.
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { median } from './processes.js';

const run = promisify(execFile);
/** How long a load lasts. */
export const seconds = 4;

/**
 * @param {string} url
 * @param {string | undefined} token
 */
export async function read(url, token) {
  return (await readLoad(url, token, 32)).perSecond;
}

/**
 * @param {string} url
 * @param {string | undefined} token
 * @param {number} connections
 * @param {string[]} [paths] Instead of the one of the address, in turn.
 * @returns {Promise<{ perSecond: number, p99: number }>}
 */
export async function readLoad(url, token, connections, paths) {
  const script = fileURLToPath(new URL('load.js', import.meta.url));
  const { stdout } = await run(process.execPath, [script, JSON.stringify({ url, token, connections, seconds, paths })]);
  const { perSecond, refused, p99 } = JSON.parse(stdout);
  if (refused > 0) throw new Error(`${refused} requests to ${url} were refused.`);
  return { perSecond, p99 };
}

let loads = 0;
/**
 * @param {string} url
 * @param {string} path
 * @param {string | undefined} token
 * @param {{ body: string, connections: number, perSecond?: number } & Record<string, unknown>} how
 */
export async function load(url, path, token, how) {
  const script = fileURLToPath(new URL('write-load.js', import.meta.url));
  const order = { url: url + path, token, seconds, prefix: `r${loads++}-`, ...how };
  const { stdout } = await run(process.execPath, [script, JSON.stringify(order)]);
  const report = JSON.parse(stdout);
  if (report.refused > 0) throw new Error(`${report.refused} of ${report.answered} requests to ${path} were refused.`);
  return report;
}

/**
 * @param {import('pg').Client} client
 * @param {number} tenantId
 */
export async function untilDone(client, tenantId) {
  for (;;) {
    const { rows } = await client.query(
      `select 1 from write_transaction where tenant_id = $1 and status = 'PENDING' limit 1`,
      [tenantId],
    );
    if (rows.length === 0) return;
    await sleep(5);
  }
}

/**
 * @param {(line: string) => void} say
 * @param {string} what
 * @param {number[]} ours
 * @param {number[]} limit
 * @param {string} against
 * @param {number} goal
 */
export function compare(say, what, ours, limit, against, goal) {
  const [a, b] = [median(ours), median(limit)];
  say(
    `${what}: ${Math.round(a)}; ${against}: ${Math.round(b)}; ratio ${(a / b).toFixed(2)} (goal: at least ${goal.toFixed(2)})`,
  );
}
