// Has this contact entered this journey, and why, or why not?
import { selectDynamicNames } from '../dynamic-lists/index.js';
import { selectEmailNames } from '../emails/index.js';
import type { Explanation } from '../journeys/index.js';
import { evidenceOfCulprit } from './about-list.js';
import type { Case, Evidence, Finding, ListExplanation } from './asked.js';
import { became, isKept, skipped } from './fates.js';
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
  return [...(first ? [first] : []), ...others].map((reason) => {
    const { at, what, holds, detail } = reason;
    const ref = { kind: 'journey' as const, id: journeyId };
    return { at, holds, kind: kinds[what], text: words.plain(detail), ...factOf(reason, journeyId), ref };
  });
}

function factOf({ state, staticListId }: Reason, journeyId: string): Pick<Evidence, 'fact'> {
  if (state !== undefined)
    return { fact: { code: state === 'paused' ? 'journeyPaused' : 'journeyNotActive', journeyId } };
  return staticListId === undefined ? {} : { fact: { code: 'notInList', staticListId } };
}

/** Where the journey asks for a list that the contact is not in: what keeps the contact out of that. */
async function evidenceOfLists(
  { db, tenantId }: Case,
  { reasons }: Explanation,
  explainList: (dynamicListId: string) => Promise<ListExplanation>,
): Promise<Evidence[]> {
  const ids = [...new Set(reasons.flatMap(({ dynamicListId }) => dynamicListId ?? []))];
  const names = await selectDynamicNames(db, tenantId, ids);
  const found: Evidence[] = [];
  // A list that is gone has no condition to change.
  for (const [id, name] of names) found.push(...evidenceOfCulprit({ id, name }, await explainList(id)));
  return found;
}

export async function aboutJourney(
  one: Case,
  journey: { id: string; name: string },
  explained: Explanation,
  explainList: (dynamicListId: string) => Promise<ListExplanation>,
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
    evidence: [
      ...evidenceOf(one, journey.id, explained),
      ...(await evidenceOfLists(one, explained, explainList)),
      ...(await mailOf(one, messages)),
    ],
  };
}

async function mailOf({ db, tenantId, words }: Case, messages: Explanation['messages']): Promise<Evidence[]> {
  const names = await selectEmailNames(db, tenantId, [...new Set(messages.map(({ emailId }) => emailId))]);
  return messages.map(({ stepId, stepName = stepId, emailId, state, reason }) => {
    const lies = isKept({ state, reason });
    const name = names.get(emailId);
    const email = name === undefined ? 'A deleted email' : quoted(name);
    const told =
      state === 'notReached'
        ? `The step “${stepName}”, which sends ${clause(email)}, was not reached`
        : `${email}, which the step “${stepName}” sends, ${lies ? 'is kept in the outbox' : became[state]}`;
    const because = reason === null || lies ? '' : `: ${skipped[reason] ?? clause(words.plain(reason))}`;
    return {
      at: null,
      holds: state === 'delivered' || (state === 'sent' && !lies),
      kind: 'step',
      text: `${told}${because}.`,
      ref: { kind: 'email', id: emailId },
    };
  });
}
