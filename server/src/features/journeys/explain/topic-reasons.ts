// Whether mail of the topics that a journey sends may leave to a contact.
import { sayStanding, type TopicStanding } from '@rapport/contract';
import type { Runner } from '../../../db/database.js';
import { selectTopicStandings } from '../../consent/index.js';
import { selectTopicsOf } from '../../emails/index.js';
import type { Definition } from '../definition/definition.js';
import { type Reason, reason } from './reason.js';

interface TopicReasons {
  readonly reasons: Reason[];
  /** Why the topic of an email keeps it back now; nothing where it does not. */
  keepBack(emailId: string): string | undefined;
}

export async function topicsFor(
  db: Runner,
  tenantId: number,
  contactId: string,
  { steps }: Definition,
  messages: readonly { emailId: string }[],
  day: (at: string) => string,
): Promise<TopicReasons> {
  const sent = steps.flatMap((step) => (step.type === 'sendEmail' && !step.transactional ? step.emailId : []));
  const topicOf = await selectTopicsOf(db, tenantId, [...new Set([...sent, ...messages.map((one) => one.emailId)])]);
  const standings = await selectTopicStandings(db, tenantId, contactId, [...new Set(topicOf.values())]);
  const asked = new Set(sent.flatMap((emailId) => topicOf.get(emailId) ?? []));
  const inWords = (standing: TopicStanding) => `The contact ${sayStanding(standing, day)}.`;
  const reasonOf = (standing: TopicStanding) =>
    reason('topic', standing.state === 'subscribed', inWords(standing), standing.since);
  return {
    reasons: [...asked].flatMap((topicId) => {
      const standing = standings.get(topicId);
      return standing ? reasonOf(standing) : [];
    }),
    keepBack: (emailId) => {
      const standing = standings.get(topicOf.get(emailId) ?? '');
      return standing && standing.state !== 'subscribed' ? inWords(standing) : undefined;
    },
  };
}
