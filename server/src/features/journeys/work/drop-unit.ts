// What becomes of a unit that fails alone: its enrolment ends with the reason, and everybody else goes on.
import type { Transaction } from '../../../db/database.js';
import { endRunStep, putDates } from '../entries/queries.js';
import {
  delayEnrolment,
  deleteNews,
  findActive,
  findNews,
  type NewsKey,
  type Pair,
  selectActive,
} from '../turn/queries.js';
import type { Turn } from './turn.js';

/** `unit` is a name that take() gave. Returns whether there was such a unit. */
export async function dropUnit(turn: Turn, unit: string, why: string): Promise<boolean> {
  const { tx, tenantId, now } = turn.context;
  const [kind, ...parts] = unit.split(':') as [string, ...string[]];
  const [first = '', second = '', third = ''] = parts;
  switch (kind) {
    case 'enrolment': {
      const row = await findActive(tx, tenantId, first);
      if (!row) return false;
      for (const one of await turn.enrolments.add([row])) one.fail(`It ${why}`, now);
      await turn.store();
      return true;
    }
    case 'news':
      return dropNews(turn, { journeyNo: Number(first), newsNo: Number(second) }, why);
    case 'member':
      await endRunStep(tx, tenantId, { runId: first, chunkNo: Number(second), contactIds: [third] });
      return true;
    case 'date':
      await putDates(tx, tenantId, [{ journeyNo: Number(first), contactId: second, dueAt: null }]);
      return true;
    default:
      return false;
  }
}

/** Those whom it concerned end. Whom it should have started was not there yet, and enters by it no more. */
async function dropNews(turn: Turn, key: NewsKey, why: string): Promise<boolean> {
  const { tx, tenantId, now } = turn.context;
  const news = await findNews(tx, tenantId, key);
  if (!news) return false;
  const pair: Pair = { journeyNo: news.journeyNo, contactId: news.contactId };
  const rows = (await selectActive(tx, tenantId, [pair])).filter(
    ({ enrolmentId, phase }) => (news.enrolmentId ?? enrolmentId) === enrolmentId && phase !== 'ready',
  );
  for (const one of await turn.enrolments.add(rows)) one.fail(`It ${why}`, now);
  await turn.store();
  await deleteNews(tx, tenantId, [key]);
  return true;
}

/** News keep their order, and are tried again at the next look; an enrolment makes room for others. */
export async function postponeUnit(tx: Transaction, tenantId: number, unit: string, waitMs: number): Promise<void> {
  const [kind, id = ''] = unit.split(':');
  if (kind === 'enrolment') await delayEnrolment(tx, tenantId, id, waitMs);
}
