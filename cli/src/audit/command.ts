// `npm run rapport -- audit verify`: walks the chain of hashes, and says where it is broken.

import { onExistingData, readConfig, verifyAudit } from '@rapport/server/operator';
import { readArguments } from '../arguments.js';
import { asCalled } from '../as-called.js';
import type { Call, Run } from '../command.js';
import { Complaint } from '../complaint.js';

const usage = `Usage: npm run rapport -- audit verify [--tenant <number> [--expect <hash>]]

  Walks the audit log of every tenant, or of one: each entry's hash covers the one before, so that nothing can be
  changed, left out, put in or moved unnoticed. The service may go on. Nothing is changed.

  Anyone who can write to the database can also cut off the end of a log together with its head, or rewrite all of it:
  that shows only to those who kept a hash elsewhere. The last hash of each tenant is printed; note it now and then
  where the database's users cannot reach it, and give it back:

  --tenant <number>  this tenant alone
  --expect <hash>    an entry of this tenant must have this hash, which was the last one once

  The database is that of DATABASE_URL, else the embedded one under DATA_DIR (./data), as for the service. See
  docs/operations.md.

Ends with 0 when every log is whole, 1 when one is not, or when there is no such tenant.`;

const shape = {
  usage,
  words: [{ oneOf: ['verify'] }],
  options: { tenant: { type: 'string' }, expect: { type: 'string' } },
} as const;

/** The log of a tenant as it was found, and in a sentence each, what is wrong with it. */
export interface VerifiedLog {
  tenantId: number;
  entries: number;
  lastHash: string | null;
  faults: readonly string[];
}
/** Of one tenant alone, and a hash that an entry of it must have. */
export interface AuditOptions {
  tenantId?: number;
  expected?: string;
}
/** Walks log by log on the data that `env` names; `told` hears of each when it is done. */
type Verify = (env: NodeJS.ProcessEnv, told: (verified: VerifiedLog) => void, asked: AuditOptions) => Promise<void>;

export function auditCommand(verify: Verify): Run {
  return async ({ args, env }: Call) => {
    const given = readArguments(args, shape);
    if (!given) {
      console.log(asCalled(usage));
      return 0;
    }
    const asked = read(given.values);
    const sums = { logs: 0, entries: 0, faults: 0 };
    await verify(
      env,
      (verified) => {
        sums.logs++;
        sums.entries += verified.entries;
        sums.faults += verified.faults.length;
        say(verified);
      },
      asked,
    );
    if (sums.logs === 0) return sayNothingFound(asked);
    const walked = `Walked: ${counted(sums.entries, 'entry', 'entries')} of ${counted(sums.logs, 'log', 'logs')}.`;
    if (sums.faults === 0) {
      console.log(`${walked} Every log is whole.`);
      return 0;
    }
    console.error(
      `${walked} Faults: ${sums.faults}. Somebody with access to the database changed the log: keep a copy of it as it is, find out who has that access, and compare with a backup.`,
    );
    return 1;
  };
}

function sayNothingFound({ tenantId }: AuditOptions): number {
  if (tenantId !== undefined)
    throw new Complaint(`There is no tenant ${tenantId}. Name another, or leave --tenant out for all.`);
  console.log('There is no log yet: nothing was written down.');
  return 0;
}

function read({ tenant, expect }: { tenant?: string; expect?: string }): AuditOptions {
  if (tenant !== undefined && !/^[1-9]\d{0,14}$/.test(tenant))
    throw new Complaint('--tenant takes the number of a tenant, such as 1.');
  if (expect !== undefined && !/^[0-9a-f]{64}$/i.test(expect))
    throw new Complaint('--expect takes a hash as this command prints it: 64 hexadecimal digits.');
  if (expect !== undefined && tenant === undefined)
    throw new Complaint('--expect is about one tenant: name it with --tenant <number>.');
  return {
    ...(tenant === undefined ? {} : { tenantId: Number(tenant) }),
    ...(expect === undefined ? {} : { expected: expect.toLowerCase() }),
  };
}

function say({ tenantId, entries, lastHash, faults }: VerifiedLog): void {
  const found = faults.length === 0 ? 'whole' : `${counted(faults.length, 'fault', 'faults')}:`;
  const last = lastHash === null ? '' : `, the last hash is ${lastHash}`;
  console.log(`Tenant ${tenantId}: ${counted(entries, 'entry', 'entries')}${last}, ${found}`);
  for (const fault of faults) console.error(`  ${fault}`);
}

function counted(n: number, one: string, many: string): string {
  return `${n} ${n === 1 ? one : many}`;
}

export const runAudit: Run = (call) => {
  // An exit, unlike a signal, takes a database that was started for this along.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  return auditCommand((env, told, asked) =>
    onExistingData(readConfig(env), (connection) => verifyAudit(connection, told, asked)),
  )(call);
};
