// Did this message reach this contact, and why, or why not?
import { sayStanding, type TopicStanding } from '@rapport/contract';
import { selectTopicStandings } from '../consent/index.js';
import { selectTopicsOf } from '../emails/index.js';
import { findCause, selectJourneyNames } from '../journeys/index.js';
import { findPause, findSuppression, findSuppressor, type LedgerRow } from '../messages/index.js';
import type { Case, Evidence, Finding } from './asked.js';
import { factOf, ofSender } from './facts.js';
import { hasArrived, isOnItsWay, momentOf, suppressed, whyNotArrived } from './fates.js';
import { clause, quoted } from './words.js';

interface KnownTopic extends TopicStanding {
  topicId: string;
}

export async function aboutMessage(one: Case, message: LedgerRow, name: string | null): Promise<Finding> {
  const { person, words } = one;
  if (message.contactId !== person.contactId) {
    const text = 'The message was for another contact.';
    return {
      holds: false,
      sentence: `${person.name} did not get ${quoted(name)}: ${clause(text)}.`,
      evidence: [{ at: message.queuedAt, holds: false, kind: 'message', text, ref: refTo(message) }],
    };
  }
  const cause = await causeOf(one, message);
  const holds = hasArrived(message);
  const topic = holds || message.kind === 'transactional' ? undefined : await topicOf(one, message.emailId);
  const sentence = holds
    ? `${person.name} got ${quoted(name)} on ${words.day(momentOf(message))}: ${cause.words}.`
    : `${person.name} ${isOnItsWay(message) ? 'has not received' : 'did not get'} ${quoted(name)}${isOnItsWay(message) ? ' yet' : ''}: ${words.plain(whyNot(message, one, topic))}.`;
  const kept = holds ? [] : await obstacles(one, message.kind === 'transactional');
  const about = topic && topic.state !== 'subscribed' ? [evidenceOfTopic(one, topic)] : [];
  const sender = holds ? [] : await ofSender(one, message);
  return { holds, sentence, evidence: [...evidenceOf(one, message), ...kept, ...about, ...sender, ...cause.evidence] };
}

/** What the contact is to the topic of an email, if it has one. */
export async function topicOf({ db, tenantId, person }: Case, emailId: string): Promise<KnownTopic | undefined> {
  const topicId = (await selectTopicsOf(db, tenantId, [emailId])).get(emailId);
  if (topicId === undefined) return undefined;
  const standing = (await selectTopicStandings(db, tenantId, person.contactId, [topicId])).get(topicId);
  return standing && { ...standing, topicId };
}

export function evidenceOfTopic({ words }: Case, topic: KnownTopic): Evidence {
  const text = `The contact ${sayStanding(topic, words.date)}.`;
  const holds = topic.state === 'subscribed';
  const fact: Evidence['fact'] = holds ? undefined : { code: 'notSubscribed', topicId: topic.topicId };
  return { at: topic.since, holds, kind: 'topic', text, ...(fact && { fact }) };
}

/** A message that was skipped for its topic says since when, where that still stands. */
function whyNot(message: LedgerRow, one: Case, topic: KnownTopic | undefined): string {
  const isByTopic = message.state === 'skipped' && message.reason === 'topic';
  if (!isByTopic || !topic || topic.state === 'subscribed') return whyNotArrived(message);
  return `the contact ${sayStanding(topic, one.words.date)}`;
}

const refTo = ({ messageId }: LedgerRow) => ({ kind: 'message' as const, id: messageId });

/** What came of it, newest and most important first. */
export function evidenceOf({ words }: Case, message: LedgerRow): Evidence[] {
  const holds = hasArrived(message);
  const ref = refTo(message);
  const fate = message.state === 'delivered' ? 'It was delivered.' : 'The mail server accepted it.';
  const text = holds ? fate : capital(`${words.plain(whyNotArrived(message))}.`);
  const seen = [
    { at: message.firstClickedAt, text: 'They clicked a link in it.' },
    { at: message.firstOpenedAt, text: 'They opened it.' },
  ].filter(({ at }) => at !== null);
  return [
    { at: momentOf(message), holds, kind: 'message', text, ref, ...factOf(message) },
    ...seen.map((each) => ({ ...each, holds: true, kind: 'message' as const, ref })),
  ];
}

const capital = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Why this message exists at all. */
async function causeOf(
  { db, tenantId, words }: Case,
  { kind, journeyId, enrolmentId }: LedgerRow,
): Promise<{ words: string; evidence: Evidence[] }> {
  if (journeyId === null) {
    const how = kind === 'test' ? 'it was sent as a test' : 'it was sent to them directly, not by a journey';
    return { words: how, evidence: [{ at: null, holds: true, kind: 'email', text: capital(`${how}.`) }] };
  }
  const name = (await selectJourneyNames(db, tenantId, [journeyId])).get(journeyId);
  const noun = kind === 'broadcast' ? 'broadcast' : 'journey';
  const by =
    name === undefined ? `a ${noun} that has since been deleted sent it` : `the ${noun} ${quoted(name)} sent it`;
  const cause = enrolmentId === null ? undefined : await findCause(db, tenantId, enrolmentId);
  if (!cause) return { words: by, evidence: [] };
  if (kind === 'broadcast') {
    const text = 'They were in its audience when it began.';
    const ref = { kind: 'journey' as const, id: journeyId };
    return { words: by, evidence: [{ at: cause.at, holds: true, kind: 'enrolment', text, ref }] };
  }
  const why = words.plain(cause.why ?? 'They entered the journey.');
  const ref = { kind: 'journey' as const, id: journeyId };
  return {
    words: `${by}, because ${clause(why)}`,
    evidence: [{ at: cause.at, holds: true, kind: 'enrolment', text: why, ref }],
  };
}

/** What keeps mail back now: for the address, and for the tenant. */
export async function obstacles({ db, tenantId, person }: Case, isTransactional: boolean): Promise<Evidence[]> {
  const found: Evidence[] = [];
  const suppression = await findSuppression(db, tenantId, person.email);
  if (suppression && !(isTransactional && suppression.reason === 'unsubscribed')) {
    const { reason, createdAt } = suppression;
    const by = await findSuppressor(db, tenantId, person.email);
    const text = saySuppressed(reason, by?.name);
    const fact = { code: 'addressSuppressed' as const, reason, by };
    found.push({ at: createdAt, holds: false, kind: 'suppression', text, fact });
  }
  const pause = isTransactional ? undefined : await findPause(db, tenantId);
  if (pause) {
    const text = `Sending is paused for this workspace: ${pause.reason.replace(/\.$/, '')}.`;
    found.push({ at: pause.since, holds: false, kind: 'mail', text, fact: { code: 'sendingPaused' } });
  }
  return found;
}

function saySuppressed(reason: string, by: string | undefined): string {
  const text = suppressed[reason] ?? 'The address is suppressed.';
  return reason !== 'manual' || by === undefined ? text : `${text.replace(/\.$/, '')} by ${by}.`;
}
