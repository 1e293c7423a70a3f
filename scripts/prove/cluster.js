// A whole cluster on one machine: PostgreSQL with synchronous replicas under Patroni, PgBouncer, Redis, API nodes behind HAProxy, workers. People go
// through journeys, get mail, and are in lists, while the primary dies and everything else is killed or stands still, at random.
import { callJson } from '../../server/test/process/tenant.js';
import { clusterPlace } from './cluster/place.js';
import { Probe } from './cluster/probe.js';
import { findPrograms } from './cluster/programs.js';
import { Writer } from './contact-writer.js';
import { compareTotals } from './contacts.js';
import * as journeys from './journeys.js';
import { send } from './journeys-crew.js';
import { compareLists } from './lists-fresh.js';
import { untilAnswered } from './messages-queuer.js';

export const claim =
  'a cluster loses and repeats nothing that it acknowledged, and takes writes again within 15 s of a promotion, whatever is killed or stands still';

export const defaults = { rounds: 30, contacts: 6000 };

const writers = 2;
// Seconds that an attempt to send may take. A lease is twice that, and outlasts a promotion: so only those who lose their process send again.
const patience = 15;

/**
 * @param {{ rounds: number, contacts?: number, seed?: number, say: (line: string) => void, only?: string[], isTimed?: boolean }} options
 *   `only`: faults with these names. `isTimed`: an outage that lasts too long is a problem.
 */
export async function prove({ rounds, contacts = defaults.contacts, seed, say, only, isTimed = true }) {
  const { missing } = findPrograms();
  if (missing.length > 0) return { summary: 'nothing was tried', problems: [`not installed: ${missing.join(', ')}`] };
  /** @type {Probe | undefined} */ let probe;
  /** @type {Writer[]} */ let crew = [];
  /** @type {string[]} */ const problems = [];
  /** @type {number[]} */ const outages = [];
  const { summary, problems: others } = await journeys.prove({
    ...{ rounds, contacts, say, ...(seed === undefined ? {} : { seed }) },
    open: clusterPlace({ only, leaseMs: 2000 * patience }),
    beside: {
      patience,
      hire: async (place) => {
        await makeLists(place);
        probe = new Probe(place);
        crew = Array.from({ length: writers }, (_, i) => new Writer(place.url, place.token, i, i % 2 === 0));
        return [probe, ...crew];
      },
      onFault: async ({ promotion }) => {
        if (!promotion || !probe) return;
        const outage = await probe.outage(promotion);
        outages.push(outage.out);
        problems.push(...outage.problems, ...(isTimed ? outage.late : []));
        say(`  ${outage.said}`);
      },
      compare: async (place) => [
        ...(await Promise.all(crew.map((writer) => writer.compare()))).flat(),
        ...((await probe?.compare(place)) ?? []),
        ...(await compareTotals(place)),
        ...(await compareLists(place)),
        ...(await compareReads(place)),
      ],
    },
  });
  const shown = outages.map((seconds) => seconds.toFixed(1)).join(', ') || 'none';
  return {
    summary: `${summary}; outages in seconds: ${shown}; a client got ${probe?.tally}`,
    problems: [...problems, ...others],
  };
}

/**
 * Lists that contacts, orders and payments move people in and out of.
 * @param {import('./under-fire.js').Place} place
 */
async function makeLists(place) {
  const filters = [
    {
      all: [
        { property: 'paid', is: true },
        { property: 'plan', is: 'free' },
      ],
    },
    { all: [{ event: 'ordered', atLeast: 1 }] },
    {
      any: [
        { property: 'n', gte: 100 },
        { property: 'journey_mark', is: 'seen' },
      ],
    },
    {
      none: [
        { property: 'plan', is: 'pro' },
        { event: 'went_by', atLeast: 1 },
      ],
    },
  ];
  for (const [i, filter] of filters.entries())
    await send(place, '/v2/dynamic-lists', { name: `Recounted ${i}`, filter });
}

/**
 * Slow reads go to a replica: it must show what the primary has.
 * @param {import('./under-fire.js').Place} place
 */
async function compareReads({ url, token }) {
  const { data } = await untilAnswered(() =>
    callJson(`${url}/v2/dynamic-lists?pageSize=100&search=Recounted`, { token }),
  );
  return data.length === 4 ? [] : [`a search shows ${data.length} of 4 lists`];
}
