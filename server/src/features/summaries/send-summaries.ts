// Sends the weekly summaries that are due, through the service's own mail.
import type { FastifyBaseLogger } from 'fastify';
import type { Database } from '../../db/database.js';
import type { Clock } from '../../lib/clock.js';
import { inSteps } from '../../work/chores.js';
import type { AccountMail, StopLinks } from '../accounts/index.js';
import { getOverview } from '../stats/index.js';
import { summaryLetter } from './letter.js';
import { type DueSummary, dropOrphans, moveOn, selectDue } from './queries.js';
import { nextMonday, weekBefore } from './week.js';

export interface SummaryNeeds {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  baseUrl: () => string;
  mail: AccountMail;
  links: StopLinks;
}

/**
 * Without a mail server they wait. A week that passed meanwhile is left out: only the last one is news. One that cannot be made is tried
 * again next time; those after it leave all the same.
 */
export async function sendSummaries(needs: SummaryNeeds, signal?: AbortSignal, atOnce = 20): Promise<void> {
  const { db, clock, mail } = needs;
  if (!mail.isOn) return;
  await dropOrphans(db.background);
  const now = clock.now().toISOString();
  let last: DueSummary | undefined;
  const sendSome = async (atMost: number) => {
    const due = await selectDue(db.background, now, last, atMost);
    for (const each of due) await tryOne(needs, each);
    last = due.at(-1);
    return due.length;
  };
  await inSteps(sendSome, signal, atOnce);
}

async function tryOne(needs: SummaryNeeds, due: DueSummary): Promise<void> {
  const { tenantId, accountId } = due;
  try {
    await sendOne(needs, due);
  } catch (err) {
    needs.log.error({ err, tenantId, accountId }, 'a weekly summary could not be made; it is tried again');
  }
}

async function sendOne({ db, clock, baseUrl, mail, links }: SummaryNeeds, due: DueSummary): Promise<void> {
  const { tenantId, accountId, timeZone, address, workspace } = due;
  const now = clock.now().getTime();
  const { startTime, endTime, first, last, days } = weekBefore(now, timeZone);
  const next = new Date(nextMonday(now, timeZone)).toISOString();
  const overview = await getOverview(db, tenantId, { startTime, endTime, interval: 'day' }, next);
  const letter = summaryLetter({
    ...{ workspace, timeZone, days, overview, usefulUntil: next },
    link: `${baseUrl()}/console/reports?period=custom&from=${first}&to=${last}`,
    stopLink: `${baseUrl()}${links.pathFor(tenantId, accountId)}`,
  });
  await db.transaction(async (tx) => {
    if (await moveOn(tx, due, next)) await mail.enqueue(tx, tenantId, address, letter);
  });
}
