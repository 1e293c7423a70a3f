// `npm run rapport -- bounce < mail`: takes one mail that came back, for those whose own mail server receives them.

import type { Readable } from 'node:stream';
import { takeBounce } from '@rapport/server/operator';
import { misused, readArguments } from '../arguments.js';
import { asCalled } from '../as-called.js';
import type { Call, Run } from '../command.js';
import { Complaint } from '../complaint.js';
import { fileComplaint } from '../system-error.js';

const usage = `Usage: npm run rapport -- bounce < mail

  Takes one mail from standard input: a bounce (RFC 3464, and most others), or a complaint (ARF). It finds the message by
  the return path that the mail was delivered to, else by the Message-ID of the message inside.

  The database is that of DATABASE_URL, else the embedded one under DATA_DIR (./data), as for the service. A worker of the
  service does the rest.

Ends with 0 when the mail was taken, 1 when it is no report, or on no message that is known.`;

/** Takes a mail on the data that `env` names, and says in a sentence what it was. */
export type TakeBounce = (raw: Buffer, env: NodeJS.ProcessEnv) => Promise<{ isTaken: boolean; said: string }>;

export function bounceCommand(take: TakeBounce, input: Readable & { isTTY?: boolean } = process.stdin): Run {
  return async ({ args, env }: Call) => {
    if (!readArguments(args, { usage, words: [], options: {} })) {
      console.log(asCalled(usage));
      return 0;
    }
    // People do not type a mail.
    if (input.isTTY) throw misused('Give it a mail on standard input.', usage);
    const { isTaken, said } = await take(await readMail(input), env);
    (isTaken ? console.log : console.error)(said);
    return isTaken ? 0 : 1;
  };
}

export const runBounce: Run = (call) => {
  // An exit, unlike a signal, takes a database that was started for this along.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  return bounceCommand(takeBounce)(call);
};

const mostBytes = 10 * 1024 * 1024;

async function readMail(input: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of input) {
      size += chunk.length;
      if (size > mostBytes) throw new Complaint('The mail is larger than 10 MB. A report is not: nothing was changed.');
      chunks.push(Buffer.from(chunk));
    }
  } catch (error) {
    throw fileComplaint(error, 'standard input', 'read') ?? error;
  }
  if (size === 0) throw misused('Standard input is empty.', usage);
  return Buffer.concat(chunks);
}
