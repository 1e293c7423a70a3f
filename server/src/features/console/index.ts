import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Database } from '../../db/database.js';
import { installConsole } from '../../http/console.js';
import { inSteps } from '../../work/chores.js';
import { KeptFiles } from './kept-files.js';
import { sweepFiles } from './queries.js';

/** Days that files are kept after the last node with that build. A tab that is open for longer must be reloaded. */
const keptDays = 14;

interface ConsoleNeeds {
  db: Database;
  log: FastifyBaseLogger;
  /** What a preview shows of an email. */
  shownOf: (html: string) => string;
}

/** The pages for people. They work through the API; this feature only serves their files. */
export function consolePages({ db, log, shownOf }: ConsoleNeeds) {
  const files = new KeptFiles(db, log);
  const run = async (signal: AbortSignal) => {
    await files.renew();
    await inSteps((atMost) => sweepFiles(db.background, keptDays, atMost), signal, 100);
  };
  return {
    install: (http: FastifyInstance) => installConsole(http, { others: files, shownOf }),
    chores: [{ name: 'files of earlier consoles', everyMs: 3_600_000, everywhere: true, run }],
    close: () => files.close(),
  };
}
