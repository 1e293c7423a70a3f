// An upgrade replaces the console's files while open tabs still need the old ones, and nodes are upgraded one after the other. So a node
// that serves a page stores its files where every node finds them.
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../db/database.js';
import type { OtherBuilds } from '../../http/console.js';
import { type ConsoleBuild, type ConsoleFile, consoleFileType } from '../../http/console-build.js';
import { findFile, insertFile, selectNames, touchFiles } from './queries.js';

const unzip = promisify(gunzip);

// A name with a hash of the content, eight characters from Vite: without one, another build may have another file of that name.
const isHashed = (name: string) => name.length <= 200 && /^[\w.-]+-[\w-]{8}\.\w+$/.test(name);
// Opening the console does not wait longer than this for a database that does not answer.
const patienceMs = 2000;
// Bytes of files that were looked up: an old build has about 1 MB, a browser asks for each once.
const mostRemembered = 16 * 1024 * 1024;

export class KeptFiles implements OtherBuilds {
  private latest: { id: string; names: string[]; stored: Promise<boolean> } | undefined;
  private readonly remembered = new Map<string, ConsoleFile>();
  private rememberedBytes = 0;

  constructor(
    private readonly db: Database,
    private readonly log: Pick<FastifyBaseLogger, 'warn'>,
  ) {}

  /** Once per build; again with the next page if it failed. */
  async keep({ id, files }: ConsoleBuild): Promise<void> {
    if (this.latest?.id !== id) {
      const names = [...files.keys()].filter(isHashed);
      this.latest = { id, names, stored: this.store(id, names, files) };
    }
    await Promise.race([this.latest.stored, sleep(patienceMs, undefined, { ref: false })]);
  }

  private async store(id: string, names: string[], files: ReadonlyMap<string, ConsoleFile>): Promise<boolean> {
    try {
      const there = await selectNames(this.db.background, names);
      for (const name of names) {
        const file = files.get(name);
        if (!file || there.has(name)) continue;
        const content = (file.gzip ?? file.plain).toString('hex');
        await insertFile(this.db.background, name, { content, isGzipped: file.gzip !== undefined });
      }
      await touchFiles(this.db.background, names);
      return true;
    } catch (err) {
      this.log.warn({ err }, "the console's files could not be kept for later; the next page tries again");
      if (this.latest?.id === id) this.latest = undefined;
      return false;
    }
  }

  /** While this node has the build, its files do not age. */
  async renew(): Promise<void> {
    if (this.latest && (await this.latest.stored)) await touchFiles(this.db.background, this.latest.names);
  }

  async find(name: string): Promise<ConsoleFile | undefined> {
    const type = isHashed(name) ? consoleFileType(name) : undefined;
    if (type === undefined) return undefined;
    const known = this.remembered.get(name);
    if (known) return known;
    const stored = await findFile(this.db, name);
    if (!stored) return undefined;
    const content = Buffer.from(stored.content, 'hex');
    const file = stored.isGzipped
      ? { type, plain: await unzip(content), gzip: content }
      : { type, plain: content, gzip: undefined };
    this.remember(name, file);
    return file;
  }

  private remember(name: string, file: ConsoleFile): void {
    const size = file.plain.length + (file.gzip?.length ?? 0);
    if (this.rememberedBytes + size > mostRemembered) {
      this.remembered.clear();
      this.rememberedBytes = 0;
    }
    this.remembered.set(name, file);
    this.rememberedBytes += size;
  }

  async close(): Promise<void> {
    await this.latest?.stored;
  }
}
