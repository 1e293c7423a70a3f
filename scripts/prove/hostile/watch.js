import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { readAdminToken } from '../../../server/test/process/tenant.js';

/**
 * What a second tenant and `/metrics` saw of the service in a period. Milliseconds and bytes.
 * @typedef {{ latencies: number[], faults: string[], stall: number, prices: number[], rss: number }} Figures
 *
 * `price`: the median factor by which the machine was slower than at its best for a piece of work meanwhile.
 * @typedef {{ requests: number, p99: number, worst: number, stall: number, price: number, rss: number, faults: string[] }} Seen
 */

const MiB = 1024 * 1024;
/** The acceptance limits: how long a request may block the event loop, how much it may grow memory, and the neighbour's p99. */
export const bounds = { stallMs: 250, growth: 256 * MiB, p99Ms: 500 };

/**
 * The time that a limit is compared with: on a shared machine, everything takes longer by its price.
 * @param {number} ms
 * @param {{ price: number }} seen
 */
export const priced = (ms, { price }) => ms / Math.max(1, price);

/** Reads and writes as the second tenant, in a thread, until it is closed. */
export class Watch {
  /**
   * @param {{ url: string, dataDir: string }} service
   * @param {string} token of the second tenant
   */
  static async start({ url, dataDir }, token) {
    const adminToken = await readAdminToken(dataDir);
    const tag = Date.now().toString(36);
    const file = new URL('./watch-thread.js', import.meta.url);
    return new Watch(new Worker(file, { workerData: { url, token, adminToken, tag } }));
  }

  /** @param {Worker} worker */
  constructor(worker) {
    this.worker = worker;
  }

  /**
   * What was seen since the last call.
   * @returns {Promise<Seen>}
   */
  async take() {
    const { latencies, faults, stall, prices, rss } = await this.ask('take');
    prices.sort((a, b) => a - b);
    const price = prices[Math.floor(prices.length / 2)] ?? 1;
    latencies.sort((a, b) => a - b);
    const at = (/** @type {number} */ share) => latencies[Math.ceil(latencies.length * share) - 1] ?? 0;
    return { requests: latencies.length, p99: at(0.99), worst: at(1), stall, price, rss, faults };
  }

  /** How many requests of the second tenant have been answered since the last call. */
  async count() {
    return (await this.ask('look')).latencies.length;
  }

  /**
   * @param {'take' | 'look'} what
   * @returns {Promise<Figures>}
   */
  async ask(what) {
    this.worker.postMessage(what);
    const [figures] = await once(this.worker, 'message');
    return figures;
  }

  async close() {
    await this.worker.terminate();
  }
}
