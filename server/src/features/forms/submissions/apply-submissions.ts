// What a submission changes, under the tenant's lock: the contact, its topics, the list, and the mail that asks.
import type { RefusalReason, SuppressionReason } from '@rapport/contract';
import type { Transaction } from '../../../db/database.js';
import type { AddressHashes, FormTopic, SetTopics } from '../../consent/index.js';
import { holdTopics, selectFormTopics, selectStandings } from '../../consent/index.js';
import { applyOwnChanges, ContactBook } from '../../contacts/index.js';
import { changeMembers } from '../../lists/index.js';
import { selectReasons } from '../../messages/index.js';
import { submissionsAccepted } from '../news.js';
import { ask, type Placed } from './ask.js';
import type { AppliedSubmission, WaitingSubmission } from './queries.js';
import * as queries from './queries.js';

export interface ApplyNeeds {
  hashes: AddressHashes;
  setTopics: SetTopics;
  /** There are messages to send. */
  wakeMessages(): void;
}

export async function applySubmissions(
  needs: ApplyNeeds,
  tx: Transaction,
  tenantId: number,
  ids: readonly string[],
  now: string,
): Promise<void> {
  const waiting = await queries.takeSubmissions(tx, tenantId, ids);
  if (waiting.length === 0) return;
  const hashOf = await needs.hashes.of(tx, tenantId);
  const reasons = await selectReasons(tx, tenantId, [...new Set(waiting.map(({ address }) => hashOf(address)))]);
  const reasonOf = ({ address }: WaitingSubmission) => reasons.get(hashOf(address));
  const topicIds = [...new Set(waiting.flatMap((each) => each.topicIds))];
  await holdTopics(tx, tenantId, topicIds);
  const topics = await selectFormTopics(tx, tenantId, topicIds);
  const refused = waiting.filter((each) => endsAll(reasonOf(each)));
  const { placed, missingOf } = await placeContacts(
    tx,
    tenantId,
    waiting.filter((each) => !refused.includes(each)),
    (each) => ({ hash: hashOf(each.address), hasLeft: reasonOf(each) === 'unsubscribed' }),
    now,
  );
  const pending = await sayTopics(needs, tx, tenantId, placed, topics, now);
  const asked = await ask(tx, tenantId, placed, pending, topics);
  if (asked.some(({ messageId }) => messageId !== null)) tx.afterCommit(needs.wakeMessages);
  const accepted = placed.filter((_, i) => asked[i]?.outcome === 'accepted');
  await fillIn(tx, tenantId, accepted, missingOf, now);
  await queries.settleSubmissions(tx, tenantId, [
    ...refused.map((each) => refusedAs(each, reasonOf(each) as RefusalReason)),
    ...asked,
  ]);
  await accept(tx, tenantId, accepted, now);
}

/** Of these addresses nothing is wanted, and nothing gets to them. */
function endsAll(reason: SuppressionReason | undefined): boolean {
  return reason !== undefined && reason !== 'unsubscribed';
}

function refusedAs({ submissionId, formId }: WaitingSubmission, reason: RefusalReason): AppliedSubmission {
  return {
    ...{ submissionId, formId, outcome: 'refused', reason, contactId: null },
    ...{ messageId: null, askedTopicIds: null, linkUntil: null },
  };
}

/** What a form fills in. */
export function propertiesOf({ values, emailField }: Pick<WaitingSubmission, 'values' | 'emailField'>) {
  return Object.fromEntries(Object.entries(values).filter(([key]) => key !== emailField));
}

/** A contact that was not known is made, with all that was sent. Of the others nothing changes yet. */
async function placeContacts(
  tx: Transaction,
  tenantId: number,
  submissions: readonly WaitingSubmission[],
  about: (each: WaitingSubmission) => Pick<Placed, 'hash' | 'hasLeft'>,
  now: string,
) {
  const book = await ContactBook.open(
    tx,
    tenantId,
    submissions.map(({ address }) => address),
  );
  const made = new Set<string>();
  for (const each of submissions) {
    if (book.find(each.address) !== undefined) continue;
    book.asOf(each.at);
    // What a contact has no room for is left out.
    if (book.upsert(each.address, propertiesOf(each), 'form') !== undefined) book.ensure(each.address);
    made.add(each.address);
  }
  await book.store(tx, tenantId, now);
  const placed = submissions.map((each): Placed => {
    const contactId = book.find(each.address) as string;
    return { ...each, ...about(each), contactId, isNew: made.has(each.address) };
  });
  const missingOf = (each: Placed) => {
    const known = book.propertiesOf(each.contactId) ?? {};
    return Object.fromEntries(Object.entries(propertiesOf(each)).filter(([key]) => !Object.hasOwn(known, key)));
  };
  return { placed, missingOf };
}

/** Which topics each must be asked about by mail. */
async function sayTopics(
  { setTopics }: ApplyNeeds,
  tx: Transaction,
  tenantId: number,
  placed: readonly Placed[],
  topics: ReadonlyMap<string, FormTopic>,
  now: string,
): Promise<Map<Placed, string[]>> {
  const contactIds = [...new Set(placed.map(({ contactId }) => contactId))];
  const said = new Set(
    (await selectStandings(tx, tenantId, contactIds, [...topics.keys()])).map((row) => row.contactId + row.topicId),
  );
  const wishes = placed.flatMap((each) =>
    each.topicIds.flatMap((topicId) => {
      const topic = topics.get(topicId);
      if (!topic) return [];
      const asks = topic.doubleOptIn || each.byMail || each.hasLeft;
      // A contact that is subscribed by default stays so: asking first would take that away.
      const isSubscribed = topic.byDefault === 'subscribed' && !each.isNew && !said.has(each.contactId + topicId);
      return asks && isSubscribed ? [] : { each, change: changeOf(each, topicId, asks ? 'pending' : 'subscribed') };
    }),
  );
  const verdicts = await setTopics(
    tx,
    tenantId,
    wishes.map(({ change }) => change),
    now,
  );
  // A contact that unsubscribed, or has not answered yet, is asked, whatever the topic says.
  const kept = wishes.filter(({ change }, i) => change.state === 'subscribed' && verdicts[i] === 'kept');
  const asked = kept.map(({ each, change }) => ({ each, change: changeOf(each, change.topicId, 'pending') }));
  const answers = await setTopics(
    tx,
    tenantId,
    asked.map(({ change }) => change),
    now,
  );
  const isOpen = (state: string, verdict: string | undefined) => state === 'pending' && verdict !== 'kept';
  const open = [
    ...wishes.filter(({ change }, i) => isOpen(change.state, verdicts[i])),
    ...asked.filter(({ change }, i) => isOpen(change.state, answers[i])),
  ];
  return new Map(
    placed.map((each) => [each, open.filter((wish) => wish.each === each).map(({ change }) => change.topicId)]),
  );
}

function changeOf({ contactId, formId, text, at }: Placed, topicId: string, state: 'pending' | 'subscribed') {
  return { contactId, topicId, state, source: 'form' as const, formId, text, at };
}

/** Anyone can type another person's address into a form, so it changes no property that the contact has. */
async function fillIn(
  tx: Transaction,
  tenantId: number,
  accepted: readonly Placed[],
  missingOf: (each: Placed) => Record<string, unknown>,
  now: string,
): Promise<void> {
  const given = new Set<string>();
  const changes = accepted.flatMap((each) => {
    const missing = Object.entries(missingOf(each)).filter(([key]) => !given.has(each.contactId + key));
    for (const [key] of missing) given.add(each.contactId + key);
    if (missing.length === 0) return [];
    return { contactId: each.contactId, properties: Object.fromEntries(missing), source: 'form', at: each.at };
  });
  await applyOwnChanges(tx, tenantId, changes, now);
}

/** Joins the list and tells the listeners. */
export async function accept(
  tx: Transaction,
  tenantId: number,
  accepted: readonly Pick<Placed, 'formId' | 'contactId' | 'submissionId' | 'at' | 'listId'>[],
  now: string,
): Promise<void> {
  const joins = accepted.flatMap(({ listId, contactId }) =>
    listId === null ? [] : { staticListId: listId, contactId, what: 'add' as const },
  );
  await changeMembers(tx, tenantId, joins, now);
  await submissionsAccepted.tell(tx, tenantId, now, () =>
    accepted.map(({ formId, contactId, submissionId, at }) => ({ formId, contactId, submissionId, at })),
  );
}
