// The one place where contacts' states change: with the log, the counts, the activity and the news of it.
import type { ConsentSource, TopicState } from '@rapport/contract';
import type { Transaction } from '../../db/database.js';
import type { Cause } from '../../db/news.js';
import type { Acknowledger } from '../transactions/index.js';
import { type Unsubscription, unsubscriptionWrite } from './activity.js';
import { changed, confirmedBy, decide, type Standing, type Verdict } from './decide.js';
import { topicsChanged } from './news.js';
import { noteOwnWords } from './refusals/queries.js';
import type { NewEntry, NewState, Pair } from './states/queries.js';
import * as queries from './states/queries.js';

/** A change of a contact's state for a topic. The caller makes sure that both exist until the transaction ends. */
export interface TopicChange extends Pair {
  readonly state: TopicState;
  readonly source: ConsentSource;
  readonly formId?: string | null;
  readonly text?: string | null;
  readonly accountId?: number | null;
  /** When it was said, where that is not now. */
  readonly at?: string;
  /** Since when it holds, where that is not when it was said. */
  readonly since?: string;
  readonly cause?: Cause | undefined;
  /** Its marketing activity comes with the message that it was said by, or it came before. */
  readonly isToldElsewhere?: boolean;
  /** It was said before, and comes back with an address that had been erased. */
  readonly isRestored?: boolean;
}

/** Carries changes out in their order. Answers what came of each. */
export type SetTopics = (
  tx: Transaction,
  tenantId: number,
  changes: readonly TopicChange[],
  now: string,
) => Promise<Verdict[]>;

/** Activity is written under the tenant's lock, so it goes through the queue; everything else takes effect at once. */
export function topicSetter(acknowledger: Acknowledger): SetTopics {
  return async (tx, tenantId, changes, now) => {
    const verdicts = new Map<TopicChange, Verdict>();
    const entries: Entry[] = [];
    // If another transaction stores the first state at the same time, ours comes after it: decide again.
    for (let open = changes; open.length > 0; ) {
      const plan = planChanges(open, await queries.lockStates(tx, tenantId, pairsOf(open)), now);
      const added = new Set((await queries.insertStates(tx, tenantId, plan.added)).map(keyOf));
      const late = new Set(plan.added.map(keyOf).filter((key) => !added.has(key)));
      await noteOwnWords(tx, tenantId, plan.ownWords);
      await queries.updateStates(tx, tenantId, plan.changed);
      for (const [change, verdict] of plan.verdicts) if (!late.has(keyOf(change))) verdicts.set(change, verdict);
      entries.push(...plan.entries.filter((entry) => !late.has(keyOf(entry))));
      open = open.filter((change) => late.has(keyOf(change)));
    }
    await queries.insertLog(tx, tenantId, entries);
    const left = entries.filter(({ state, isToldElsewhere }) => state === 'unsubscribed' && !isToldElsewhere);
    await acknowledger.enqueue(tx, unsubscriptionWrite(tenantId, left.map(toUnsubscription)));
    await topicsChanged.tell(tx, tenantId, now, () => entries);
    return changes.map((change) => verdicts.get(change) as Verdict);
  };
}

interface Entry extends NewEntry {
  /** Nothing was said before. */
  readonly isFirst: boolean;
  readonly isToldElsewhere: boolean;
  readonly cause?: Cause | undefined;
  readonly isRestored: boolean;
}

function toUnsubscription({ contactId, topicId, at, isFirst }: Entry): Unsubscription {
  return { contactId, topicId, at, isFirst };
}

interface ChangePlan {
  readonly added: NewState[];
  readonly changed: (NewState & { before: TopicState })[];
  /** No change, but it was said by the person now. */
  readonly ownWords: (Pair & Standing)[];
  readonly entries: Entry[];
  readonly verdicts: Map<TopicChange, Verdict>;
}

function planChanges(changes: readonly TopicChange[], stored: readonly (Pair & Standing)[], now: string): ChangePlan {
  const before = new Map<string, Standing>(stored.map((row) => [keyOf(row), row]));
  const after = new Map<string, NewState>();
  const ownWords: (Pair & Standing)[] = [];
  const entries: Entry[] = [];
  const verdicts = new Map<TopicChange, Verdict>();
  for (const change of changes) {
    const { contactId, topicId, state, source, formId = null, text = null, accountId = null, at = now } = change;
    const key = keyOf(change);
    const standing = after.get(key) ?? before.get(key);
    const verdict = decide(standing, change);
    verdicts.set(change, verdict);
    const own = confirmedBy(standing, change);
    if (own) {
      const planned = after.get(key);
      if (planned) after.set(key, { ...planned, ...own });
      else ownWords.push({ contactId, topicId, ...own });
      if (!planned) before.set(key, own);
    }
    if (verdict !== 'changed') continue;
    after.set(key, { contactId, topicId, since: change.since ?? at, formId, ...changed(standing, change) });
    entries.push({
      ...{ contactId, topicId, at, state, source, formId, text, accountId },
      ...{ isFirst: standing === undefined, isToldElsewhere: change.isToldElsewhere ?? false },
      ...{ isRestored: change.isRestored ?? false },
      ...(change.cause ? { cause: change.cause } : {}),
    });
  }
  const states = [...after].map(([key, state]) => ({ ...state, before: before.get(key)?.state }));
  return {
    added: states.filter((state) => state.before === undefined),
    changed: states.filter((state): state is NewState & { before: TopicState } => state.before !== undefined),
    ownWords,
    entries,
    verdicts,
  };
}

function keyOf({ contactId, topicId }: Pair): string {
  return `${contactId}:${topicId}`;
}

function pairsOf(changes: readonly TopicChange[]): Pair[] {
  return [...new Map(changes.map((change) => [keyOf(change), change])).values()];
}
