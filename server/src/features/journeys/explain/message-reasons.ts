// What became of each email of a journey for a contact.
import type { ToldOfJourney } from '../../messages/index.js';
import type { Definition, Step } from '../definition/definition.js';
import { callStep } from '../definition/say-step.js';
import type { ToldEnrolment } from './queries.js';
import { type Explanation, sayExit } from './reason.js';

type Told = Explanation['messages'][number];

/** What is in the ledger, then the steps that the newest enrolment has not come to. */
export function messageReasons(
  messages: readonly ToldOfJourney[],
  last: ToldEnrolment | undefined,
  { steps }: Definition,
  now: number,
  keepBack: (emailId: string) => string | undefined,
): Told[] {
  const reached = new Set(messages.filter((one) => one.enrolmentId === last?.enrolmentId).map(({ stepId }) => stepId));
  return [
    ...messages.map(({ stepId, emailId, state, ...rest }) => ({
      ...{ stepId, ...nameOf(steps, stepId), emailId, state },
      reason: (state === 'skipped' && rest.reason === 'topic' && keepBack(emailId)) || reasonOf(state, rest, now),
    })),
    ...steps.flatMap((step): Told[] =>
      step.type !== 'sendEmail' || reached.has(step.id)
        ? []
        : [
            {
              ...{ stepId: step.id, ...nameOf(steps, step.id), emailId: step.emailId },
              ...{ state: 'notReached', reason: whyNotReached(last, steps) },
            },
          ],
    ),
  ];
}

function reasonOf(
  state: ToldOfJourney['state'],
  { reason, dueAt, isHeld }: Pick<ToldOfJourney, 'reason' | 'dueAt' | 'isHeld'>,
  now: number,
): string | null {
  if (state !== 'queued') return reason;
  if (isHeld) return 'Held: the journey is paused.';
  return Date.parse(dueAt) > now
    ? `Scheduled for ${dueAt}: outside the sending window until then, or an attempt failed.`
    : reason;
}

function nameOf(steps: readonly Step[], stepId: string): { stepName?: string } {
  const name = steps.find(({ id }) => id === stepId)?.name;
  return name === undefined ? {} : { stepName: name };
}

function whyNotReached(last: ToldEnrolment | undefined, steps: readonly Step[]): string {
  if (!last) return 'They have not entered.';
  if (last.state === 'active') {
    const at = steps.find(({ id }) => id === last.stepId) ?? { id: last.stepId ?? '' };
    return `They are at the step ${callStep(at)}.`;
  }
  if (last.state === 'completed') return 'They completed the journey by another path.';
  return `They exited before: ${sayExit(last.reason)}.`;
}
