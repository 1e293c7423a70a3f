#!/usr/bin/env node
// `npm run rapport -- <command>`: what an operator does beside running the service. As a package, `rapport`: what needs only the API.
import { readFileSync } from 'node:fs';
import { asCalled } from './as-called.js';
import type { Run } from './command.js';
import { Complaint, codeOf, explain } from './complaint.js';
import { inPlainWords } from './system-error.js';

interface Command {
  does: string;
  /** Read only when it is called: importing needs no database driver, a backup no client. */
  load: () => Promise<Run>;
}

const commands = new Map<string, Command>([
  [
    'import',
    {
      does: 'import a CSV or NDJSON file of contacts',
      load: async () => (await import('./import/import.js')).runImport,
    },
  ],
  [
    'email',
    {
      does: 'create or update an email from a design in a file',
      load: async () => (await import('./email/command.js')).runEmail,
    },
  ],
  [
    'mcp',
    {
      does: 'let an assistant on this computer work with a workspace',
      load: async () => (await import('./mcp/command.js')).runMcp,
    },
  ],
  [
    'backup',
    {
      does: 'write everything in the database to a file',
      load: async () => (await import('./backup/command.js')).runBackup,
    },
  ],
  [
    'restore',
    {
      does: 'read such a file into an empty database',
      load: async () => (await import('./backup/command.js')).runRestore,
    },
  ],
  [
    'secrets',
    {
      does: 'give the secrets in the database a new key',
      load: async () => (await import('./secrets/command.js')).runSecrets,
    },
  ],
  [
    'bounce',
    {
      does: 'take one mail that came back, from standard input',
      load: async () => (await import('./bounce/command.js')).runBounce,
    },
  ],
  [
    'stats',
    {
      does: 'count all statistics again, and say where they differ',
      load: async () => (await import('./stats/command.js')).runStats,
    },
  ],
  [
    'sign-in-link',
    {
      does: 'make a link that signs somebody in who forgot the password',
      load: async () => (await import('./sign-in-link/command.js')).runSignInLink,
    },
  ],
  [
    'consent',
    {
      does: 'write what contacts agreed to, with its evidence, to a file',
      load: async () => (await import('./consent/command.js')).runConsent,
    },
  ],
  [
    'audit',
    {
      does: 'walk the audit log, and say where it was changed',
      load: async () => (await import('./audit/command.js')).runAudit,
    },
  ],
]);

const usage = asCalled(
  [
    'Usage: npm run rapport -- <command> …',
    '',
    ...[...commands].map(([name, { does }]) => `  ${name.padEnd(12)} ${does}`),
    '',
    '  -h, --help     this; after a command: what that takes',
    '  --version      the version of this Rapport',
  ].join('\n'),
);

async function main([name = '', ...args]: string[]): Promise<number> {
  if (name === 'help' && args.length > 0) return main([...args, '--help']);
  const command = commands.get(name);
  if (command) {
    const run = await command.load().catch((error) => {
      throw whyNotHere(error, name);
    });
    return run({ args, env: process.env });
  }
  if (name === '--version' || name === '-v') {
    console.log(version());
    return 0;
  }
  if (['', 'help', '-h', '--help'].includes(name)) {
    console.log(usage);
    return 0;
  }
  console.error(`There is no ${name.startsWith('-') ? 'option' : 'command'} "${name}".\n\n${usage}`);
  return 1;
}

/** Most commands work on the database, with the code of the service. The package comes without that. */
function whyNotHere(error: unknown, name: string): unknown {
  const isWithoutService = codeOf(error) === 'ERR_MODULE_NOT_FOUND' && String(error).includes('@rapport/server');
  return isWithoutService
    ? new Complaint(
        `"${name}" works on the database itself. Run it where the service is, in its folder: npm run rapport -- ${name}`,
      )
    : error;
}

function version(): string {
  return JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;
}

// The reader of the output may go away, as `| head` does. The work goes on: a backup is worth more than its last line.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error) => {
    if (codeOf(error) !== 'EPIPE') throw error;
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(explain(inPlainWords(error)));
  process.exitCode = 1;
}
