// Fills the tables by COPY, chunk by chunk. Each chunk is one transaction that also stores the position it reached, so that seeding can be
// stopped anywhere and resumes there.
import { copyIn } from '../../server/dist/db/copy.js';
import { mailSteps } from './mail-rows.js';
import { peopleSteps } from './people-rows.js';

/** @typedef {{ text: string, lines: string[] }} Copied */
/**
 * @typedef {object} Step
 * @property {string} name
 * @property {number} total
 * @property {number} atOnce
 * @property {(from: number, to: number) => Copied[]} rows
 */
/** @typedef {import('./place.js').Ground} Ground */

/**
 * @param {import('pg').Client} client
 * @param {Ground} ground
 * @param {(line: string) => void} say
 */
export async function seed(client, ground, say) {
  await client.query('set synchronous_commit = off');
  for (const step of [...peopleSteps(ground), ...mailSteps(ground)]) await run(client, step, say);
  await client.query('set synchronous_commit = on');
}

/**
 * @param {import('pg').Client} client
 * @param {Step} step
 * @param {(line: string) => void} say
 */
async function run(client, { name, total, atOnce, rows }, say) {
  const { rows: found } = await client.query('select reached from bench.progress where step = $1', [name]);
  const first = Number(found[0]?.reached ?? 0);
  if (first >= total) return;
  const start = performance.now();
  for (let from = first; from < total; from += atOnce) {
    const to = Math.min(total, from + atOnce);
    await client.query('begin');
    for (const { text, lines } of rows(from, to))
      if (lines.length > 0) await copyIn(client, `copy ${text} from stdin`, lines.join(''));
    await client.query(
      `insert into bench.progress values ($1, $2) on conflict (step) do update set reached = excluded.reached`,
      [name, to],
    );
    await client.query('commit');
  }
  const took = (performance.now() - start) / 1000;
  say(`${name}: ${(total - first).toLocaleString('en')} in ${took.toFixed(0)} s`);
}
