import type { Acknowledger } from '../transactions/index.js';
import { type Fate, fateWrite } from './fates/fate.js';
import type { Notice } from './notices.js';

// In one write: a turn of the worker takes as many as fit.
const mostInWrite = 200;

/** Keeps what providers and bounces say. Returns once it is stored for good; it takes effect in its turn. */
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

/** What is said to have happened later than now happened now: it would count in every day to come. */
function fateOf({ what, messageId, email, at, reason, isHard, suppresses }: Notice, now: string): Fate {
  const about = { messageId, email, at: at !== null && at > now ? now : at, reason };
  return what === 'bounced' ? { what, ...about, isHard, suppresses } : { what, ...about };
}
