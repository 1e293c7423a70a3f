// Did this email reach this contact in any way, and why or why not?
import { type Explanation, selectSenders } from '../journeys/index.js';
import { type LedgerRow, selectOfEmail } from '../messages/index.js';
import { decisiveReason, evidenceOf as evidenceOfJourney } from './about-journey.js';
import { aboutMessage, evidenceOf, evidenceOfTopic, obstacles, topicOf } from './about-message.js';
import type { Case, Evidence, Finding } from './asked.js';
import { hasArrived, isOnItsWay } from './fates.js';
import { clause, quoted } from './words.js';

const mostMessages = 20;
/** Each is explained as a whole. */
const mostJourneys = 5;

type Explain = (journeyId: string) => Promise<Explanation>;

export async function aboutEmail(one: Case, email: { id: string; name: string }, explain: Explain): Promise<Finding> {
  const { db, tenantId, person } = one;
  const messages = await selectOfEmail(db, tenantId, person.contactId, email.id, mostMessages);
  const told = messages.find(hasArrived) ?? messages.find(isOnItsWay) ?? messages[0];
  if (told) return ofMessages(one, email.name, told, messages);
  const journeys = await selectSenders(db, tenantId, email.id, mostJourneys);
  const topic = await topicOf(one, email.id);
  const refused = topic && topic.state !== 'subscribed' ? [evidenceOfTopic(one, topic)] : [];
  const kept = [...(await obstacles(one, false)), ...refused];
  const never = `${person.name} did not get ${quoted(email.name)}`;
  const [first] = journeys;
  if (!first) {
    const text = 'No journey sends this email, and it was not sent to them directly.';
    const fact = { code: 'neverSent' as const, emailId: email.id };
    const ref = { kind: 'email' as const, id: email.id };
    const evidence: Evidence = { at: null, holds: false, kind: 'email', text, fact, ref };
    return { holds: false, sentence: `${never}: ${clause(text)}${also(kept)}.`, evidence: [evidence, ...kept] };
  }
  const explained = await explain(first.journeyId);
  const evidence = evidenceOfSender(one, first, email.id, explained);
  for (const { journeyId, name } of journeys.slice(1))
    evidence.push(...evidenceOfSender(one, { journeyId, name }, email.id, await explain(journeyId)));
  const [decisive, ...others] = evidence;
  const why = `the journey ${quoted(first.name)} sends it, but ${clause(whyNot(one, email.id, explained))}`;
  return {
    holds: false,
    sentence: `${never}: ${why}${also(kept)}.`,
    evidence: [...(decisive ? [decisive] : []), ...kept, ...others],
  };
}

async function ofMessages(one: Case, name: string, told: LedgerRow, messages: readonly LedgerRow[]): Promise<Finding> {
  const { evidence, ...finding } = await aboutMessage(one, told, name);
  const others = messages.filter((message) => message !== told).flatMap((message) => evidenceOf(one, message));
  return { ...finding, evidence: [...evidence, ...others] };
}

/** What else keeps mail back: without it the answer would suggest a change that does not help. */
function also(kept: readonly Evidence[]): string {
  const [first] = kept;
  return first ? `; also, ${clause(first.text)}` : '';
}

/** Why a journey that sends it did not: the contact did not enter, or has not reached that step. */
function whyNot({ words }: Case, emailId: string, explained: Explanation): string {
  const step = explained.messages.find((message) => message.emailId === emailId);
  const told = explained.entered && step?.reason ? step.reason : decisiveReason(explained)?.detail;
  return words.plain(told ?? 'they have not reached that step');
}

function evidenceOfSender(
  one: Case,
  { journeyId, name }: { journeyId: string; name: string },
  emailId: string,
  explained: Explanation,
): Evidence[] {
  const ref = { kind: 'journey' as const, id: journeyId };
  const step = explained.messages.find((message) => message.emailId === emailId);
  const reached: Evidence[] =
    explained.entered && step?.reason
      ? [
          {
            at: null,
            holds: false,
            kind: 'step',
            text: `In ${quoted(name)}: ${clause(one.words.plain(step.reason))}.`,
            ref,
          },
        ]
      : [];
  const reasons = evidenceOfJourney(one, journeyId, explained);
  return [...reached, ...reasons.map((each) => ({ ...each, text: `In ${quoted(name)}: ${clause(each.text)}.` }))];
}
