// What can go wrong in the cluster. Faults are dealt like cards, so that a run has some of each, in an order that the seed decides.
import { setTimeout as sleep } from 'node:timers/promises';
import { canJump } from './clocks.js';
import { primaryOf, until, untilWhole } from './database.js';
import { patroniTimes } from './settings.js';

const shortestMs = 1000;
const longestMs = 6000;
// Longer than the leader's key lasts: another is promoted meanwhile.
const frozenMs = (patroniTimes.ttl + 6) * 1000;
const fullMs = 4000;
const missetMs = 6000;
const mostLogFiles = 20;

/**
 * @typedef {import('../under-fire.js').Fault} Fault
 * @typedef {{ name: string, cards: number, happen: (random: () => number) => Promise<Omit<Fault, 'name'>> }} Kind
 */

/**
 * @param {import('./place.js').Cluster} cluster
 * @param {{ only: string[] | undefined, leaseMs: number, say: (line: string) => void }} options
 */
export function dealFaults(cluster, { only, leaseMs, say }) {
  const database = new DatabaseFaults(cluster.nodes);
  const kinds = [...database.kinds, ...serviceKinds(cluster, leaseMs), ...serverKinds(cluster)].filter(
    ({ name }) => !only || only.includes(name),
  );
  if (!cluster.nodes.every(({ hasDisk }) => hasDisk)) say('no disk is filled: only root may mount one');
  /** @type {Kind[]} */ let cards = [];
  return {
    /** @param {() => number} random @returns {Promise<Fault>} */
    async next(random) {
      if (cards.length === 0) cards = kinds.flatMap((kind) => Array.from({ length: kind.cards }, () => kind));
      const [kind] = /** @type {[Kind]} */ (cards.splice(Math.floor(random() * cards.length), 1));
      return { name: kind.name, ...(await kind.happen(random)) };
    },
    /** Everything runs again. */
    healed: () => database.healing,
  };
}

/** One after the other: the next one waits until all servers are back, other faults do not. */
class DatabaseFaults {
  /** @type {Promise<unknown>} */
  healing = Promise.resolve();

  /** @param {import('./database.js').Node[]} nodes */
  constructor(nodes) {
    this.nodes = nodes;
    const hasDisks = nodes.every(({ hasDisk }) => hasDisk);
    /** @type {Kind[]} */
    this.kinds = [
      { name: 'killed the primary', cards: 4, happen: () => this.#killPrimary() },
      { name: 'froze the primary', cards: 1, happen: () => this.#freezePrimary() },
      { name: "killed the primary's server", cards: 1, happen: () => this.#killServer() },
      { name: 'cut a replica off', cards: 2, happen: (random) => this.#cutOff(random) },
      ...(hasDisks ? [{ name: "filled the primary's disk", cards: 1, happen: () => this.#fillDisk() }] : []),
    ];
  }

  async #primary() {
    await this.healing;
    await untilWhole(this.nodes);
    const primary = await primaryOf(this.nodes);
    if (!primary) throw new Error('There is no primary.');
    return primary;
  }

  async #killPrimary() {
    const primary = await this.#primary();
    const at = performance.now();
    await primary.kill();
    const promotedAt = await this.#promoted(primary);
    this.#heal(() => primary.start());
    return { workers: 0, databases: 1, promotion: { at, promotedAt } };
  }

  async #freezePrimary() {
    const primary = await this.#primary();
    const at = performance.now();
    this.#heal(() => primary.pause(frozenMs));
    const promotedAt = await this.#promoted(primary);
    return { workers: 0, databases: 1, promotion: { at, promotedAt } };
  }

  /** Patroni sees it at once, and decides whether it comes back or another takes over. */
  async #killServer() {
    const primary = await this.#primary();
    const at = performance.now();
    await primary.killServer();
    await until('a server takes writes', async () => (await primaryOf(this.nodes)) !== undefined);
    const promotedAt = performance.now();
    this.#heal(async () => undefined);
    return { workers: 0, databases: 1, promotion: { at, promotedAt } };
  }

  /** @param {() => number} random */
  async #cutOff(random) {
    const primary = await this.#primary();
    const replicas = this.nodes.filter((node) => node !== primary);
    const replica = /** @type {import('./database.js').Node} */ (replicas[Math.floor(random() * replicas.length)]);
    await replica.pause(someMs(random) + 4000);
    this.#heal(async () => undefined);
    return { workers: 0, databases: 1 };
  }

  async #fillDisk() {
    const primary = await this.#primary();
    await primary.fillDisk();
    // It has room left in the files of its log that it keeps for later. Each of these takes one, until there is none.
    for (let i = 0; i < mostLogFiles; i++) await primary.query('select pg_switch_wal()').catch(() => undefined);
    await sleep(fullMs);
    await primary.emptyDisk();
    this.#heal(async () => undefined);
    return { workers: 0, databases: 1 };
  }

  /** @param {import('./database.js').Node} failed */
  async #promoted(failed) {
    const others = this.nodes.filter((node) => node !== failed);
    await until('another server is promoted', async () => (await primaryOf(others)) !== undefined, 50);
    return performance.now();
  }

  /** @param {() => Promise<void>} first */
  #heal(first) {
    this.healing = first().then(() => untilWhole(this.nodes));
    this.healing.catch(() => undefined);
  }
}

/**
 * @param {import('./place.js').Cluster} cluster
 * @param {number} leaseMs
 * @returns {Kind[]}
 */
function serviceKinds({ services }, leaseMs) {
  const one = (/** @type {'api' | 'worker'} */ role, /** @type {() => number} */ random) => {
    const all = services.filter((service) => service.role === role);
    return /** @type {typeof all[number]} */ (all[Math.floor(random() * all.length)]);
  };
  const pause = async (
    /** @type {'api' | 'worker'} */ role,
    /** @type {() => number} */ random,
    /** @type {number} */ ms,
  ) => {
    const { current } = one(role, random);
    current.signal('SIGSTOP');
    await sleep(ms);
    current.signal('SIGCONT');
  };
  const misset = async (/** @type {'api' | 'worker'} */ role, /** @type {() => number} */ random) => {
    const { clock } = one(role, random);
    clock.jump(random);
    await sleep(missetMs);
    clock.right();
  };
  const clocks = [
    { name: "set a worker's clock wrong", cards: 1, ...harm({}, (random) => misset('worker', random)) },
    { name: "set an API node's clock wrong", cards: 1, ...harm({}, (random) => misset('api', random)) },
  ];
  return [
    ...(canJump ? clocks : []),
    { name: 'killed a worker', cards: 2, ...harm({ workers: 1 }, (random) => one('worker', random).restart()) },
    {
      ...{ name: 'killed both workers', cards: 1 },
      ...harm({ workers: 2 }, () =>
        Promise.all(services.filter(({ role }) => role === 'worker').map((service) => service.restart())),
      ),
    },
    { name: 'paused a worker', cards: 2, ...harm({}, (random) => pause('worker', random, someMs(random))) },
    {
      ...{ name: 'paused a worker until it had lost its leases', cards: 1 },
      ...harm({ workers: 1, stalls: 1 }, (random) => pause('worker', random, leaseMs + 3000)),
    },
    { name: 'killed an API node', cards: 2, ...harm({}, (random) => one('api', random).restart()) },
    { name: 'paused an API node', cards: 2, ...harm({}, (random) => pause('api', random, someMs(random))) },
  ];
}

/**
 * @param {import('./place.js').Cluster} cluster
 * @returns {Kind[]}
 */
function serverKinds({ bouncer, redis }) {
  const restart = async (/** @type {import('./programs.js').Program} */ program) => {
    await program.kill();
    await program.start();
  };
  // What stands between the service and the database ends its connections, as the death of the database would.
  const between = { databases: 1 };
  return [
    { name: 'killed PgBouncer', cards: 2, ...harm(between, () => restart(bouncer)) },
    { name: 'paused PgBouncer', cards: 2, ...harm(between, (random) => bouncer.pause(someMs(random))) },
    { name: 'killed Redis', cards: 1, ...harm({}, () => restart(redis)) },
    { name: 'paused Redis', cards: 1, ...harm({}, (random) => redis.pause(someMs(random))) },
  ];
}

/**
 * @param {{ workers?: number, databases?: number, stalls?: number }} interrupted
 * @param {(random: () => number) => Promise<unknown>} act
 */
function harm(interrupted, act) {
  return {
    happen: async (/** @type {() => number} */ random) => {
      await act(random);
      return { workers: 0, databases: 0, ...interrupted };
    },
  };
}

/** @param {() => number} random */
function someMs(random) {
  return shortestMs + random() * (longestMs - shortestMs);
}
