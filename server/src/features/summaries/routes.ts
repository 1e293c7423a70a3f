import * as contract from '@rapport/contract';
import { ApiError, invalid } from '../../http/api-error.js';
import { type Caller, type Endpoint, endpoint } from '../../http/endpoint.js';
import { isZone } from '../../lib/zoned-time.js';
import { findReader } from '../accounts/index.js';
import { deleteChoice, findChoice, insertChoice } from './queries.js';
import type { SummaryNeeds } from './send-summaries.js';
import { nextMonday } from './week.js';

type Needs = Pick<SummaryNeeds, 'db' | 'clock' | 'mail'>;
type Summary = contract.DataValue<typeof contract.getWeeklySummary>;

export function summaryEndpoints(needs: Needs): Endpoint[] {
  return [
    endpoint(contract.getWeeklySummary, async ({ caller }) => ({ data: await describe(needs, caller) })),
    endpoint(contract.setWeeklySummary, async ({ caller, body }) => {
      await choose(needs, caller, body);
      return { data: await describe(needs, caller) };
    }),
  ];
}

async function describe({ db, mail }: Needs, { tenantId, accountId }: Caller): Promise<Summary> {
  const [reader, choice] = await Promise.all([
    findReader(db, tenantId, accountId),
    findChoice(db, tenantId, accountId),
  ]);
  const address = reader?.address ?? null;
  return {
    isOn: choice !== undefined,
    timeZone: choice?.timeZone ?? reader?.timeZone ?? 'UTC',
    nextAt: choice?.nextAt ?? null,
    address,
    obstacle: mail.obstacleTo(address),
  };
}

const obstacles = {
  noAddress: 'This account belongs to a program: only people who sign in get the weekly summary.',
  noMailServer: 'The service has no mail server of its own, so it cannot send a summary. An operator sets SMTP_URL.',
};

async function choose(
  needs: Needs,
  caller: Caller,
  { isOn, timeZone }: { isOn: boolean; timeZone?: string },
): Promise<void> {
  const { db, clock } = needs;
  const { tenantId, accountId } = caller;
  if (timeZone !== undefined && !isZone(timeZone))
    throw invalid('timeZone', 'is no time zone; give a name such as Europe/Berlin or UTC');
  if (!isOn) return deleteChoice(db, tenantId, accountId);
  const now = await describe(needs, caller);
  if (now.obstacle) throw new ApiError('INVALID_STATE', { reason: obstacles[now.obstacle] });
  const zone = timeZone ?? now.timeZone;
  const nextAt = new Date(nextMonday(clock.now().getTime(), zone)).toISOString();
  await insertChoice(db, tenantId, accountId, { timeZone: zone, nextAt });
}
