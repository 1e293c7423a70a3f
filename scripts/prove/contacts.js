// Contacts are written at full speed while the API, the workers and the database are killed with -9, at random.
// Every acknowledged write must reach DONE, in order, exactly once: each contact's own history shows it.
import { callJson } from '../../server/test/process/tenant.js';
import { Writer } from './contact-writer.js';
import { withClient } from './messages-compare.js';
import { untilAnswered } from './messages-queuer.js';
import { proveUnderFire } from './under-fire.js';

export const claim =
  'every acknowledged contact write is applied once and in order, whatever is killed: API, workers or database';

const writers = 8;
const killsForBothWays = 10;

/** @param {{ rounds: number, say: (line: string) => void, older?: string[] }} options */
export function prove(options) {
  return proveUnderFire(options, {
    what: 'writes',
    hire: async ({ url, token }) => Array.from({ length: writers }, (_, i) => new Writer(url, token, i, i % 2 === 0)),
    compare: async (place, crew, kills) => [
      ...(await Promise.all(crew.map((writer) => writer.compare()))).flat(),
      ...(await compareTotals(place)),
      ...(await compareWays(place, kills)),
    ],
  });
}

/**
 * Both ways must have been taken: a batch that is applied where it is acknowledged is finished at that time. In a few rounds chance decides
 * which way is free.
 * @param {Pick<import('./under-fire.js').Place, 'connection'>} place
 * @param {import('./under-fire.js').Kills} kills
 */
export async function compareWays({ connection }, { workers }) {
  if (workers < killsForBothWays) return [];
  const { rows } = await withClient(connection, (client) =>
    client.query(`select distinct finished_at = created_at as "atOnce" from write_transaction where status = 'DONE'`),
  );
  return rows.length === 2 ? [] : [`All writes were ${rows[0]?.atOnce ? 'applied at once' : 'queued'}`];
}

/**
 * The counter behind `totalElements` must still be right after all of this.
 * @param {Pick<import('./under-fire.js').Place, 'url' | 'token' | 'connection'>} place
 */
export async function compareTotals({ url, token, connection }) {
  const { pagination } = await untilAnswered(() => callJson(`${url}/v2/contacts`, { token }));
  const { rows } = await withClient(connection, (client) => client.query('select count(*)::int as n from contact'));
  const { totalElements } = pagination;
  return totalElements === rows[0].n ? [] : [`totalElements says ${totalElements}, there are ${rows[0].n} contacts`];
}
