// Stores what became of messages, those of a moment together: a process that is killed forgets as little as can be.

import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Background, Transaction } from '../../../db/database.js';
import { waitAfter } from '../../../lib/backoff.js';
import { prospectOf } from '../../../work/prospect.js';
import type { Acknowledger } from '../../transactions/index.js';
import { type Fate, fateWrite } from '../fates/fate.js';
import { strengthenSuppressions } from '../suppressions/queries.js';
import { type Content, type Outcome, outcomeOf } from './outcome.js';
import { insertContents, type Recorded, recordOutcomes } from './queries.js';

export interface RecorderNeeds {
  db: Background;
  acknowledger: Acknowledger;
  log: FastifyBaseLogger;
  /** Of this process. */
  lease: string;
  onRecorded(outcomes: readonly Outcome[]): void;
}

const mostInGroup = 200;
// Fates in one write: a turn of the worker takes as many as fit.
const mostInWrite = 100;
// Milliseconds that they wait for more: a group has a handful, and to apply one costs a dozen statements.
const gatherMs = 100;
// Of texts that are known to be stored: 64 characters each.
const mostKnown = 50_000;

interface Waiting {
  outcome: Outcome;
  resolve(): void;
}

export class Recorder {
  private waiting: Waiting[] = [];
  private isBusy = false;
  private readonly known = new Set<string>();
  /** Whether the database may keep its plans: see selectIsCounted. */
  mayKeepPlans = false;

  constructor(private readonly needs: RecorderNeeds) {}

  /** Returns once it is stored for good. While the database is away it is tried again: nobody else knows. */
  record(outcome: Outcome): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push({ outcome, resolve });
      if (!this.isBusy) {
        this.isBusy = true;
        // One turn of the event loop gathers what came in the same read of the sockets.
        setImmediate(() => void this.flush());
      }
    });
  }

  private async flush(): Promise<void> {
    for (let most = mostInGroup, failures = 0; this.waiting.length > 0; ) {
      const group = this.waiting.slice(0, most);
      const outcomes = group.map(({ outcome }) => outcome);
      try {
        await this.store(outcomes);
      } catch (err) {
        const isOurs = prospectOf(err) !== 'passes';
        this.needs.log.warn(
          { err, count: group.length },
          'what became of messages could not be stored; it is tried again',
        );
        // One that cannot be stored is found by halving, and stored without its texts: forgotten, it would be sent again and again.
        // It comes after the others: what became of those must not wait for it.
        if (isOurs && group.length === 1) {
          const [one, ...others] = this.waiting as [Waiting];
          this.waiting = [...others, { ...one, outcome: bare(one.outcome) }];
        }
        if (isOurs) most = Math.max(1, group.length >> 1);
        await sleep(waitAfter(++failures, 50, 2, 2000));
        continue;
      }
      most = mostInGroup;
      failures = 0;
      this.waiting = this.waiting.slice(group.length);
      this.needs.onRecorded(outcomes);
      for (const { resolve } of group) resolve();
    }
    this.isBusy = false;
  }

  private async store(outcomes: readonly Outcome[]): Promise<void> {
    const fresh = new Map<string, Content>();
    const store = async (tx: Transaction) => {
      const recorded = new Map(
        (await recordOutcomes(tx, this.needs.lease, outcomes)).map((row) => [row.messageId, row]),
      );
      for (const { content, messageId } of outcomes) {
        if (!content || recorded.get(messageId)?.isErased !== false) continue;
        const key = `${content.tenantId}:${content.hash}`;
        if (!this.known.has(key)) fresh.set(key, content);
      }
      if (fresh.size > 0) await insertContents(tx, [...fresh.values()]);
      await this.suppress(tx, outcomes, recorded);
      await this.tell(tx, outcomes, recorded);
    };
    // Planned anew for every group it took 1.2 ms of the database, with a plan that is kept 0.3.
    await this.needs.db.transaction(store, { isKeyed: this.mayKeepPlans });
    if (this.known.size > mostKnown) this.known.clear();
    for (const [key, { isTemplate }] of fresh) if (isTemplate) this.known.add(key);
  }

  /** Of somebody who was erased meanwhile only the hash comes back. */
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

  /** Only of those that were stored: another may have sent and stored it before. */
  private async tell(
    tx: Transaction,
    outcomes: readonly Outcome[],
    recorded: ReadonlyMap<string, Recorded>,
  ): Promise<void> {
    const writes = [...byTenant(outcomes)].flatMap(([tenantId, own]) => {
      const fates = own.flatMap(({ messageId, what, reason, suppresses }): Fate[] => {
        const { sentAt: at = null, isErased = true } = recorded.get(messageId) ?? {};
        if (!at) return [];
        return [
          { what: 'sent', messageId, at, ...(what === 'refused' ? { bounce: { reason: reason ?? '' } } : {}) },
          ...(suppresses && !isErased ? [{ what: 'settled' as const, email: suppresses.address }] : []),
        ];
      });
      return chunks(fates, mostInWrite).map((part) => fateWrite(tenantId, part, gatherMs));
    });
    await this.needs.acknowledger.enqueue(tx, writes);
  }
}

/** What must be known of it, and nothing that somebody else wrote. */
function bare({ tenantId, messageId, what, at, dueAt, reply, links, version }: Outcome): Outcome {
  const said = reply === null ? null : '(what was said cannot be stored)';
  return outcomeOf(tenantId, messageId, what, at, { dueAt, links, version, reply: said, reason: said });
}

function byTenant(outcomes: readonly Outcome[]): Map<number, Outcome[]> {
  const groups = new Map<number, Outcome[]>();
  for (const outcome of outcomes) groups.set(outcome.tenantId, [...(groups.get(outcome.tenantId) ?? []), outcome]);
  return groups;
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
