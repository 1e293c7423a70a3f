import { defineConfig } from 'vitest/config';

// The contract and the client are loaded from their sources, not from a build that may be stale.
const conditions = ['source'];
const resolve = { conditions };
const ssr = { resolve: { conditions } };

// A machine that stands still for seconds can fail a test that waits. In CI such a test is tried once more, and the report names it:
// whoever reads `retry x1` there mends it.
const retry = process.env.CI ? 1 : 0;

// The second run in CI is about the database: what asks it nothing, or the same as others do, is left out of that.
const besideTheDatabase = [
  ...['contract/**', 'server/test/openapi/**', 'server/src/app.test.ts', 'server/src/{http,lib,mail}/**'],
  ...['server/src/features/emails/{rendering,template}/**', 'server/src/features/sending/**'],
  ...['server/src/features/journeys/{definition,engine}/**', 'server/src/features/webhooks/call/**'],
  ...['**/*.property.test.ts', '**/model.test.ts'],
];

// Measures how long a second tenant waits, so it runs alone: see scripts/test.js.
const measured = ['server/test/process/hostile.test.ts'];

// What is killed or hung: about half of the time that whole processes take.
const hardTimes = ['server/src/db/embedded/**/*.test.ts'].concat(
  ['*kill', 'hung-database', 'patience', 'stop', 'rendering'].map((name) => `server/test/process/${name}.test.ts`),
);

// More of the console in Chromium: `npm run prove -- console`. With them `npm test` would take longer than 20 minutes on two cores.
const moreOfTheConsole = ['broken-links', 'contacts', 'editing', 'hurry', 'kept-forms', 'mail-pages', 'reference']
  .concat(['reports', 'segment-page', 'settings-and-data', 'sign-in', 'unsaved', 'upgrade', 'viewer', 'workspaces'])
  .map((name) => `server/test/browser/${name}.test.ts`);
const inBrowser = { fileParallelism: false, retry, testTimeout: 120_000, hookTimeout: 120_000 };

// Much more than they take: a machine that does three things at once is no fault.
const wholeProcesses = { fileParallelism: false, retry, testTimeout: 300_000, hookTimeout: 120_000 };

export default defineConfig({
  resolve,
  ssr,
  test: {
    // By default two cores would get one worker; tests that wait leave room for a third. Projects that say so still run one file at a time.
    maxWorkers: 3,
    projects: [
      {
        resolve,
        ssr,
        test: {
          // Runs again in CI on the oldest PostgreSQL and the newest Node that we support: see CONTRIBUTING.md.
          name: 'database',
          include: ['contract/src/**/*.test.ts', 'server/src/**/*.test.ts', 'server/test/openapi/**/*.test.ts'],
          exclude: ['server/src/db/embedded/**', ...(process.env.SECOND_RUN ? besideTheDatabase : [])],
          globalSetup: ['server/test/database-server.ts'],
          isolate: false,
          retry,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        resolve,
        ssr,
        test: {
          // Whole processes: the built service, its database, its commands. One at a time.
          name: 'process',
          include: ['server/test/process/**/*.test.ts'],
          exclude: [...hardTimes, ...measured],
          ...wholeProcesses,
        },
      },
      {
        resolve,
        ssr,
        test: {
          // The same, in hard times: see above. One at a time, beside the others.
          name: 'endurance',
          include: hardTimes,
          ...wholeProcesses,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'hostile',
          include: measured,
          ...wholeProcesses,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'client',
          include: ['client/src/**/*.test.ts', 'cli/src/**/*.test.ts'],
          isolate: false,
          retry,
          testTimeout: 60_000,
        },
      },
      {
        resolve,
        test: {
          name: 'console',
          include: ['console/src/**/*.test.ts'],
          isolate: false,
          retry,
          testTimeout: 60_000,
        },
      },
      {
        resolve,
        ssr,
        test: {
          // The console of the built service in Chromium; left out where there is none.
          name: 'browser',
          include: ['server/test/browser/**/*.test.ts'],
          exclude: moreOfTheConsole,
          ...inBrowser,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'browser-more',
          include: moreOfTheConsole,
          ...inBrowser,
        },
      },
    ],
  },
});
