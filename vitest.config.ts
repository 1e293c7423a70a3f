import { defineConfig } from 'vitest/config';
import { freshParts } from './server/test/fresh-parts.js';

// The contract and the client are loaded from their sources, not from a build that may be stale.
const conditions = ['source'];
const fromSources = { resolve: { conditions }, ssr: { resolve: { conditions } }, plugins: [freshParts] };

// In CI a test that fails is tried once more. If it passes then, the run still fails, unless server/test/tried-twice.json says why it may:
// so a machine that stands still for seconds costs one line in a report, not the results of everything else.
const retry = process.env.CI ? 1 : 0;
const reporters = process.env.CI ? ['default', './server/test/tried-twice.ts'] : ['default'];
// Much longer than anything takes: a busy machine is not a fault.
const patient = { retry, testTimeout: 300_000, hookTimeout: 120_000, expect: { poll: { timeout: 60_000 } } };

// The second run in CI is about the database and Node. It leaves out what asks the database nothing, or the same as other tests do.
const besideTheDatabase = [
  ...[
    'contract/**',
    'server/test/openapi/**',
    'server/src/{app,outside-the-versions}.test.ts',
    'server/src/{http,lib,mail}/**',
  ],
  ...['server/src/features/emails/{rendering,template}/**', 'server/src/features/sending/**'],
  ...['server/src/features/journeys/{definition,engine}/**', 'server/src/features/webhooks/call/**'],
  ...['**/*.property.test.ts', '**/model.test.ts'],
];

// Programs of others read the OpenAPI documents: two generators of clients, and a linter. Only a change of the contract can break them.
const document = ['server/test/openapi/{clients,lint}.test.ts'];

// What people get: the packages, a tree that they may only read, and docs whose shell blocks work.
const delivery = ['docs', 'packages', 'read-only'].map((name) => `server/test/process/${name}.test.ts`);

// Measures how long a second tenant waits, so it runs alone: see scripts/test.js.
const measured = ['server/test/process/hostile.test.ts'];

// Its packages have sources under the same condition as ours, which Node cannot load.
const officialClient = { deps: { inline: [/@modelcontextprotocol\/client/, /eventsource/] } };

// Processes that are killed, or hang.
const endurance = ['server/src/db/embedded/**/*.test.ts'].concat(
  ['*kill', 'hung-database', 'patience', 'stop', 'rendering'].map((name) => `server/test/process/${name}.test.ts`),
);

// The console in Chromium, as `npm test` tries it: what holds for every page, and the main flows.
const mainFlows = ['audience', 'failing-pages', 'journey-canvas', 'keyboard', 'pages', 'phone-pages', 'session']
  .concat(['tab-order', 'way-to-a-journey', 'why'])
  .map((name) => `server/test/browser/${name}.test.ts`);
const inBrowser = { globalSetup: ['server/test/browser/demo-services.ts'], isolate: false, ...patient };

// The samples of property tests.
const seeded = ['server/test/property-seed.ts'];

const wholeProcesses = { fileParallelism: false, ...patient };

export default defineConfig({
  ...fromSources,
  test: {
    // By default two cores would get one worker; tests that wait leave room for a third. Projects that say so still run one file at a time.
    maxWorkers: 3,
    reporters,
    projects: [
      {
        ...fromSources,
        test: {
          // Runs again in CI on the oldest PostgreSQL and the newest Node that we support: see CONTRIBUTING.md.
          name: 'database',
          include: [
            'contract/src/**/*.test.ts',
            'server/src/**/*.test.ts',
            'server/test/{openapi,tenancy}/**/*.test.ts',
          ],
          exclude: ['server/src/db/embedded/**', ...document, ...(process.env.SECOND_RUN ? besideTheDatabase : [])],
          globalSetup: ['server/test/database-server.ts'],
          setupFiles: [...seeded, 'server/test/tenancy/watch.ts'],
          server: officialClient,
          isolate: false,
          ...patient,
        },
      },
      {
        ...fromSources,
        test: {
          name: 'client',
          include: ['client/src/**/*.test.ts', 'cli/src/**/*.test.ts'],
          setupFiles: seeded,
          isolate: false,
          ...patient,
        },
      },
      {
        ...fromSources,
        test: {
          name: 'console',
          include: ['console/src/**/*.test.{ts,tsx}'],
          setupFiles: seeded,
          isolate: false,
          ...patient,
        },
      },
      {
        ...fromSources,
        test: {
          // Whole processes: the built service, its database, its commands. One at a time.
          name: 'process',
          include: ['server/test/process/**/*.test.ts'],
          exclude: [...delivery, ...endurance, ...measured],
          server: officialClient,
          ...wholeProcesses,
        },
      },
      {
        ...fromSources,
        test: {
          // The console of the built service in Chromium; left out where there is none.
          name: 'browser',
          include: mainFlows,
          ...inBrowser,
        },
      },
      {
        ...fromSources,
        test: {
          name: 'browser-rest',
          include: ['server/test/browser/**/*.test.ts'],
          exclude: mainFlows,
          ...inBrowser,
        },
      },
      {
        ...fromSources,
        test: {
          name: 'document',
          include: document,
          globalSetup: ['server/test/database-server.ts'],
          ...patient,
        },
      },
      {
        ...fromSources,
        test: {
          name: 'delivery',
          include: delivery,
          ...wholeProcesses,
        },
      },
      {
        ...fromSources,
        test: {
          name: 'endurance',
          include: endurance,
          ...wholeProcesses,
        },
      },
      {
        ...fromSources,
        test: {
          name: 'hostile',
          include: measured,
          ...wholeProcesses,
        },
      },
    ],
  },
});
