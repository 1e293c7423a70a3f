// `npm run bench [-- name…]`: each bench prints what it measured and the limit it is compared with, in one run.
import { cleanUp } from '../server/test/process/service.js';
import * as activity from './activity.js';
import * as agents from './agents.js';
import * as audiences from './audiences.js';
import * as bulkheads from './bulkheads.js';
import * as consent from './consent.js';
import * as consolePages from './console.js';
import * as contacts from './contacts.js';
import * as designs from './designs.js';
import * as events from './events.js';
import * as fairness from './fairness.js';
import * as journeys from './journeys.js';
import * as lists from './lists.js';
import * as messages from './messages.js';
import * as news from './news.js';
import * as plans from './plans.js';
import { machine } from './processes.js';
import * as queues from './queues.js';
import * as render from './render.js';
import * as scale from './scale.js';
import * as start from './start.js';
import * as statistics from './statistics.js';
import * as tokens from './tokens.js';
import * as typing from './typing.js';

/** @type {Record<string, { bench: (say: (line: string) => void) => Promise<void> }>} */
const benches = {
  activity,
  agents,
  audiences,
  bulkheads,
  consent,
  console: consolePages,
  contacts,
  designs,
  events,
  fairness,
  journeys,
  lists,
  messages,
  news,
  plans,
  queues,
  render,
  scale,
  start,
  statistics,
  tokens,
  typing,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(benches, name));
if (unknown.length) {
  console.error(`Usage: npm run bench [-- name…]. Names: ${Object.keys(benches).join(', ')}.`);
  process.exit(1);
}
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
}

console.log(machine());
// It takes hours and many gigabytes, so it runs only by name.
const all = Object.keys(benches).filter((name) => name !== 'scale');
for (const name of wanted.length ? wanted : all) {
  console.log(`\n${name}`);
  try {
    await benches[name]?.bench((line) => console.log(`  ${line}`));
  } finally {
    await cleanUp();
  }
}
