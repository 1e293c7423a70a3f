import type { Acknowledger } from '../transactions/index.js';
import { type Fate, fateWrite } from './fates/fate.js';
import type { Notice } from './notices.js';

// Notices per write: a worker's turn takes as many as fit.
const mostInWrite = 200;

/** Queues what providers and bounces report. Resolves once it is durably stored; it is applied in its turn. */
export async function takeNotices(
  acknowledger: Acknowledger,
  tenantId: number,
  notices: readonly Notice[],
  now: string,
): Promise<void> {
  const fates = notices
    .filter(({ messageId, email }) => messageId !== null || email !== null)
    .map((notice) => fateOf(notice, now));
  for (let from = 0; from < fates.length; from += mostInWrite)
    await acknowledger.acknowledge(fateWrite(tenantId, fates.slice(from, from + mostInWrite)));
}

/** A time in the future becomes now: otherwise it would count in every coming day. */
function fateOf({ what, messageId, email, at, reason, isHard, suppresses }: Notice, now: string): Fate {
  const about = { messageId, email, at: at !== null && at > now ? now : at, reason };
  return what === 'bounced' ? { what, ...about, isHard, suppresses } : { what, ...about };
}
