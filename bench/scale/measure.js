// Both places are queried in turn, one request each, so that a busy moment of the machine hits both.
import { Agent, request } from 'node:http';

/** @typedef {import('./place.js').Place} Place */
/** @typedef {import('./reads.js').Read} Read */
/** @typedef {{ p50: number, p99: number }} Times */

const agent = new Agent({ keepAlive: true, maxSockets: 2 });
const most = 100;
const least = 20;
// This many milliseconds at most, unless fewer than the minimum have returned.
const patience = 1000;

/**
 * @param {string} url
 * @param {string} token
 * @returns {Promise<number>} Milliseconds.
 */
function ask(url, token) {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const sent = request(url, { agent, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      let text = '';
      answer.on('data', (chunk) => {
        if (answer.statusCode !== 200) text += chunk;
      });
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve(performance.now() - start);
        else reject(new Error(`GET ${url}: ${answer.statusCode} ${text.slice(0, 500)}`));
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}

/**
 * @param {{ place: Place, read: Read }[]} contenders
 * @param {number} [times] How much longer than usual.
 * @returns {Promise<Times[]>}
 */
export async function inTurn(contenders, times = 1) {
  const took = contenders.map(() => /** @type {number[]} */ ([]));
  // The first requests make plans and fill caches.
  for (let k = 0; k < 5; k++) for (const { place, read } of contenders) await ask(place.url + read.path(k), read.token);
  const start = performance.now();
  for (let k = 0; k < most * times; k++) {
    if (k >= least && performance.now() - start > patience * times) break;
    for (const [i, { place, read }] of contenders.entries())
      took[i]?.push(await ask(place.url + read.path(k), read.token));
  }
  return took.map(timesOf);
}

/** @param {number[]} took @returns {Times} */
export function timesOf(took) {
  const sorted = [...took].sort((a, b) => a - b);
  return { p50: sorted[sorted.length >> 1] ?? 0, p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0 };
}
