// Consent: topics, what each contact said of them, and the log of how that came about.
import type { Database, Transaction } from '../../db/database.js';
import type { Clock } from '../../lib/clock.js';
import { inSteps } from '../../work/chores.js';
import type { Subject } from '../filter-language/index.js';
import type { Acknowledger } from '../transactions/index.js';
import { type MarkUnsubscribed, unsubscriptionApplier } from './activity.js';
import { AddressHashes } from './address-hashes.js';
import type { EmailCheck, TopicUseCheck } from './change-topics.js';
import { consentEraser, consentSections } from './erasure.js';
import { topicSubject } from './filter/subject.js';
import { consentEndpoints } from './routes.js';
import { topicSetter } from './set-topics.js';
import { topicBooks } from './topic-book.js';
import { findTopicConfirmedBy, sweepTopics } from './topics/queries.js';

export { AddressHashes } from './address-hashes.js';
export type { TopicUseCheck } from './change-topics.js';
export { changed as changedStanding, decide, type Standing, type Verdict as TopicVerdict } from './decide.js';
export { restoreRefusals } from './erasure.js';
export { type ConsentChanges, countChanges } from './evidence/queries.js';
export { consentLines } from './export-consent.js';
export { becameSql, contactTopicTable, isSubscribedToAny } from './filter/queries.js';
export { topicKey } from './filter/subject.js';
export { topicsChanged } from './news.js';
export type { SetTopics } from './set-topics.js';
export {
  areSubscribed,
  contactTopicsSql,
  hashSql,
  hasRefusals,
  saltTable,
  selectStandings,
  selectTopicLog,
  selectTopicStandings,
} from './states/queries.js';
export {
  type FormTopic,
  hasPublicTopic,
  holdTopics,
  selectFormTopics,
  selectTopicNames,
  type TopicAsking,
  topicAskingsSql,
} from './topics/queries.js';

interface ConsentNeeds {
  db: Database;
  clock: Clock;
  acknowledger: Acknowledger;
  uses: readonly TopicUseCheck[];
  askings: readonly TopicUseCheck[];
  faultOfEmail: EmailCheck;
  markUnsubscribed: MarkUnsubscribed;
  onMonths(months: Iterable<number>): void;
}

export function consent(needs: ConsentNeeds) {
  const { db, clock, acknowledger, uses, askings, faultOfEmail, markUnsubscribed, onMonths } = needs;
  const setTopics = topicSetter(acknowledger);
  return {
    endpoints: consentEndpoints({ db, clock, setTopics, faultOfEmail, uses, askings }),
    appliers: [unsubscriptionApplier({ markUnsubscribed, onMonths })],
    erasers: [consentEraser(new AddressHashes())],
    exporters: consentSections,
    // A subject is known by its key: what its conditions are like is its own affair.
    subjects: [topicSubject as Subject],
    emailUses: [confirmingTopic],
    chores: [
      {
        name: 'deleted topics',
        everyMs: 60_000,
        run: (signal: AbortSignal) => inSteps((atMost) => sweepTopics(db.background, atMost), signal),
      },
    ],
    setTopics,
    /** For contact writes, which are below. */
    openTopics: topicBooks(setTopics),
  };
}

/** An email that asks for confirmation stays. */
async function confirmingTopic(tx: Transaction, tenantId: number, emailId: string): Promise<string | undefined> {
  const name = await findTopicConfirmedBy(tx, tenantId, emailId);
  return name === undefined ? undefined : `The topic "${name}" uses it to ask for confirmation.`;
}
