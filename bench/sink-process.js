// The mail server that accepts everything, as a separate process: see smtp-sink.js for its commands.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** @param {{ keep?: boolean, keepLinks?: boolean }} [options] */
export async function startSinkProcess(options = {}) {
  const script = fileURLToPath(new URL('smtp-sink.js', import.meta.url));
  const child = spawn(process.execPath, [script, JSON.stringify(options)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async () => JSON.parse((await lines.next()).value);
  const ask = (/** @type {string} */ question) => {
    child.stdin.write(`${question}\n`);
    return answer();
  };
  const { port } = await answer();
  return {
    url: `smtp://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    /** @returns {Promise<number>} */
    count: async () => (await ask('count')).messages,
    /** @returns {Promise<string[]>} Message-IDs as they came. */
    ids: async () => (await ask('ids')).ids,
    /** @returns {Promise<{ ids: string[], over: number[] }>} The same, and the number of the connection that each came over. */
    arrivals: () => ask('ids'),
    /**
     * Of one that keeps links: the mails from this number on.
     * @param {number} from
     * @returns {Promise<import('./smtp-sink.js').Mail[]>}
     */
    mails: (from) => ask(`mails ${from}`),
    reset: () => ask('reset'),
    stop: async () => {
      const exited = once(child, 'exit');
      child.stdin.end();
      await exited;
    },
  };
}
