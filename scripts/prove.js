// `npm run prove [-- name…] [--rounds 20] [--requests 20000] [--messages 20000] [--contacts 50000] [--seed 1]`: proofs that take longer than a test. Each is a file in scripts/prove/.
import { parseArgs } from 'node:util';
import { cleanUp } from '../server/test/process/service.js';
import * as audiencePlans from './prove/audience-plans.js';
import * as cluster from './prove/cluster.js';
import * as consent from './prove/consent.js';
import * as consolePages from './prove/console.js';
import * as contacts from './prove/contacts.js';
import * as events from './prove/events.js';
import * as hostile from './prove/hostile.js';
import * as bulkImport from './prove/import.js';
import * as journeys from './prove/journeys.js';
import * as lists from './prove/lists.js';
import * as listsFresh from './prove/lists-fresh.js';
import * as messages from './prove/messages.js';
import * as migrations from './prove/migrations.js';
import * as models from './prove/models.js';
import * as segment from './prove/segment.js';
import * as soak from './prove/soak.js';
import * as upgrade from './prove/upgrade.js';

const proofs = {
  'audience-plans': audiencePlans,
  console: consolePages,
  ...{
    cluster,
    consent,
    contacts,
    events,
    hostile,
    import: bulkImport,
    journeys,
    lists,
    'lists-fresh': listsFresh,
    messages,
    migrations,
    models,
    segment,
    soak,
    upgrade,
  },
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    // 20, or 30 for `cluster`.
    rounds: { type: 'string' },
    // For `hostile` only.
    requests: { type: 'string', default: '20000' },
    // For `messages` only.
    messages: { type: 'string', default: '20000' },
    // For `journeys` (50,000), `cluster` (6,000), `consent` (2,000) and `migrations` (5 million rows in each table).
    contacts: { type: 'string' },
    seed: { type: 'string' },
  },
});
const requests = Number(values.requests);
const count = Number(values.messages);
// Each proof has its own defaults for these.
const told = Object.fromEntries(
  ['rounds', 'contacts', 'seed'].flatMap((name) => (values[name] === undefined ? [] : [[name, Number(values[name])]])),
);
const unknown = positionals.filter((name) => !Object.hasOwn(proofs, name));
if (
  unknown.length ||
  ![requests, count, ...Object.values(told)].every((given) => Number.isInteger(given) && given > 0)
) {
  const usage =
    'npm run prove [-- name…] [--rounds 20] [--requests 20000] [--messages 20000] [--contacts 50000] [--seed 1]';
  console.error(`Usage: ${usage}. Names: ${Object.keys(proofs).join(', ')}.`);
  process.exit(1);
}
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
}

if (positionals.length === 0) {
  console.log('What can be proved:');
  for (const [name, { claim }] of Object.entries(proofs)) console.log(`  ${name}: ${claim}`);
}
for (const name of positionals.length ? positionals : Object.keys(proofs)) {
  const { claim, prove, defaults } = proofs[name];
  console.log(`\n${name}: ${claim}`);
  const { summary, problems } = await prove({
    ...{ rounds: 20, contacts: 50_000, ...defaults, ...told, requests, messages: count },
    say: (line) => console.log(`  ${line}`),
  });
  console.log(problems.length ? `NOT PROVED (${summary}):\n  ${problems.join('\n  ')}` : `proved: ${summary}`);
  if (problems.length) process.exitCode = 1;
}
