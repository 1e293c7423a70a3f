// `npm run rapport -- consent export`: what contacts agreed to, with how that came about, as a file.

import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { exportConsent, onExistingData, readConfig } from '@rapport/server/operator';
import { misused, readArguments } from '../arguments.js';
import { asCalled } from '../as-called.js';
import type { Call, Run } from '../command.js';
import { fromHere } from '../from-here.js';

const usage = `Usage: npm run rapport -- consent export <file.csv> [--tenant <number>]

  Writes a line for each contact and topic of which something was said: who, which topic, the state and since when, and
  its evidence: the source, the form, the words that were agreed to, when, and whose token it was. Contacts for whom the
  default of a topic holds are not in it. The service may go on. Nothing is changed.

  --tenant <number>  this tenant alone

  The database is that of DATABASE_URL, else the embedded one under DATA_DIR (./data), as for the service. A file that is
  there already is kept. See docs/consent.md.

Ends with 0 when the file is whole.`;

const shape = {
  usage,
  words: [{ oneOf: ['export'] }, { missing: 'Say which file to write.' }],
  options: { tenant: { type: 'string' } },
} as const;

/** Lines of CSV, the first with the names of the columns, from the data that `env` names. */
type Export = (
  env: NodeJS.ProcessEnv,
  tenantId: number | undefined,
  write: (lines: AsyncIterable<string>) => Promise<void>,
) => Promise<void>;

export function consentCommand(readLines: Export): Run {
  return async ({ args, env }: Call) => {
    const given = readArguments(args, shape);
    if (!given) {
      console.log(asCalled(usage));
      return 0;
    }
    const file = fromHere(env, given.words[1] as string);
    const { tenant } = given.values;
    if (tenant !== undefined && !/^\d{1,15}$/.test(tenant))
      throw misused(`"${tenant}" is no number of a tenant.`, usage);
    let rows = -1;
    await readLines(env, tenant === undefined ? undefined : Number(tenant), (lines) =>
      pipeline(
        lines,
        async function* (each) {
          for await (const line of each) {
            rows++;
            yield line;
          }
        },
        // For the owner alone: it is about people.
        createWriteStream(file, { flags: 'wx', mode: 0o600 }),
      ),
    );
    console.log(`${rows} ${rows === 1 ? 'line' : 'lines'} in ${file}`);
    return 0;
  };
}

export const runConsent = consentCommand((env, tenantId, write) =>
  onExistingData(readConfig(env), (connection) => exportConsent(connection, tenantId, write)),
);
