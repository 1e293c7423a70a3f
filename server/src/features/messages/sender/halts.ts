// Journeys that were paused or stopped while a sender had their messages.
import type { Halt } from '../of-journeys/queries.js';
import type { Claimed } from './queries.js';

type OfJourney = Pick<Claimed, 'journeyId' | 'queuedAt'>;
type Halts = readonly (Halt & { journeyId: string })[];

/** Whether the message has to wait until its journey resumes. */
export function isHeld({ journeyId }: OfJourney, halts: Halts): boolean {
  return halts.some((halt) => halt.isHeld && halt.journeyId === journeyId);
}

/** Why the message is not sent any more, if its journey was stopped after it was queued. */
export function stopReason({ journeyId, queuedAt }: OfJourney, halts: Halts): string | undefined {
  for (const halt of halts)
    if (halt.journeyId === journeyId && !halt.isHeld && queuedAt <= halt.stoppedAt) return halt.reason;
  return undefined;
}
