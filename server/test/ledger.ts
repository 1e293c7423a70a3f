// Messages whose fate the tests decide, through the sender's own recorder and the applier of fates, without a mail server.
import { pino } from 'pino';
import type { Transaction } from '../src/db/database.js';
import { sql } from '../src/db/sql.js';
import { foldTallies } from '../src/db/tallies.js';
import { AddressHashes } from '../src/features/consent/address-hashes.js';
import { fateApplier } from '../src/features/messages/fates/apply-fates.js';
import { type Fate, fateWriteKind } from '../src/features/messages/fates/fate.js';
import { forgetLinks } from '../src/features/messages/figures/links/links.js';
import { tallies } from '../src/features/messages/figures/queries.js';
import { HealthBook, usualLimits } from '../src/features/messages/health/health-book.js';
import { anonymizeMessages } from '../src/features/messages/ledger/erasure/queries.js';
import { type Outcome, outcomeOf } from '../src/features/messages/sender/outcome.js';
import { MessageRecorder } from '../src/features/messages/sender/recorder.js';
import { Acknowledger, type Write } from '../src/features/transactions/index.js';
import { newMessageUuid, newUuid } from '../src/lib/ids.js';
import type { TestDatabase } from './database.js';

export interface LedgerMessage {
  kind?: 'journey' | 'transactional' | 'direct' | 'test';
  address?: string;
  emailId: string;
  journeyId?: string | null;
  stepId?: string | null;
  arms?: Record<string, string> | null;
}

/** Each has its own tenant. */
export interface Ledger {
  tenantId: number;
  /** A waiting message; returns its id. */
  queue(message: LedgerMessage): Promise<string>;
  /** The sender's outcome for it, and what follows from that. It is claimed first, if it waits. */
  record(messageId: string, what: Outcome['what'], at: string, more?: Partial<Outcome>): Promise<void>;
  claim(messageId: string): Promise<void>;
  /** Later reports, in one write. */
  hear(...fates: Fate[]): Promise<void>;
  hearIn(tx: Transaction, ...fates: Fate[]): Promise<void>;
  erase(address: string): Promise<void>;
  fold(atMost?: number): Promise<number>;
}

/** There is no worker here to apply what the recorder queues. */
class Collector extends Acknowledger {
  readonly collected: Write[] = [];

  override async enqueue(tx: Transaction, writes: readonly Write[]): Promise<void> {
    await super.enqueue(tx, writes);
    this.collected.push(...writes);
  }
}

export async function openLedger(t: TestDatabase): Promise<Ledger> {
  const tenant = await t.db.row(sql<{ id: number }>`insert into tenant (name) values ('T') returning tenant_id as id`);
  const tenantId = tenant?.id as number;
  const lease = newUuid();
  const acknowledger = new Collector(t.db, () => undefined);
  const log = pino({ level: 'silent' });
  const recorder = new MessageRecorder({
    ...{ db: t.db.background, acknowledger, log, lease },
    onRecorded: () => undefined,
  });
  const applier = fateApplier({
    hashes: new AddressHashes(),
    health: new HealthBook(usualLimits, () => undefined),
    markChanged: async () => undefined,
    onMonths: () => undefined,
  });
  const claim = async (messageId: string) => {
    await t.db.run(sql`
      update message set state = 'sending', lease = ${lease}
      where tenant_id = ${tenantId} and message_id = ${messageId} and state = 'queued'`);
  };
  const hearIn = async (tx: Transaction, ...fates: Fate[]) => {
    const payload = JSON.stringify(fates);
    const at = '2026-11-20T00:00:00.000Z';
    const write = { seq: 1, uuid: newUuid(), kind: fateWriteKind, items: fates.length, payload, createdAt: at };
    await applier.apply(tx, tenantId, [{ ...write, attempts: 0, dueAt: null }], at);
  };
  const hear = (...fates: Fate[]) => t.db.background.transaction((tx) => hearIn(tx, ...fates));
  return {
    tenantId,
    queue: async ({ kind = 'direct', address = 'ada@x.io', emailId, journeyId = null, stepId = null, arms = null }) => {
      const messageId = newMessageUuid();
      const asset = (id: string | null) => (id === null ? null : `\\x${id}`);
      await t.db.run(sql`
        insert into message (tenant_id, message_id, kind, address, email_id, journey_id, step_id, arms, queued_at)
        values (${tenantId}, ${messageId}, ${kind}, ${address}, ${asset(emailId)}, ${asset(journeyId)}, ${stepId},
          ${arms === null ? null : JSON.stringify(arms)}::jsonb, '2026-01-01')`);
      return messageId;
    },
    record: async (messageId, what, at, more = {}) => {
      await claim(messageId);
      await recorder.record(outcomeOf(tenantId, messageId, what, at, { reply: '250 Ok', ...more }));
      for (const { payload } of acknowledger.collected.splice(0))
        await hear(...(JSON.parse(payload as string) as Fate[]));
    },
    claim,
    hear,
    hearIn,
    erase: (address) =>
      t.db.background.transaction(async (tx) => {
        const clicked = await anonymizeMessages(tx, tenantId, { id: newUuid(), email: address });
        await forgetLinks(tx, tenantId, clicked);
      }),
    fold: (atMost = 1000) => foldTallies(t.db.background, tallies, atMost),
  };
}
