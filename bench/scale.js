// The cost of a full database compared with one a hundredth of its size: every read of the API, writes, lists, idle time and disk, in one run.
import { access, mkdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyFigures } from '../server/dist/operator.js';
import { clusterOf, killProcessesOf } from '../server/test/process/postgres-processes.js';
import { median } from './processes.js';
import { inTurn } from './scale/measure.js';
import { openPlace } from './scale/place.js';
import { databaseSize, freshAfterWindow, freshAfterWrite, idleCost, rates, sizeOnDisk } from './scale/rates.js';
import { deepRead, readsOf } from './scale/reads.js';
import { sizesOf } from './scale/sizes.js';
import { Table } from './scale/table.js';

/** @typedef {import('./scale/place.js').Place} Place */

const scale = Number(process.env.BENCH_SCALE ?? 1);
const folder = process.env.BENCH_SCALE_DIR ?? join(tmpdir(), 'rapport-bench-scale');
// Parts to run, such as `reads` or `idle,disk`; all by default.
const parts = process.env.BENCH_PART?.split(',');
// Rounds of writes, in turn; the medians count.
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
// Bytes per contact, with everything that belongs to it: measured at 0.001, indexes included.
const bytesEach = 20_000;

/** @param {(line: string) => void} say */
export async function bench(say) {
  const small = scale / 100;
  say(`scale ${scale} beside ${small}; the folder is ${folder} (BENCH_SCALE_DIR)`);
  for (const each of [scale, small]) say(sayAll(each));
  const [dataDir, smallDir] = [join(folder, String(scale)), join(folder, `${small}-beside`)];
  await mkdir(folder, { recursive: true, mode: 0o755 });
  await hasRoom(dataDir, say);
  // Leftovers of an earlier run would distort the small one, so it is recreated.
  await forget(smallDir);
  /** @type {Place[]} */
  const places = [];
  try {
    places.push(await openPlace(smallDir, small, (line) => say(`small: ${line}`)));
    places.push(await openPlace(dataDir, scale, say));
    const [one, other] = places;
    if (one && other) await measure(one, other, say);
  } finally {
    for (const { client, service } of places) {
      await client.end();
      await service.stop();
    }
  }
  await forget(smallDir);
}

/** @param {string} dataDir */
async function forget(dataDir) {
  // If the database's user cannot enter a folder, the cluster is elsewhere.
  const { base } = await clusterOf(dataDir);
  await killProcessesOf(dataDir);
  for (const each of [dataDir, base]) await rm(each, { recursive: true, force: true, maxRetries: 5 });
}

/** @param {number} at */
function sayAll(at) {
  const counts = Object.entries(sizesOf(at)).map(([name, n]) => `${n.toLocaleString('en')} ${name}`);
  return `  ${at}: ${counts.join(', ')}`;
}

/**
 * Not if seeding has begun: then there was enough space before.
 * @param {string} dataDir
 * @param {(line: string) => void} say
 */
async function hasRoom(dataDir, say) {
  const isThere = await access(dataDir).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  const needed = sizesOf(scale).contacts * bytesEach;
  const { bavail, bsize } = await statfs(folder);
  const said = `about ${gigabytes(needed)} GB on disk; ${gigabytes(bavail * bsize)} GB are free`;
  if (needed > bavail * bsize) throw new Error(`${said}. Name a folder with more room, or a smaller BENCH_SCALE.`);
  say(said);
}
const gigabytes = (/** @type {number} */ bytes) => (bytes / 1e9).toFixed(1);

/**
 * @param {Place} small
 * @param {Place} large
 * @param {(line: string) => void} say
 */
async function measure(small, large, say) {
  await verifyFigures(small.connection, ({ differences }) => {
    if (differences.length > 0) throw new Error(`Figures were seeded wrong: ${differences.slice(0, 5).join('; ')}`);
  });
  say('a recount of the small one finds no difference to the figures that were seeded');
  const table = new Table(say, small.scale, large.scale);
  for (const [name, work] of Object.entries({ reads, idle, fresh, writes, disk }))
    if (!parts || parts.includes(name)) await work(small, large, table);
  table.print();
}

/**
 * A line that misses its goal is measured again, longer; the second result counts.
 * @param {Place} small
 * @param {Place} large
 * @param {Table} table
 */
async function reads(small, large, table) {
  const [ofSmall, ofLarge] = [await readsOf(small), await readsOf(large)];
  for (const [i, read] of ofLarge.entries()) {
    const beside = ofSmall[i];
    if (!beside) continue;
    const deep = read.paged ? await deepRead(large, read) : undefined;
    const pairs = [[beside, read], ...(deep ? [[(await deepRead(small, beside)) ?? beside, deep]] : [])];
    for (const [ours = beside, theirs = read] of pairs) {
      const contenders = [
        { place: small, read: ours },
        { place: large, read: theirs },
      ];
      let [a, b] = await inTurn(contenders);
      if (a && b && table.isMiss(a.p99, b.p99)) [a, b] = await inTurn(contenders, 3);
      if (a && b) table.times(theirs.name, a, b);
    }
  }
}

/** @param {Place} small @param {Place} large @param {Table} table */
async function idle(small, large, table) {
  const [a, b] = [await idleCost(small), await idleCost(large)];
  for (const [i, what] of ['service', 'database'].entries())
    table.plain(`at rest, ${what}: ms of processor a second`, (a[i] ?? 0).toFixed(0), (b[i] ?? 0).toFixed(0));
}

/** @param {Place} small @param {Place} large @param {Table} table */
async function fresh(small, large, table) {
  table.times('a list after a write', await freshAfterWrite(small), await freshAfterWrite(large));
  table.times("a list after a window's moment", await freshAfterWindow(small), await freshAfterWindow(large));
}

/** @param {Place} small @param {Place} large @param {Table} table */
async function writes(small, large, table) {
  for (const [what, rate] of Object.entries(rates)) {
    /** @type {number[][]} */ const found = [[], []];
    for (let round = 0; round < rounds; round++)
      for (const [i, place] of [small, large].entries()) found[i]?.push(await rate(place));
    table.rate(what, median(found[0] ?? []), median(found[1] ?? []));
  }
}

/** @param {Place} small @param {Place} large @param {Table} table */
async function disk(small, large, table) {
  const whole = [await databaseSize(small), await databaseSize(large)].map((bytes) => `${gigabytes(bytes)} GB`);
  table.plain('the whole database', whole[0] ?? '', whole[1] ?? '');
  const [a, b] = [await sizeOnDisk(small), await sizeOnDisk(large)];
  for (const [name, { rows, bytes }] of Object.entries(b)) {
    const each = (/** @type {{ rows: number, bytes: number } | undefined} */ of) =>
      of && of.rows > 0 ? (of.bytes / of.rows).toFixed(0) : '';
    table.plain(`${name}: bytes a row of ${rows.toLocaleString('en')}`, each(a[name]), each({ rows, bytes }));
  }
}
