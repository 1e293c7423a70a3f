// Applies fates of messages: the ledger, suppressions, the contact's timeline and the tenant's figures change together.
import type { Transaction } from '../../../db/database.js';
import { parseLong } from '../../../lib/long-json.js';
import { monthOf } from '../../../lib/month.js';
import { Turn } from '../../../lib/turns.js';
import type { AddressHashes } from '../../consent/index.js';
import type { MarkChanged } from '../../dynamic-lists/index.js';
import { addToMonths, type MonthTally, marketingEvents, nextMarketingNos } from '../../events/index.js';
import type { Applier, PendingWrite, WriteOutcome } from '../../transactions/index.js';
import type { HealthBook } from '../health/health-book.js';
import { contactsUnsubscribed, type MessageNews, messagesMoved, newsOf, unsubscriptionsOf } from '../news.js';
import { marketingKeys } from '../subjects/index.js';
import { type NewSuppression, strengthenSuppressions } from '../suppressions/queries.js';
import { settleProperties } from '../suppressions/settle-properties.js';
import { countStories, type OpenStory, openStory } from './count-stories.js';
import { type Fate, fateWriteKind } from './fate.js';
import * as queries from './queries.js';
import { Story } from './story.js';

interface FateNeeds {
  hashes: AddressHashes;
  health: HealthBook;
  markChanged: MarkChanged;
  onMonths(months: Iterable<number>): void;
}

const nothing: WriteOutcome = { results: null };

export function fateApplier(needs: FateNeeds): Applier {
  return {
    kinds: [fateWriteKind],
    apply: async (tx, tenantId, writes, now) => {
      const fates: Fate[] = [];
      for (const write of writes) fates.push(...(await readFates(write)));
      await applyFates(needs, tx, tenantId, fates, now);
      return writes.map(() => nothing);
    },
    // No caller polls these writes and a mail server cannot be told, so the reason goes to the log.
    refuse: () => nothing,
  };
}

function readFates({ payload }: PendingWrite): Promise<Fate[]> {
  return parseLong<Fate[]>(payload);
}

async function applyFates(
  needs: FateNeeds,
  tx: Transaction,
  tenantId: number,
  fates: readonly Fate[],
  now: string,
): Promise<void> {
  const stories = await openStories(tx, tenantId, fates);
  const addresses = new Set<string>();
  const suppressed: { address: string; reason: NewSuppression['reason']; isErased: boolean }[] = [];
  const turn = new Turn();
  for (const fate of fates) {
    if (turn.isOver) await turn.next();
    if (fate.what === 'settled') {
      addresses.add(fate.email);
      continue;
    }
    const story = stories.of(fate);
    const address = story?.message.address ?? ('email' in fate ? fate.email : null);
    // A later report about their mail must not bring an erased person back: only the hash is kept.
    const isErased = story !== undefined && story.message.address === null;
    if (story) story.take(fate, now);
    const reasons = story ? story.suppressions.splice(0) : reasonsOf(fate);
    if (!address) continue;
    for (const reason of reasons) suppressed.push({ address, reason, isErased });
    if (reasons.length > 0 || isOfAll(fate)) addresses.add(address);
  }
  const hashOf = await needs.hashes.of(tx, tenantId);
  await strengthenSuppressions(
    tx,
    tenantId,
    suppressed.map(({ address, reason, isErased }) => ({
      ...{ address: isErased ? null : address, reason, hash: hashOf(address) },
    })),
  );
  const moved = await storeStories(needs, tx, tenantId, [...stories.byId.values()], now);
  const settled = await settleProperties(tx, tenantId, [...addresses], hashOf, now);
  await contactsUnsubscribed.tell(tx, tenantId, now, () => unsubscriptionsOf(moved, settled, now));
}

/** About everything, not a topic. */
function isOfAll(fate: Fate): boolean {
  return (fate.what === 'unsubscribed' || fate.what === 'resubscribed') && fate.topicId === undefined;
}

/** What a fate does if no message is known: an address alone can be suppressed too. */
function reasonsOf(fate: Fate): NewSuppression['reason'][] {
  if (fate.what === 'complained' || (fate.what === 'unsubscribed' && fate.topicId === undefined)) return [fate.what];
  return fate.what === 'bounced' && fate.isHard && fate.suppresses ? ['bounced'] : [];
}

interface Stories {
  byId: Map<string, OpenStory>;
  of(fate: Exclude<Fate, { what: 'settled' }>): Story | undefined;
}

async function openStories(tx: Transaction, tenantId: number, fates: readonly Fate[]): Promise<Stories> {
  const named = fates.flatMap((fate) => ('messageId' in fate && fate.messageId !== null ? fate.messageId : []));
  const emails = fates.flatMap((fate) =>
    'email' in fate && fate.what !== 'settled' && !fate.messageId ? (fate.email ?? []) : [],
  );
  const newest = await queries.selectNewest(tx, tenantId, [...new Set(emails)]);
  const ids = [...new Set([...named, ...newest.values()])];
  const byId = new Map<string, OpenStory>();
  if (ids.length > 0) {
    const messages = await queries.lockMessages(tx, tenantId, ids);
    const happenings = await queries.selectHappenings(tx, tenantId, ids);
    for (const message of messages) {
      const story = new Story(message, happenings.get(message.messageId) ?? []);
      byId.set(message.messageId, openStory(message, story));
    }
  }
  return {
    byId,
    of: (fate) => {
      const id = fate.messageId ?? ('email' in fate && fate.email ? newest.get(fate.email) : undefined);
      return id === undefined ? undefined : byId.get(id)?.story;
    },
  };
}

async function storeStories(
  { health, markChanged, onMonths }: FateNeeds,
  tx: Transaction,
  tenantId: number,
  opened: readonly OpenStory[],
  now: string,
): Promise<MessageNews[]> {
  const stories = opened.map(({ story }) => story);
  const rows = await placeActivity(tx, stories);
  await countStories(tx, tenantId, opened);
  const changed = stories.filter(({ isChanged }) => isChanged).map(told);
  await queries.updateMessages(tx, tenantId, changed);
  await queries.insertHappenings(
    tx,
    tenantId,
    stories.flatMap(({ message: { messageId }, happenings }) =>
      happenings.flatMap((happening) => (happening.eventNo === null ? { messageId, happening } : [])),
    ),
  );
  const judged = stories.flatMap((story) =>
    [...story.judgedAnew].map((engagement) => ({ story, contactId: told(story).contactId, engagement })),
  );
  await queries.judgeAnew(tx, tenantId, judged);
  await queries.insertActivity(tx, tenantId, rows);
  const months = tallyMonths(rows);
  if (months.length > 0) await addToMonths(tx, marketingEvents, tenantId, months);
  tx.afterCommit(() => onMonths(new Set(months.map(({ month }) => month))));
  const marks = [
    ...rows.map(({ contactId, activity }) => ({ contactId, keys: marketingKeys(activity.name) })),
    ...judged.flatMap(({ contactId, engagement }) =>
      contactId === null ? [] : { contactId, keys: marketingKeys(engagement.what === 'opened' ? 'opened' : 'clicked') },
    ),
  ];
  if (marks.length > 0) await markChanged(tx, tenantId, marks, now);
  const moved = rows.map(newsOf);
  await messagesMoved.tell(tx, tenantId, now, () => moved);
  const counted = stories.filter((story) => told(story).kind !== 'test').flatMap(({ tallies }) => tallies);
  await health.add(tx, tenantId, counted, now);
  return moved;
}

function told(story: Story): queries.ToldMessage {
  return story.message as queries.ToldMessage;
}

/** Rows of contacts' timelines, numbered so that a click can be found there again. */
async function placeActivity(tx: Transaction, stories: readonly Story[]): Promise<queries.ActivityRow[]> {
  const shown = stories.flatMap((story) => {
    const message = told(story);
    const { contactId, kind } = message;
    return contactId === null || kind === 'test'
      ? []
      : story.activities.map((activity) => ({ contactId, activity, message }));
  });
  const numbers = await nextMarketingNos(tx, shown.length);
  return shown.map((row, i) => {
    const eventNo = numbers[i] as number;
    if (row.activity.of) row.activity.of.activityNo = eventNo;
    return { ...row, eventNo };
  });
}

function tallyMonths(rows: readonly queries.ActivityRow[]): MonthTally[] {
  const tallies = new Map<string, MonthTally>();
  for (const { contactId, activity } of rows) {
    const month = monthOf(activity.at);
    const key = contactId + month;
    const known = tallies.get(key);
    if (known) known.events++;
    else tallies.set(key, { contactId, month, events: 1 });
  }
  return [...tallies.values()];
}
