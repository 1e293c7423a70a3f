// Contacts are written at full speed while the API, the workers and the database are killed with -9, at random.
// Every acknowledged write must reach DONE, in order, exactly once: each contact's own history shows it.
import pg from 'pg';
import { callJson } from '../../server/test/process/tenant.js';
import { proveUnderFire } from './cluster.js';
import { Writer } from './contact-writer.js';

export const claim =
  'every acknowledged contact write is applied once and in order, whatever is killed: API, workers or database';

const writers = 8;

/** @param {{ rounds: number, say: (line: string) => void, older?: string[] }} options */
export function prove(options) {
  return proveUnderFire(options, {
    what: 'writes',
    hire: async ({ url, token }) => Array.from({ length: writers }, (_, i) => new Writer(url, token, i, i % 2 === 0)),
    compare: async ({ url, token, connection }, crew) => [
      ...(await Promise.all(crew.map((writer) => writer.compare()))).flat(),
      ...(await compareTotals(url, token, connection)),
    ],
  });
}

/**
 * The counter behind `totalElements` must still be right after all of this.
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
