import type { getContactTransaction } from '@rapport/contract';
import type { Runner, Transaction } from '../../db/database.js';
import { Turn } from '../../lib/turns.js';
import {
  type Applier,
  type PendingWrite,
  type PresentedWrite,
  type ShownBy,
  selectFailures,
  type WriteOutcome,
} from '../transactions/index.js';
import { type Eraser, eraseContact } from './erase-contact.js';
import { planAndStore } from './plan-and-store.js';
import { type Request, readRequest } from './plan-writes.js';
import { selectEmails } from './queries.js';
import type { Item } from './read-item.js';
import { OutcomeBuilder, readResults, type StoredResults } from './results.js';
import type { OpenTopics } from './topic-words.js';

/** Applies contact writes. `erasers` remove what other features keep about a person; `openTopics` stores statements about topics. */
export function contactApplier(erasers: readonly Eraser[], openTopics?: OpenTopics): Applier {
  return {
    kinds: ['contact.create', 'contact.batch', 'contact.update', 'contact.erase'],
    isAppliedAtOnce: true,
    async apply(tx, tenantId, writes, now) {
      const outcomes: WriteOutcome[] = [];
      for (const run of splitRuns(writes)) {
        const first = run[0] as PendingWrite;
        if (first.kind === 'contact.erase') outcomes.push(await eraseContact(tx, tenantId, first, erasers, now));
        else if (isLong(first)) outcomes.push(await applyLong(tx, tenantId, first, now, openTopics));
        else outcomes.push(...(await applyRun(tx, tenantId, run, now, openTopics)));
      }
      return outcomes;
    },
    refuse: refuseAll,
    present: presentContactWrite,
  };
}

// Characters of payload, and the number of contacts that are then planned and stored together: 3 MB at most.
const longPayload = 512 * 1024;
const partSize = 100;

function isLong({ kind, payload }: PendingWrite): boolean {
  return kind === 'contact.batch' && payload.length > longPayload;
}

// An erasure changes what later writes find, so it is a run of its own. So is a write that is applied in parts.
function splitRuns(writes: readonly PendingWrite[]): PendingWrite[][] {
  const runs: PendingWrite[][] = [];
  let open: PendingWrite[] | undefined;
  for (const write of writes) {
    if (write.kind === 'contact.erase' || isLong(write)) {
      runs.push([write]);
      open = undefined;
    } else if (open) open.push(write);
    else {
      open = [write];
      runs.push(open);
    }
  }
  return runs;
}

async function applyRun(
  tx: Transaction,
  tenantId: number,
  writes: PendingWrite[],
  now: string,
  openTopics: OpenTopics | undefined,
): Promise<WriteOutcome[]> {
  const requests: Request[] = [];
  for (const write of writes) requests.push(await readRequest(write));
  const { plan } = await planAndStore(tx, tenantId, requests, now, openTopics, (planner) => {
    requests.forEach((request, i) => {
      planner.asOf(writes[i]?.createdAt);
      planner.plan(request);
    });
  });
  return plan.outcomes;
}

/** Applies a batch of several megabytes in parts. In one piece, its contacts before and after took 250 MB and blocked the event loop. */
async function applyLong(
  tx: Transaction,
  tenantId: number,
  write: PendingWrite,
  now: string,
  openTopics: OpenTopics | undefined,
): Promise<WriteOutcome> {
  const { items, voucher } = (await readRequest(write)) as Extract<Request, { items: Item[] }>;
  const outcome = new OutcomeBuilder();
  const turn = new Turn();
  while (items.length > 0) {
    const part = items.splice(0, partSize);
    await planAndStore(tx, tenantId, [{ kind: 'upsert', items: part }], now, openTopics, (planner) => {
      planner.asOf(write.createdAt);
      return planner.planPart(outcome, part, turn, voucher);
    });
  }
  return outcome.build();
}

function refuseAll(write: PendingWrite, reason: string): WriteOutcome {
  const outcome = new OutcomeBuilder();
  for (let item = 0; item < write.items; item++) outcome.failed(undefined, null, reason);
  return outcome.build();
}

type ContactWriteShown = Pick<ShownBy<typeof getContactTransaction>, 'data'>;

export async function presentContactWrite(
  db: Runner,
  tenantId: number,
  write: PresentedWrite,
): Promise<ContactWriteShown> {
  if (write.status === 'PENDING') return {};
  const items = readResults(write.results as StoredResults);
  const ids = items.flatMap((item) => item.contactId ?? []);
  const someFailed = items.some((item) => item.status === 'FAILED');
  const [emails, failures] = await Promise.all([
    selectEmails(db, tenantId, ids),
    someFailed ? selectFailures(db, tenantId, write.uuid) : [],
  ]);
  const failureOf = new Map(failures.map((failure) => [failure.item, failure]));
  const results = items.map(({ status, contactId, ignored }, i) => {
    const failure = failureOf.get(i);
    return {
      email: (contactId && emails.get(contactId)) ?? failure?.email ?? null,
      status,
      ...(contactId ? { contactId } : {}),
      ...(failure ? { error: failure.error } : {}),
      ...(ignored ? { ignoredProperties: ignored } : {}),
    };
  });
  return { data: { results } };
}
