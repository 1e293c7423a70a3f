// Has this contact entered this journey, and why, or why not?
import { selectEmailNames } from '../emails/index.js';
import type { Explanation } from '../journeys/index.js';
import type { Case, Evidence, Finding } from './asked.js';
import { isKept } from './fates.js';
import { clause, quoted } from './words.js';

type Reason = Explanation['reasons'][number];

const kinds: Record<Reason['what'], Evidence['kind']> = {
  journey: 'journey',
  entry: 'entry',
  reentry: 'reentry',
  entered: 'enrolment',
  waiting: 'enrolment',
  event: 'filter',
  filter: 'filter',
  goal: 'enrolment',
  exitWhen: 'filter',
  ended: 'enrolment',
  topic: 'topic',
};

/** The main reason: how the contact last entered, or the first thing that kept them out. */
export function decisiveReason({ entered, reasons }: Explanation): Reason | undefined {
  // A topic keeps back mail, and no one out.
  return reasons.find(({ what, holds }) => (entered ? what === 'entered' : !holds && what !== 'topic'));
}

/** What an explanation says, the main reason first. */
export function evidenceOf({ words }: Case, journeyId: string, explained: Explanation): Evidence[] {
  const first = decisiveReason(explained);
  const others = explained.reasons.filter((one) => one !== first);
  return [...(first ? [first] : []), ...others].map(({ at, what, holds, detail }) => ({
    ...{ at, holds, kind: kinds[what], text: words.plain(detail), ref: { kind: 'journey' as const, id: journeyId } },
  }));
}

export async function aboutJourney(
  one: Case,
  journey: { id: string; name: string },
  explained: Explanation,
): Promise<Finding> {
  const { person, words } = one;
  const { entered, messages } = explained;
  const first = decisiveReason(explained);
  const because = first ? `: ${clause(words.plain(first.detail))}` : '';
  const on = entered && first?.at ? ` on ${words.day(first.at)}` : '';
  const name = quoted(journey.name);
  const said = `${person.name} ${entered ? `entered ${name}${on}` : `has not entered ${name}`}${because}.`;
  return {
    holds: entered,
    sentence: said,
    evidence: [...evidenceOf(one, journey.id, explained), ...(await mailOf(one, messages))],
  };
}

async function mailOf({ db, tenantId, words }: Case, messages: Explanation['messages']): Promise<Evidence[]> {
  const names = await selectEmailNames(db, tenantId, [...new Set(messages.map(({ emailId }) => emailId))]);
  return messages.map(({ stepId, emailId, state, reason }) => {
    const lies = isKept({ state, reason });
    const told = state === 'notReached' ? 'not reached' : lies ? 'kept in the outbox' : state;
    const because = reason === null || lies ? '' : `: ${clause(words.plain(reason))}`;
    return {
      at: null,
      holds: state === 'delivered' || (state === 'sent' && !lies),
      kind: 'step',
      text: `The step “${stepId}” sends ${quoted(names.get(emailId) ?? null)}: ${told}${because}.`,
      ref: { kind: 'email', id: emailId },
    };
  });
}
