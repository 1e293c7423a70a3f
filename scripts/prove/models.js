// The properties and models of the suite, each run many times more often than there: filters against an interpreter, journeys on one to
// three workers against another, contacts, events and Segment calls against plain models.
import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { fileURLToPath } from 'node:url';

export const claim = 'filters, journeys, contacts and events do what plain models of them say, whatever comes';

const factor = '10';

/** @param {{ say: (line: string) => void, seed?: number }} options */
export async function prove({ say, seed = randomInt(2 ** 31) }) {
  say(`samples of seed ${seed}`);
  const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
  const args = [
    vitest,
    'run',
    '--project',
    'database',
    '--testTimeout',
    '1200000',
    '.property.test.ts',
    'model.test.ts',
  ];
  const env = { ...process.env, RUNS_FACTOR: factor, PROPERTY_SEED: String(seed) };
  const child = spawn(process.execPath, args, { stdio: 'inherit', env });
  const code = await new Promise((resolve) => child.on('close', resolve));
  say(code === 0 ? `${factor} times as many samples as in the suite` : 'see above');
  return { summary: 'all models were compared', problems: code === 0 ? [] : ['something is not as its model says'] };
}
