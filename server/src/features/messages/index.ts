// Messages: the ledger of what is sent, the sender, and what comes back.
import { cancelMessage } from '@rapport/contract';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import type { Database } from '../../db/database.js';
import { hearing } from '../../db/news.js';
import { foldTallies } from '../../db/tallies.js';
import type { Clock } from '../../lib/clock.js';
import type { SecretBox } from '../../lib/secret-box.js';
import { mostConnections, type Transport } from '../../mail/transport.js';
import { inSteps } from '../../work/chores.js';
import { AddressHashes, type SetTopics } from '../consent/index.js';
import { contactsChanged, type Eraser } from '../contacts/index.js';
import type { MarkChanged } from '../dynamic-lists/index.js';
import type { Renderer } from '../emails/index.js';
import { anonymizeMarketing } from '../events/index.js';
import { forgetKeys } from '../idempotency/index.js';
import { findHook } from '../sending/index.js';
import type { Acknowledger } from '../transactions/index.js';
import { engagement } from './engagement.js';
import { EngagementLimits } from './engagement-limits.js';
import { fateApplier } from './fates/apply-fates.js';
import { forgetLinks } from './figures/links/links.js';
import { tallies } from './figures/queries.js';
import { HealthBook, type HealthLimits, usualLimits } from './health/health-book.js';
import { selectPaused, sweepTallies } from './health/queries.js';
import { claimToken, sweepTokens } from './hooks/queries.js';
import { hookPaths, installHooks } from './hooks/routes.js';
import type { MailNeeds } from './inbound/take-mail.js';
import { sweepContents } from './ledger/contents/queries.js';
import { anonymizeMessages } from './ledger/erasure/queries.js';
import { messageSections } from './ledger/export/export-messages.js';
import { noteTestSends } from './ledger/test-sends.js';
import { messageMetrics } from './metrics.js';
import { type DueAgain, settleHolds } from './of-journeys/hold-journeys.js';
import { type PastMessage, recordPast } from './past/record-past.js';
import { installRecipientExport, recipientExport } from './recipients/export-recipients.js';
import { messageEndpoints } from './routes.js';
import type { LaneSettings } from './sender/lanes.js';
import { Sender } from './sender/sender.js';
import { type JourneyCheck, messageSubjectsWith } from './subjects/index.js';
import { forgetAddress } from './suppressions/queries.js';
import { onContactsMade } from './suppressions/settle-properties.js';
import { suppressAllWith } from './suppressions/suppress.js';
import { takeNotices } from './take-notices.js';
import { TenantKeys } from './tenant-keys.js';
import { installTracking, type TrackingNeeds, trackingPaths } from './tracking/routes.js';

export { builtInEmailId } from './confirmation/built-in.js';
export { liftUnsubscribed } from './confirmation/lift.js';
export { queueConfirmations } from './confirmation/queries.js';
export { type Counts, noCounts, storedCounts } from './figures/counts.js';
export {
  type DomainFigures,
  type LinkFigures,
  pageDomains,
  pageEmails,
  pageJourneys,
  pageLinks,
  sumByJourney,
  sumByJourneyEver,
} from './figures/pages/queries.js';
export { tallies as figureTallies } from './figures/queries.js';
export { type FigureRow, readFigures } from './figures/read-figures.js';
export { type FigureDifference, recountMessages } from './figures/recount.js';
export { type HealthLimits, usualLimits } from './health/health-book.js';
export {
  countHeld,
  type FiguresOfTenant,
  findPause,
  selectFiguresAfter,
} from './health/queries.js';
export { type LedgerRow, selectOfEmail } from './ledger/queries.js';
export { getMessage } from './ledger/read-message.js';
export { contactsUnsubscribed, type MessageNews, messagesMoved, type UnsubscribedNews } from './news.js';
export type { Notice } from './notices.js';
export { type DueAgain, skipEnrolmentMessages, skipJourneyMessages } from './of-journeys/hold-journeys.js';
export {
  countFatesOfJourney,
  type FateCount,
  hasUnsent,
  holdJourney,
  type Leaving,
  releaseJourney,
  selectCounted,
  selectToContact,
  sentByEnrolment,
  type ToldOfJourney,
} from './of-journeys/queries.js';
export { decideCaps, type JourneyMessage, queueJourneyMessages } from './of-journeys/queue-messages.js';
export { chooseLanguage } from './pages/language.js';
export { previewPages, sendOwnPage } from './pages/page.js';
export { answerInPages } from './pages/routes.js';
export type { Language } from './pages/texts.js';
export type { PastFate, PastMessage } from './past/record-past.js';
export { marketingKeys } from './subjects/index.js';
export { findSuppression, findSuppressor, selectReasons, suppressionReason } from './suppressions/queries.js';
export { TenantKeys } from './tenant-keys.js';
export { findGenuine } from './tracking/needs.js';
export type { Engagement } from './tracking/routes.js';
export { untrackHtml } from './tracking/untrack-html.js';

/** Takes reports about messages that do not arrive over HTTP. */
export interface MailDesk extends MailNeeds {
  /** Records an open or a click. */
  record: TrackingNeeds['record'];
  /** Records messages that were sent before Rapport was used. */
  recordPast(tenantId: number, messages: readonly PastMessage[]): Promise<void>;
}

export interface MessageSettings {
  lane: LaneSettings;
  health: HealthLimits;
  /** How long an attempt may take. */
  attemptSeconds: number;
  /** How long a message is retried. */
  retryHours: number;
  requireVerified: boolean;
}

interface MessageNeeds {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  registry: Registry;
  box: SecretBox;
  baseUrl: () => string;
  acknowledger: Acknowledger;
  renderer: Renderer;
  /** The service's own transport. */
  transport: Transport;
  /** Opens the transport of a tenant's own mail server. */
  connect(smtpUrl: string, connections: number, isGuarded: boolean): Promise<Transport>;
  markChanged: MarkChanged;
  setTopics: SetTopics;
  onMonths(months: Iterable<number>): void;
  /** Called when there are messages to send. */
  wake(): void;
  /** Whether a journey exists; provided by journeys, which are above. Without it, no id counts as a journey. */
  isJourney?: JourneyCheck;
  /** When a held message, or one about to be sent, may leave; provided by journeys, which are above. */
  dueAgain?: DueAgain;
  settings: MessageSettings;
  /** How long texts made for one person are kept. Without it: forever. */
  textDays?: number | undefined;
}

export const usualSettings: MessageSettings = {
  lane: { rate: null, connections: mostConnections, perDomain: 10 },
  health: usualLimits,
  attemptSeconds: 60,
  retryHours: 24,
  requireVerified: false,
};

// Milliseconds that a stopping process waits for mail servers.
const stopPatience = 10_000;

export function messages(needs: MessageNeeds) {
  const { db, clock, log, acknowledger, renderer, box, wake, settings, textDays } = needs;
  const { background } = db;
  const keys = new TenantKeys(db, box);
  const hashes = new AddressHashes();
  const now = () => clock.now().toISOString();
  const metrics = messageMetrics(needs.registry, async () => (await selectPaused(background)).length);
  const sender = new Sender({
    ...{ ...needs, db: background, keys, hashes, settings: settings.lane, onRecorded: metrics.left },
    ...{ attemptSeconds: settings.attemptSeconds, retryHours: settings.retryHours },
    requireVerified: settings.requireVerified,
  });
  const health = new HealthBook(settings.health, (tenantId, reason) =>
    log.error(
      { tenantId, reason },
      'mail of a tenant is paused, all but transactional; POST /v2/sending/resume resumes it',
    ),
  );
  const notices = (tenantId: number, taken: Parameters<typeof takeNotices>[2]) =>
    takeNotices(acknowledger, tenantId, taken, now());
  const eraser: Eraser = async (tx, tenantId, contact) => {
    await forgetLinks(tx, tenantId, await anonymizeMessages(tx, tenantId, contact));
    await anonymizeMarketing(tx, tenantId, contact.id);
    await forgetAddress(tx, tenantId, (await hashes.of(tx, tenantId))(contact.email));
    // Stored responses to cancel requests contain the message with its address.
    await forgetKeys(tx, tenantId, [cancelMessage.id]);
  };
  const tracking = engagement({ ...needs, keys, hashes, now, limits: new EngagementLimits(clock) });
  const desk: MailDesk = {
    keyOf: tracking.keyOf,
    readReports: (raw) => renderer.readReports(raw),
    takeNotices: notices,
    record: tracking.record,
    recordPast: (tenantId, past) => recordPast(db, acknowledger, tenantId, past),
  };
  return {
    endpoints: messageEndpoints({ db, acknowledger, hashes, now, wake }),
    serves: [...trackingPaths, ...hookPaths, recipientExport],
    install: (http: FastifyInstance) => {
      installTracking(http, tracking, clock);
      installRecipientExport(http, db);
      installHooks(http, {
        findHook: (tenantId, token) => findHook(db, box, tenantId, token),
        takeNotices: notices,
        claimToken: (tenantId, token, body) => claimToken(db, tenantId, token, body),
        clock,
      });
    },
    queues: [sender.queue],
    chores: [
      {
        name: 'held messages',
        everyMs: 1000,
        run: async (signal: AbortSignal) => {
          if (await settleHolds(background, signal, needs.dueAgain)) wake();
        },
      },
      { name: 'leases of messages', everyMs: settings.attemptSeconds * 500, run: () => sender.keep() },
      {
        name: 'figures of messages',
        everyMs: 10_000,
        run: (signal: AbortSignal) => inSteps((atMost) => foldTallies(background, tallies, atMost), signal),
      },
      {
        name: 'old texts of versions',
        everyMs: 3_600_000,
        run: (signal: AbortSignal) =>
          inSteps(async (atMost) => (textDays === undefined ? 0 : sweepContents(background, textDays, atMost)), signal),
      },
      {
        name: 'health of sending',
        everyMs: 3_600_000,
        run: (signal: AbortSignal) => inSteps((atMost) => sweepTallies(background, atMost), signal),
      },
      {
        name: 'tokens of mail hooks',
        everyMs: 600_000,
        run: (signal: AbortSignal) => inSteps((atMost) => sweepTokens(background, atMost), signal),
      },
    ],
    appliers: [fateApplier({ hashes, health, markChanged: needs.markChanged, onMonths: needs.onMonths })],
    erasers: [eraser],
    exporters: messageSections,
    testSends: [noteTestSends(db, log)],
    hears: [hearing(contactsChanged, onContactsMade(hashes, needs.setTopics))],
    subjects: messageSubjectsWith(needs.isJourney ?? (async () => false)),
    close: () => sender.stop(stopPatience),
    desk,
    /** The keys that sign links, for features above. */
    keys,
    /** For imports, which are below. */
    suppressAll: suppressAllWith({ acknowledger, hashes }),
  };
}
