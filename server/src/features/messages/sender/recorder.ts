// Stores the outcomes of messages, and queues what follows from them as writes.
import type { FastifyBaseLogger } from 'fastify';
import type { Background, Transaction } from '../../../db/database.js';
import { Recorder } from '../../../work/recorder.js';
import { deleteOutboxMessages } from '../../emails/index.js';
import type { Acknowledger } from '../../transactions/index.js';
import { type Fate, fateWrite } from '../fates/fate.js';
import { type CountedMessage, Differences } from '../figures/contributions.js';
import { insertDeltas, selectEngagements } from '../figures/feed/queries.js';
import { strengthenSuppressions } from '../suppressions/queries.js';
import { type Content, messageIdHeader, type Outcome, outcomeOf } from './outcome.js';
import { insertContents, type Recorded, recordOutcomes } from './queries.js';

interface RecorderNeeds {
  db: Background;
  acknowledger: Acknowledger;
  log: FastifyBaseLogger;
  /** The lease of this process. */
  lease: string;
  onRecorded(outcomes: readonly Outcome[]): void;
}

// Fates per write: a worker's turn takes as many as fit.
const mostInWrite = 100;
// Milliseconds to wait for more fates: a group has a handful, and applying one costs a dozen statements.
const gatherMs = 100;
// The number of texts known to be stored, 64 characters each.
const mostKnown = 50_000;

export class MessageRecorder {
  private readonly recorder: Recorder<Outcome>;
  private readonly known = new Set<string>();
  /** Whether the database may keep its plans: see selectIsCounted. */
  mayKeepPlans = false;

  constructor(private readonly needs: RecorderNeeds) {
    const { log, onRecorded } = needs;
    const store = (outcomes: readonly Outcome[]) => this.store(outcomes);
    this.recorder = new Recorder({ log, of: 'messages', store, bare, onRecorded });
  }

  /** Resolves once the outcome is durably stored. */
  record(outcome: Outcome): Promise<void> {
    return this.recorder.record(outcome);
  }

  private async store(outcomes: readonly Outcome[]): Promise<void> {
    const fresh = new Map<string, Content>();
    const store = async (tx: Transaction) => {
      const rows = await recordOutcomes(tx, this.needs.lease, outcomes);
      const recorded = new Map(rows.map((row) => [row.messageId, row]));
      await countRecorded(tx, rows);
      for (const { content, messageId } of outcomes) {
        if (!content || recorded.get(messageId)?.isErased !== false) continue;
        const key = `${content.tenantId}:${content.hash}`;
        if (!this.known.has(key)) fresh.set(key, content);
      }
      if (fresh.size > 0) await insertContents(tx, [...fresh.values()]);
      await this.suppress(tx, outcomes, recorded);
      await this.tell(tx, outcomes, recorded);
      await forgetCopies(tx, outcomes, recorded);
    };
    // Planning each group anew took 1.2 ms of database time; a kept plan takes 0.3.
    await this.needs.db.transaction(store, { isKeyed: this.mayKeepPlans });
    if (this.known.size > mostKnown) this.known.clear();
    for (const [key, { isTemplate }] of fresh) if (isTemplate) this.known.add(key);
  }

  /** If the contact was erased meanwhile, only the hash is suppressed. */
  private async suppress(
    tx: Transaction,
    outcomes: readonly Outcome[],
    recorded: ReadonlyMap<string, Recorded>,
  ): Promise<void> {
    for (const [tenantId, own] of byTenant(outcomes.filter(({ suppresses }) => suppresses))) {
      const wanted = own.flatMap(({ messageId, suppresses }) => {
        if (!suppresses) return [];
        const address = recorded.get(messageId)?.isErased === false ? suppresses.address : null;
        return { address, hash: suppresses.hash, reason: 'bounced' as const };
      });
      await strengthenSuppressions(tx, tenantId, wanted);
    }
  }

  /** Queues fates only for outcomes that were stored: another process may have sent and stored the message before. */
  private async tell(
    tx: Transaction,
    outcomes: readonly Outcome[],
    recorded: ReadonlyMap<string, Recorded>,
  ): Promise<void> {
    const writes = [...byTenant(outcomes)].flatMap(([tenantId, own]) => {
      const fates = own.flatMap(({ messageId, what, reason, suppresses }): Fate[] => {
        const { hasLeft = false, sentAt: at = null, isErased = true, isKept } = recorded.get(messageId) ?? {};
        if (!hasLeft || at === null) return [];
        return [
          {
            ...{ what: 'sent', messageId, at },
            ...(what === 'refused' ? { bounce: { reason: reason ?? '' } } : {}),
            ...(isKept ? { isKept } : {}),
          },
          ...(suppresses && !isErased ? [{ what: 'settled' as const, email: suppresses.address }] : []),
        ];
      });
      return chunks(fates, mostInWrite).map((part) => fateWrite(tenantId, part, gatherMs));
    });
    await this.needs.acknowledger.enqueue(tx, writes);
  }
}

/**
 * Updates the figures. Every counted message has a domain, set here or in fates/, unless its person is erased. A message that had none
 * has nothing to move to the version and domain that are now known, so its opens and clicks need not be looked up.
 */
async function countRecorded(tx: Transaction, recorded: readonly Recorded[]): Promise<void> {
  const moved = recorded.filter(
    ({ version, versionBefore, domain, domainBefore, topicId, topicBefore, language, languageBefore, isErased }) =>
      (domainBefore !== null || isErased) &&
      (version !== versionBefore || domain !== domainBefore || topicId !== topicBefore || language !== languageBefore),
  );
  const engagements = await selectEngagements(tx, moved);
  const differences = new Differences();
  for (const row of recorded) {
    const own = engagements.get(row.messageId) ?? [];
    differences.add(row.tenantId, { message: before(row), engagements: own }, { message: row, engagements: own });
  }
  await insertDeltas(tx, differences.deltas());
}

function before(row: Recorded): CountedMessage {
  return {
    ...row,
    ...{ version: row.versionBefore, domain: row.domainBefore, topicId: row.topicBefore, language: row.languageBefore },
    ...{ sentAt: row.sentBefore, bouncedAt: row.bouncedBefore, failedAt: row.failedBefore, isKept: false },
  };
}

/** The outbox may have kept a copy after the person was erased: an erasure removes only what exists then. */
async function forgetCopies(
  tx: Transaction,
  outcomes: readonly Outcome[],
  recorded: ReadonlyMap<string, Recorded>,
): Promise<void> {
  const erased = outcomes.filter(({ messageId }) => recorded.get(messageId)?.isErased);
  for (const [tenantId, own] of byTenant(erased)) {
    const copies = own.flatMap(({ messageId, senderDomain }) =>
      senderDomain === null ? [] : messageIdHeader(messageId, senderDomain),
    );
    await deleteOutboxMessages(tx, tenantId, copies);
  }
}

/** The outcome reduced to what is needed, without any text that came from outside. */
function bare({ tenantId, messageId, what, at, dueAt, reply, links, version, language, reason }: Outcome): Outcome {
  const said = reply === null ? null : '(what was said cannot be stored)';
  const why = what === 'sent' ? reason : said;
  return outcomeOf(tenantId, messageId, what, at, { dueAt, links, version, language, reply: said, reason: why });
}

function byTenant(outcomes: readonly Outcome[]): Map<number, Outcome[]> {
  const groups = new Map<number, Outcome[]>();
  for (const outcome of outcomes) groups.set(outcome.tenantId, [...(groups.get(outcome.tenantId) ?? []), outcome]);
  return groups;
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
