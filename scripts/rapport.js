// `npm run rapport -- <command>`: what an operator does beside running the service.
// Commands are loaded when asked for: import needs no build, the others do.

const commands = {
  import: {
    does: 'import a CSV or NDJSON file of contacts',
    run: async (args) => (await import('./rapport/import.js')).run(args),
  },
  backup: {
    does: 'write everything in the database to a file',
    run: async (args) => (await import('./rapport/whole-database.js')).run('backup', args),
  },
  restore: {
    does: 'read such a file into an empty database',
    run: async (args) => (await import('./rapport/whole-database.js')).run('restore', args),
  },
};

const usage = [
  'Usage: npm run rapport -- <command> …',
  '',
  ...Object.entries(commands).map(([name, { does }]) => `  ${name.padEnd(8)} ${does}`),
].join('\n');

/** An Error is one of our own sentences; a TypeError and its like is a bug and needs its stack. */
function explain(error) {
  const isBug = /^(Type|Range|Reference|Syntax)Error$/.test(error?.name ?? '');
  return isBug || !(error instanceof Error) ? (error?.stack ?? String(error)) : error.message;
}

const [name = '', ...args] = process.argv.slice(2);
if (!Object.hasOwn(commands, name)) {
  const isAsked = name === '' || name === '--help' || name === 'help';
  (isAsked ? console.log : console.error)(isAsked ? usage : `There is no command "${name}".\n\n${usage}`);
  process.exitCode = isAsked ? 0 : 1;
} else {
  try {
    process.exitCode = (await commands[name].run(args)) ?? 0;
  } catch (error) {
    console.error(explain(error));
    process.exitCode = 1;
  }
}
