// Contacts are written at full speed while the API, the workers and the database are killed with -9, at random.
// Every acknowledged write must reach DONE, in order, exactly once: each contact's own history tells.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../server/dist/db/embedded/index.js';
import { cleanUp, makeDataDir } from '../../server/test/process/service.js';
import { callJson, makeTenant } from '../../server/test/process/tenant.js';
import { startCluster } from './cluster.js';
import { Writer } from './contact-writer.js';

export const claim =
  'every acknowledged contact write is applied once and in order, whatever is killed: API, workers or database';

const writers = 8;
const longestLifeMs = 800;
const silent = { info: () => undefined, warn: () => undefined };

/**
 * @param {{ rounds: number, say: (line: string) => void }} options
 * @returns {Promise<{ summary: string, problems: string[] }>}
 */
export async function prove({ rounds, say }) {
  const dataDir = await makeDataDir();
  // In this process, so that it outlives the services; it starts itself again when it is killed.
  const database = await startEmbeddedPostgres({ dataDir, log: silent });
  try {
    const cluster = await startCluster(dataDir, database);
    const { token } = await makeTenant({ url: cluster.url, dataDir });
    const crew = Array.from({ length: writers }, (_, i) => new Writer(cluster.url, token, i, i % 2 === 0));
    const writing = Promise.all(crew.map((writer) => writer.run()));
    for (let round = 1; round <= rounds; round++) {
      await sleep(100 + Math.random() * longestLifeMs);
      const victims = await cluster.killSome();
      const acknowledged = crew.reduce((sum, writer) => sum + writer.transactions.size, 0);
      say(`round ${round}: killed ${victims}; ${acknowledged} writes acknowledged so far`);
    }
    for (const writer of crew) writer.stop();
    await writing;
    const problems = (await Promise.all(crew.map((writer) => writer.compare()))).flat();
    problems.push(...(await compareTotals(cluster.url, token, database.connection)));
    const acknowledged = crew.reduce((sum, writer) => sum + writer.transactions.size, 0);
    await cluster.stop();
    return { summary: `${acknowledged} acknowledged writes in ${rounds} rounds`, problems };
  } finally {
    await cleanUp();
    await database.stop();
  }
}

/**
 * The counter behind `totalElements` must be true after all of this.
 * @param {string} url
 * @param {string} token
 * @param {pg.ClientConfig} connection
 */
async function compareTotals(url, token, connection) {
  const { body } = await callJson(`${url}/v2/contacts`, { token });
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query('select count(*)::int as n from contact');
  await client.end();
  const { totalElements } = body.pagination;
  return totalElements === rows[0].n ? [] : [`totalElements says ${totalElements}, there are ${rows[0].n} contacts`];
}
