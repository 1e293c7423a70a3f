// Nodes with builds of their own on one database: what a tab of one build gets from a node with another.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../test/database.js';
import type { Database } from '../../db/database.js';
import { sql } from '../../db/sql.js';
import { installConsole } from '../../http/console.js';
import { installErrorHandler } from '../../http/error-handler.js';
import { systemClock } from '../../lib/clock.js';
import { KeptFiles } from './kept-files.js';
import { sweepFiles } from './queries.js';

const t = useDatabase();
const log = pino({ level: 'silent' });
let dir: string;
const nodes: FastifyInstance[] = [];

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'rapport-builds-'));
  await t.db.run(sql`delete from console_file`);
});
afterEach(async () => {
  for (const node of nodes.splice(0)) await node.close();
  await rm(dir, { recursive: true });
});

interface Node {
  files: KeptFiles;
  open(): Promise<number>;
  get(name: string, headers?: Record<string, string>): Promise<LightMyRequestResponse>;
}

/** A node whose build has these files, compressed where they are scripts. */
async function node(build: string, files: Record<string, string | Buffer>, db: Database = t.db): Promise<Node> {
  const dist = join(dir, build);
  await mkdir(join(dist, 'assets'), { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(dist, 'assets', name), content);
    if (name.endsWith('.js')) await writeFile(join(dist, 'assets', `${name}.gz`), gzipSync(content));
  }
  await writeFile(join(dist, 'index.html'), build);
  const app = Fastify();
  nodes.push(app);
  installErrorHandler(app, systemClock, () => undefined);
  const kept = new KeptFiles(db, log);
  installConsole(app, { others: kept, dir: dist });
  return {
    files: kept,
    open: async () => (await app.inject({ method: 'GET', url: '/console' })).statusCode,
    get: (name, headers = {}) => app.inject({ method: 'GET', url: `/console/assets/${name}`, headers }),
  };
}

const font = Buffer.from([0, 255, 128, 10, 0, 7]);
const old = { 'page-AAAAaaa1.js': 'old page', 'inter-_-Aaaa_1.woff2': font };
const newer = { 'page-BBBBbbb2.js': 'new page', 'inter-_-Aaaa_1.woff2': font };
const age = (days: number) =>
  t.db.run(sql`update console_file set seen_at = seen_at - ${days}::integer * interval '1 day'`);
const names = async () =>
  (await t.db.rows(sql<{ name: string }>`select name from console_file order by name`)).map((row) => row.name);

describe('a node', () => {
  it('has the files of every page that another node handed out, as they were, before that page is there', async () => {
    const [before, after] = [await node('old', old), await node('new', newer)];
    expect((await after.get('page-AAAAaaa1.js')).statusCode).toBe(404);
    await before.open();
    await after.open();
    const found = await after.get('page-AAAAaaa1.js');
    expect([found.statusCode, found.body]).toEqual([200, 'old page']);
    expect(found.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const small = await after.get('page-AAAAaaa1.js', { 'accept-encoding': 'gzip' });
    expect(small.headers['content-encoding']).toBe('gzip');
    expect(small.rawPayload).toEqual(gzipSync('old page'));
    // The other way round too: during an upgrade both are there.
    expect((await before.get('page-BBBBbbb2.js')).body).toBe('new page');
    const without = await node('third', {});
    const type = await without.get('inter-_-Aaaa_1.woff2');
    expect([type.headers['content-type'], type.rawPayload]).toEqual(['font/woff2', font]);
  });

  it('keeps no files of a console that is never opened, and none whose name has no hash', async () => {
    const one = await node('old', { ...old, 'plain.js': 'x', 'short-1.js': 'x' });
    expect(await names()).toEqual([]);
    await one.open();
    expect(await names()).toEqual(['inter-_-Aaaa_1.woff2', 'page-AAAAaaa1.js']);
    for (const name of [
      '../x-AAAAaaa1.js',
      'x%2fy-AAAAaaa1.js',
      'page-AAAAaaa1.html',
      `${'a'.repeat(200)}-AAAAaaa1.js`,
      '%00-AAAAaaa1.js',
    ])
      expect([200, 404]).toContain((await one.get(name)).statusCode);
  });

  it('forgets files 14 days after the last node had them, and not those that one still has', async () => {
    const [before, after] = [await node('old', old), await node('new', newer)];
    await before.open();
    await after.open();
    await age(15);
    await after.files.renew();
    expect(await sweepFiles(t.db.background, 14, 100)).toBe(1);
    expect(await names()).toEqual(['inter-_-Aaaa_1.woff2', 'page-BBBBbbb2.js']);
    // It still serves its own, of course.
    expect((await before.get('page-AAAAaaa1.js')).body).toBe('old page');
    await age(13);
    expect(await sweepFiles(t.db.background, 14, 100)).toBe(0);
  });

  it('keeps a build that comes back', async () => {
    const before = await node('old', old);
    await before.open();
    await age(13);
    const again = await node('old', old);
    await again.open();
    await age(13);
    expect(await sweepFiles(t.db.background, 14, 100)).toBe(0);
  });

  it('hands pages out while its database is away, and keeps their files with a later page', async () => {
    let isAway = true;
    const { background } = t.db;
    const away = () => Promise.reject(new Error('away'));
    const flaky = {
      ...background,
      rows: (statement: never) => (isAway ? away() : background.rows(statement)),
    } as typeof background;
    const one = await node('old', old, { ...t.db, background: flaky });
    expect(await one.open()).toBe(200);
    expect(await names()).toEqual([]);
    isAway = false;
    expect(await one.open()).toBe(200);
    expect(await names()).toHaveLength(2);
  });

  it('stores a build once when many open the console at once, on several nodes', async () => {
    const [one, two] = [await node('old', old), await node('old', old)];
    const opened = await Promise.all([one, two, one, two, one].map((each) => each.open()));
    expect(new Set(opened)).toEqual(new Set([200]));
    expect(await names()).toHaveLength(2);
  });
});
