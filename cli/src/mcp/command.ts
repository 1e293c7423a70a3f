// `npm run --silent rapport -- mcp`: lets an assistant on this computer work with a workspace, with a personal token.

import { readArguments } from '../arguments.js';
import { asCalled } from '../as-called.js';
import type { Call } from '../command.js';
import { findService } from '../service.js';
import { relay } from './relay.js';

const usage = `Usage: npm run --silent rapport -- mcp [options]

  Speaks the Model Context Protocol over standard input and output, with the tools of the service's /mcp. An assistant
  starts it; see docs/agents.md for what to put into its settings.

  --url <address>   the service; RAPPORT_URL, else http://127.0.0.1:8080
  --token <token>   a personal token; RAPPORT_TOKEN, else the demo token in DATA_DIR (./data). With READ alone it only reads
  --read-only       leaves the tools out that write
  -h, --help

Ends with 0 when the assistant closes it.`;

const text = { type: 'string' } as const;
const shape = { usage, words: [], options: { url: text, token: text, 'read-only': { type: 'boolean' } } } as const;

export async function runMcp({ args, env }: Call): Promise<number> {
  const read = readArguments(args, shape);
  if (!read) {
    console.log(asCalled(usage));
    return 0;
  }
  const { values } = read;
  await relay(process.stdin, process.stdout, {
    ...(await findService(values, env)),
    readOnly: values['read-only'] ?? false,
  });
  return 0;
}
