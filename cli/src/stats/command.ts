// `npm run rapport -- stats verify`: counts everything again, and says where the figures differ.

import { onExistingData, readConfig, verifyFigures } from '@rapport/server/operator';
import { readArguments } from '../arguments.js';
import { asCalled } from '../as-called.js';
import type { Call, Run } from '../command.js';

const usage = `Usage: npm run rapport -- stats verify

  Counts the figures of messages and journeys of every tenant again, from the messages and enrolments themselves, and
  compares them with those that statistics are read from. The service may go on: each tenant is compared at one moment.
  Nothing is changed.

  The database is that of DATABASE_URL, else the embedded one under DATA_DIR (./data), as for the service. See
  docs/statistics.md.

Ends with 0 when there is no difference, 1 when there is one.`;

/** What was compared of a tenant, and in a sentence each, what is not as it was counted. */
export interface Verified {
  tenantId: number;
  name: string;
  messages: number;
  journeys: number;
  differences: readonly string[];
}
/** Compares tenant by tenant on the data that `env` names; `told` hears of each when it is done. */
type Verify = (env: NodeJS.ProcessEnv, told: (verified: Verified) => void) => Promise<void>;

// A tenant whose figures are all wrong needs no thousand lines to say so.
const mostShown = 20;

export function statsCommand(verify: Verify): Run {
  return async ({ args, env }: Call) => {
    if (!readArguments(args, { usage, words: [{ oneOf: ['verify'] }], options: {} })) {
      console.log(asCalled(usage));
      return 0;
    }
    const sums = { tenants: 0, messages: 0, journeys: 0, differences: 0 };
    await verify(env, (verified) => {
      sums.tenants++;
      sums.messages += verified.messages;
      sums.journeys += verified.journeys;
      sums.differences += verified.differences.length;
      say(verified);
    });
    const compared = `Counted again: ${counted(sums.messages, 'figure')} of messages and ${counted(sums.journeys, 'figure')} of journeys, of ${counted(sums.tenants, 'tenant')}.`;
    if (sums.differences === 0) {
      console.log(`${compared} There is no difference.`);
      return 0;
    }
    console.error(`${compared} Differences: ${sums.differences}. Please report them: there should be none.`);
    return 1;
  };
}

function say({ tenantId, name, messages, journeys, differences }: Verified): void {
  const found = differences.length === 0 ? 'no difference' : `${counted(differences.length, 'difference')}:`;
  console.log(`Tenant ${tenantId} (${name}): ${messages} of messages, ${journeys} of journeys, ${found}`);
  for (const difference of differences.slice(0, mostShown)) console.error(`  ${difference}`);
  if (differences.length > mostShown) console.error(`  … and ${differences.length - mostShown} more`);
}

function counted(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}

export const runStats: Run = (call) => {
  // An exit, unlike a signal, takes a database that was started for this along.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  return statsCommand((env, told) => onExistingData(readConfig(env), (connection) => verifyFigures(connection, told)))(
    call,
  );
};
