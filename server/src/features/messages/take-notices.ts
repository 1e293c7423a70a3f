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
): Promise<void> {
  const fates = notices.filter(({ messageId, email }) => messageId !== null || email !== null).map(fateOf);
  for (let from = 0; from < fates.length; from += mostInWrite)
    await acknowledger.acknowledge(fateWrite(tenantId, fates.slice(from, from + mostInWrite)));
}

function fateOf({ what, messageId, email, at, reason, isHard, suppresses }: Notice): Fate {
  const about = { messageId, email, at, reason };
  return what === 'bounced' ? { what, ...about, isHard, suppresses } : { what, ...about };
}
