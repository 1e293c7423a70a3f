// Shared by proofs whose mail goes to a real SMTP server: the server, short leases, and work that is spread over the rounds.
import { setTimeout as sleep } from 'node:timers/promises';
import { startSinkProcess } from '../../bench/sink-process.js';
import { verifyFigures } from '../../server/dist/operator.js';
import { Random } from './hostile/random.js';
import { persist } from './messages-compare.js';
import { Quota } from './messages-queuer.js';
import { proveUnderFire } from './under-fire.js';

const connections = 10;
// Seconds. A lease is twice that, so the messages of a killed worker are soon taken over.
const shortPatience = 3;

/**
 * @typedef {import('./under-fire.js').Place} Place
 * @typedef {Awaited<ReturnType<typeof startSinkProcess>>} Sink
 * @typedef {{ arrived: () => Promise<string[]>, mostRepeats: number }} Mail Message-IDs that arrived, and how many may have arrived twice.
 */

/**
 * `units` of work are allowed in equal parts, and a round begins once the mails of the round before the last have arrived.
 * @template {import('./under-fire.js').Member} M
 * @param {{ rounds: number, seed: number, say: (line: string) => void, older?: string[] | undefined,
 *   open?: import('./under-fire.js').Open | undefined }} options
 * @param {{ what: string, units: number, mails: number, patience?: number | undefined,
 *   env?: Record<string, string>, keepLinks?: boolean, hire: (place: Place, quota: Quota, sink: Sink) => Promise<M[]>, onFault?: ((fault: import('./under-fire.js').Fault) => Promise<void>) | undefined,
 *   compare: (place: Place, crew: M[], mail: Mail) => Promise<{ found: string, problems: string[] }> }} proof
 *   `patience`: how many seconds an attempt may take. `env`: more settings of every process.
 */
export async function proveMail({ rounds, seed, say, older, open }, proof) {
  const { what, units, mails, hire, compare, patience = shortPatience, onFault = async () => undefined } = proof;
  const sink = await startSinkProcess({ keep: true, keepLinks: proof.keepLinks ?? false });
  const random = new Random(seed);
  const quota = new Quota();
  const env = {
    SMTP_URL: sink.url,
    SEND_CONNECTIONS: String(connections),
    SEND_PER_DOMAIN: String(connections),
    SEND_TIMEOUT_SECONDS: String(patience),
    ...proof.env,
  };
  let found = '';
  say(`seed ${seed}`);
  try {
    const { summary, problems } = await proveUnderFire(
      { rounds, say, older, open },
      {
        ...{ what, env, onFault, random: () => random.next(), hire: (place) => hire(place, quota, sink) },
        // Spread over the rounds, so that there is something to interrupt in each, however slow the machine is.
        onRound: async (round) => {
          quota.allowed = Math.ceil((units * round) / rounds);
          while ((await sink.count()) < (mails * (round - 2)) / rounds) await sleep(20);
        },
        compare: async (place, crew, kills) => {
          // An outage shorter than a lease repeats nothing: outcomes are stored after it.
          const interrupted = kills.workers + (patience > shortPatience ? 0 : kills.databases);
          const mostRepeats = interrupted * connections;
          const compared = await compare(place, crew, { arrived: () => sink.ids(), mostRepeats });
          found = `${kills.workers} workers and ${kills.databases} databases killed; ${compared.found}`;
          const again = repeatedTooOften(await sink.arrivals(), 1 + kills.stalls);
          return [...compared.problems, ...again, ...(await wrongFigures(place))];
        },
      },
    );
    return { summary: `${summary}, seed ${seed}; ${found}`, problems };
  } finally {
    await sink.stop();
  }
}

/**
 * A connection dies with its process, so one of its messages may arrive again: the last, if its outcome was not stored. A process that stood still
 * and went on may have repeated one before.
 * @param {{ ids: string[], over: number[] }} arrivals
 * @param {number} most
 */
function repeatedTooOften({ ids, over }, most) {
  const last = new Map(ids.map((id, i) => [id, i]));
  /** @type {Map<number, string[]>} */ const again = new Map();
  for (const [i, id] of ids.entries()) {
    const connection = over[i] ?? 0;
    if (last.get(id) !== i) again.set(connection, [...(again.get(connection) ?? []), id]);
  }
  const wrong = [...again].filter(([, repeated]) => repeated.length > most);
  return wrong.map(([connection, repeated]) => `connection ${connection} repeated ${repeated.join(' and ')}`);
}

/**
 * Statistics were counted in the transactions that were killed or not: they must equal a recount.
 * @param {Place} place
 */
async function wrongFigures({ connection, tenantId }) {
  const server = /** @type {import('../../server/dist/db/connect.js').Connection} */ (connection);
  return persist(async () => {
    /** @type {string[]} */ const problems = [];
    let counted = 0;
    await verifyFigures(server, (verified) => {
      if (verified.tenantId === Number(tenantId)) counted = verified.messages;
      problems.push(...verified.differences);
    });
    return counted > 0 ? problems : ['no figure was counted'];
  });
}
