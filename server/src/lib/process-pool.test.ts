import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { OutOfBounds, ProcessPool } from './process-pool.js';

let folder: string;
let entry: URL;
let pool: ProcessPool;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapport-pool-'));
  const file = join(folder, 'entry.mjs');
  await writeFile(
    file,
    `process.on('message', async ({ kind, mark, parts = [] }) => {
      if (mark) process.send({ mark });
      if (kind === 'loop') for (;;);
      // One allocation larger than the limit: in a thread this would end the whole service.
      if (kind === 'grow') new Array(6e7).fill(1);
      if (kind === 'throw') return process.send({ error: 'no' });
      if (kind === 'exit') process.exit(3);
      for (const part of parts) process.send({ part });
      process.send({ done: { pid: process.pid, settings: Object.keys(process.env).length } });
    });
    process.on('disconnect', () => process.exit());
    process.send({ up: true });`,
  );
  entry = pathToFileURL(file);
});
afterEach(() => pool.close());
afterAll(() => rm(folder, { recursive: true }));

function open(change: object = {}): ProcessPool {
  const limits = { processes: 2, stepMs: 200, memoryMb: 64, idleMs: 1000, waitMs: 15_000, mostWaiting: 2, ...change };
  pool = new ProcessPool(entry, limits, () => new Error('full'));
  return pool;
}
const outcome = (job: Promise<unknown>) => job.then(undefined, (error: Error) => error);
const pidOf = async (job: Promise<unknown>) => ((await job) as { pid: number }).pid;
const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it('hands out parts in order, tells errors, and goes on in the same process without our settings', async () => {
  const { run } = { run: open().run.bind(pool) };
  const parts: number[] = [];
  const done = await run(1, { parts: [1, 2, 3] }, (part) => void parts.push(part));
  expect([parts, done]).toEqual([[1, 2, 3], { pid: expect.any(Number), settings: 0 }]);
  expect(await outcome(run(1, { kind: 'throw' }))).toEqual(new Error('no'));
  expect(await pidOf(run(2, {}))).toBe((done as { pid: number }).pid);
});

it('ends what takes too long and what wants too much, and says at which step', async () => {
  const { run } = { run: open().run.bind(pool) };
  const late = await outcome(run(1, { kind: 'loop', mark: 'html' }));
  expect(late).toBeInstanceOf(OutOfBounds);
  expect(late).toMatchObject({ message: 'it took longer than 200 ms', mark: 'html' });
  const { run: patient } = { run: open({ stepMs: 10_000 }).run.bind(pool) };
  const large = await outcome(patient(1, { kind: 'grow', mark: 'subject' }));
  expect(large).toBeInstanceOf(OutOfBounds);
  expect(large).toMatchObject({ message: 'it needed more than 64 MB of memory', mark: 'subject' });
  expect(await outcome(patient(1, { kind: 'exit' }))).toMatchObject({
    message: expect.stringContaining('by itself (3)'),
  });
  expect(await pidOf(patient(1, {}))).toBeGreaterThan(0);
});

it('keeps a process for others while one tenant has another, and a line that is no longer than told', async () => {
  const { run } = { run: open({ stepMs: 3000 }).run.bind(pool) };
  const bombs = [1, 2, 3].map(() => outcome(run(1, { kind: 'loop' })));
  expect(await outcome(run(1, {}))).toEqual(new Error('full'));
  let bombsEnded = 0;
  for (const bomb of bombs) void bomb.then(() => bombsEnded++);
  expect(await pidOf(run(2, {}))).toBeGreaterThan(0);
  expect(bombsEnded).toBe(0);
  // Closing the pool waits for nothing.
  pool.close();
  expect(await Promise.all(bombs)).toEqual(Array(3).fill(new Error('full')));
});

it('ends a process that has nothing to do', async () => {
  const pid = await pidOf(open({ idleMs: 10 }).run(1, {}));
  await expect.poll(() => isRunning(pid), { timeout: 60_000 }).toBe(false);
});
