// Property writes and events of steps, as ordinary writes: acknowledged with the step, applied in the order of the tenant's queue.

import type { Transaction } from '../../../db/database.js';
import type { Cause } from '../../../db/news.js';
import { parseJson } from '../../../lib/parse-json.js';
import { applyOwnChanges } from '../../contacts/index.js';
import { storeOwnEvents } from '../../events/index.js';
import type { Acknowledger, Applier, PendingWrite, Write, WriteOutcome } from '../../transactions/index.js';
import type { Scalar } from '../definition/definition.js';
import { insertNews, type NewNews } from '../news/queries.js';

export const effectsKind = 'journey.effects';

interface Whose {
  readonly enrolmentId: string;
  readonly journeyNo: number;
  readonly contactId: string;
  readonly visit: number;
}
export type OwnEffect =
  | (Whose & {
      readonly kind: 'property';
      readonly property: string;
      readonly value: Scalar | null;
      readonly cause?: Cause | undefined;
    })
  | (Whose & {
      readonly kind: 'event';
      readonly eventName: string;
      readonly properties: Readonly<Record<string, unknown>>;
      readonly chain: number;
    });

// Few enough that a write stays short, and that one which fails does not take many others with it.
const mostInWrite = 500;

export function writesOf(tenantId: number, effects: readonly OwnEffect[]): Write[] {
  const writes: Write[] = [];
  for (let from = 0; from < effects.length; from += mostInWrite) {
    const part = effects.slice(from, from + mostInWrite);
    writes.push({ tenantId, kind: effectsKind, items: part.length, payload: JSON.stringify({ effects: part }) });
  }
  return writes;
}

interface ApplierNeeds {
  acknowledger: Acknowledger;
  onMonths(months: Iterable<number>): void;
  /** Enrolments wait for what was applied. */
  wake(): void;
}

export function effectsApplier(needs: ApplierNeeds): Applier {
  return {
    kinds: [effectsKind],
    apply: async (tx, tenantId, writes, now) => {
      await applyAll(tx, tenantId, writes, now, needs);
      return writes.map((): WriteOutcome => ({ results: null }));
    },
    // One of them cannot be applied: each goes alone, and only that one fails.
    refuse: async (write, reason, tx, tenantId) => {
      const effects = effectsOf(write);
      if (effects.length > 1) {
        const alone = effects.flatMap((effect) => writesOf(tenantId, [effect]));
        await needs.acknowledger.enqueue(tx, alone);
      } else {
        await insertNews(
          tx,
          tenantId,
          effects.map((effect) => appliedNews(effect, write.createdAt, { error: reason })),
        );
        tx.afterCommit(needs.wake);
      }
      return { results: null };
    },
  };
}

/** Whom a write concerns. */
export function contactsOf(payload: string): string[] {
  return effectsOf({ payload }).map(({ contactId }) => contactId);
}

function effectsOf({ payload }: Pick<PendingWrite, 'payload'>): OwnEffect[] {
  return (parseJson(payload) as { effects: OwnEffect[] }).effects;
}

/** Properties of all writes together: those of one contact stay in their order, and events need the number of their write. */
async function applyAll(
  tx: Transaction,
  tenantId: number,
  writes: readonly PendingWrite[],
  now: string,
  { onMonths, wake }: ApplierNeeds,
): Promise<void> {
  const all = writes.flatMap((write) => effectsOf(write).map((effect) => ({ effect, at: write.createdAt })));
  const changes = all.flatMap(({ effect, at }) => (effect.kind === 'property' ? [{ effect, at }] : []));
  const { errors: problems } = await applyOwnChanges(
    tx,
    tenantId,
    changes.map(({ effect: { contactId, property, value, cause }, at }) => ({
      ...{ contactId, properties: { [property]: value }, source: 'journey', at, cause },
    })),
    now,
  );
  const news = changes.map(({ effect, at }, i) => appliedNews(effect, at, { problem: problems[i] }));
  for (const write of writes) {
    const events = effectsOf(write).filter((effect) => effect.kind === 'event');
    const { createdAt: at, seq } = write;
    const stored = await storeOwnEvents(
      tx,
      tenantId,
      events.map(({ contactId, eventName, properties, chain, enrolmentId }) => ({
        ...{ contactId, eventName, properties, chain, fromEnrolment: enrolmentId, acknowledgedAt: at },
      })),
      seq,
      now,
    );
    tx.afterCommit(() => onMonths(stored.months));
    news.push(...events.map((effect, i) => appliedNews(effect, at, { problem: stored.errors[i] ?? undefined })));
  }
  await insertNews(tx, tenantId, news);
  tx.afterCommit(wake);
}

function appliedNews(
  { journeyNo, contactId, enrolmentId, visit }: OwnEffect,
  at: string,
  more: { problem?: string | undefined; error?: string },
): NewNews {
  return { journeyNo, kind: 'applied', contactId, enrolmentId, at, data: JSON.stringify({ visit, ...more }) };
}
