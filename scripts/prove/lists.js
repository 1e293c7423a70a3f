// Lists are created at full speed while the service, or the service and its database, are killed with -9.
// After the next start every acknowledged list must exist once, and the totals must be right.
import { setTimeout as sleep } from 'node:timers/promises';
import { killProcessesOf } from '../../server/test/process/postgres-processes.js';
import { cleanUp, makeDataDir, startService } from '../../server/test/process/service.js';
import { callJson, makeTenant } from '../../server/test/process/tenant.js';

export const claim = 'no acknowledged list is missing after kill -9 of the service, or of service and database';

const writers = 8;
// The kill comes at a random time in this range after the round's first acknowledgement.
const longestLifeMs = 1500;
const env = { DEMO: 'off', LOG_LEVEL: 'warn' };

/** @typedef {import('../../server/test/process/service.js').Service} Service */
/** @typedef {{ sent: Set<string>, acknowledged: Set<string> }} Ledger What was sent without a response may exist or not. */

/**
 * @param {{ rounds: number, say: (line: string) => void }} options
 * @returns {Promise<{ summary: string, problems: string[] }>}
 */
export async function prove({ rounds, say }) {
  /** @type {Ledger} */
  const ledger = { sent: new Set(), acknowledged: new Set() };
  /** @type {string[]} */
  const problems = [];
  try {
    const dataDir = await makeDataDir();
    let service = await startService({ dataDir, env });
    const { token } = await makeTenant(service);
    for (let round = 1; round <= rounds; round++) {
      const before = ledger.acknowledged.size;
      const withDatabase = round % 2 === 0;
      await writeUntilKilled(service, token, `${round}`, withDatabase, ledger);
      service = await startService({ dataDir, env });
      const { rows, wrong } = await compare(service.url, token, ledger);
      problems.push(...wrong.map((problem) => `round ${round}: ${problem}`));
      const victims = withDatabase ? 'service and database' : 'service';
      const fresh = ledger.acknowledged.size - before;
      say(
        `round ${round}: ${fresh} acknowledged, ${victims} killed, ${rows} lists: ${wrong.join('; ') || 'all there, once'}`,
      );
    }
    await service.stop();
  } finally {
    await cleanUp();
  }
  return { summary: `${ledger.acknowledged.size} acknowledged lists in ${rounds} rounds`, problems };
}

/**
 * @param {Service} service
 * @param {string} token
 * @param {string} prefix Makes the names of this round unique.
 * @param {boolean} withDatabase
 * @param {Ledger} ledger
 */
async function writeUntilKilled(service, token, prefix, withDatabase, ledger) {
  const before = ledger.acknowledged.size;
  let alive = true;
  /** @param {number} writer */
  const write = async (writer) => {
    for (let i = 1; alive; i++) await createList(service.url, token, `list ${prefix}-${writer}-${i}`, ledger);
  };
  const writing = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)));
  const killing = async () => {
    while (ledger.acknowledged.size === before) await sleep(1);
    await sleep(Math.random() * longestLifeMs);
    alive = false;
    service.signal('SIGKILL');
    if (withDatabase) await killProcessesOf(service.dataDir);
    await service.exited;
  };
  // Both, so that an unexpected response to a writer is reported at once.
  await Promise.all([writing, killing()]);
}

/**
 * @param {string} url
 * @param {string} token
 * @param {string} name
 * @param {Ledger} ledger
 */
async function createList(url, token, name, { sent, acknowledged }) {
  sent.add(name);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  let response;
  try {
    response = await fetch(`${url}/v2/lists`, { method: 'POST', headers, body: JSON.stringify({ name }) });
    // The status line alone is the acknowledgement, even if the body is cut off.
    if (response.status === 200) acknowledged.add(name);
    await response.arrayBuffer();
  } catch {
    return; // killed before the answer
  }
  // 503 while the database is unavailable; anything else is a failure.
  if (response.status !== 200 && response.status !== 503)
    throw new Error(`Creating a list answered ${response.status}.`);
}

/**
 * @param {string} url
 * @param {string} token
 * @param {Ledger} ledger
 */
async function compare(url, token, { sent, acknowledged }) {
  /** @type {Map<string, number>} */
  const times = new Map();
  /** @type {string[]} */
  const wrong = [];
  let rows = 0;
  for (let page = 1, pages = 1; page <= pages; page++) {
    const { body } = await callJson(`${url}/v2/lists?pageSize=200&pageNumber=${page}`, { token });
    const { totalElements, totalPages } = body.pagination;
    for (const { name } of body.data) times.set(name, (times.get(name) ?? 0) + 1);
    rows += body.data.length;
    pages = totalPages;
    if (page >= pages && rows !== totalElements) wrong.push(`totalElements says ${totalElements}, there are ${rows}`);
  }
  const missing = [...acknowledged].filter((name) => !times.has(name));
  const twice = [...times].filter(([, count]) => count > 1);
  const strange = [...times.keys()].filter((name) => !sent.has(name));
  if (missing.length) wrong.push(`${missing.length} acknowledged lists are missing, such as ${missing[0]}`);
  if (twice.length) wrong.push(`${twice.length} lists are there twice, such as ${twice[0]?.[0]}`);
  if (strange.length) wrong.push(`${strange.length} lists that were never sent, such as ${strange[0]}`);
  return { rows, wrong };
}
