// Tells journeys what happened: rows in the transaction that made it happen, so that nothing is missed, whatever is killed when.
import type { Transaction } from '../../../db/database.js';
import { type Cause, type Hearing, hearing, type Listener } from '../../../db/news.js';
import { parseJson } from '../../../lib/parse-json.js';
import { topicsChanged } from '../../consent/index.js';
import { type ContactNews, contactsChanged } from '../../contacts/index.js';
import {
  audiencesChanged,
  audiencesRedrawn,
  byContact,
  hearInputs,
  type Inputs,
  type RedrawnNews,
} from '../../dynamic-lists/index.js';
import { type EventNews, eventsStored } from '../../events/index.js';
import { submissionsAccepted } from '../../forms/index.js';
import { membersChanged } from '../../lists/index.js';
import type { JourneyInterest } from './interest.js';
import type { Interests } from './interests.js';
import { equalsScalar } from './match-property.js';
import { insertFellowNews, insertNews, insertOrgNews, type NewNews } from './queries.js';

/** `onNews` is called once a transaction that told some has committed. */
export function hearNews(interests: Interests, onNews: () => void): Hearing[] {
  const telling =
    <Item>(newsOf: (items: readonly Item[], interest: JourneyInterest, now: string) => NewNews[]) =>
    async (tx: Transaction, tenantId: number, items: readonly Item[], now: string): Promise<void> => {
      const interest = await interests.hold(tx, tenantId);
      if (interest.isEmpty) return;
      const news = newsOf(items, interest, now);
      if (news.length === 0) return;
      await insertNews(tx, tenantId, news);
      tx.afterCommit(onNews);
    };
  const look = async (tx: Transaction, tenantId: number, interest: JourneyInterest, inputs: Inputs, now: string) => {
    if (interest.readsNothing) return;
    if (await tellChanges(tx, tenantId, interest, inputs, now)) tx.afterCommit(onNews);
  };
  const lookAtMembers: Listener<RedrawnNews> = async (tx, tenantId, items, now) => {
    const contacts = items.map(({ contactId, listId }) => ({ contactId, keys: [`dynamic:${listId}`] }));
    await look(tx, tenantId, await interests.hold(tx, tenantId), { contacts }, now);
  };
  return [
    hearing(eventsStored, telling(newsOfEvents)),
    hearing(contactsChanged, telling(newsOfContacts)),
    hearing(
      membersChanged,
      telling((items, interest, at) =>
        items
          .filter(({ what }) => what === 'joined')
          .flatMap(({ listId, contactId, cause }) =>
            ofList('joined', `static:${listId}`, interest.startedByJoining(`static:${listId}`), contactId, at, cause),
          ),
      ),
    ),
    hearing(
      submissionsAccepted,
      telling((items, interest, at) =>
        items.flatMap(({ formId, contactId }) =>
          [...interest.startedByForm(formId)].map(
            (journeyNo): NewNews => ({ journeyNo, kind: 'form', contactId, at, data: JSON.stringify({ formId }) }),
          ),
        ),
      ),
    ),
    hearing(
      topicsChanged,
      telling((items, interest, now) =>
        items
          .filter(({ isRestored }) => !isRestored)
          .flatMap(({ topicId, state, contactId, cause }) => {
            const data = JSON.stringify({ topicId, state, ...cause });
            return [...interest.startedByTopic(topicId, state)].map(
              (journeyNo): NewNews => ({ journeyNo, kind: 'topic', contactId, at: now, data }),
            );
          }),
      ),
    ),
    hearing(
      audiencesChanged,
      telling((items, interest, at) =>
        items.flatMap(({ listId, contactId, what }): NewNews[] => {
          const key = `dynamic:${listId}`;
          const started = what === 'joined' ? interest.startedByJoining(key) : interest.startedByLeaving(key);
          return ofList(what, key, started, contactId, at);
        }),
      ),
    ),
    hearing(audiencesChanged, lookAtMembers),
    // An edited list enrols no one, but active enrolments look again.
    hearing(audiencesRedrawn, lookAtMembers),
    ...hearInputs((tx, tenantId) => interests.hold(tx, tenantId), look),
  ];
}

function ofList(
  kind: 'joined' | 'left',
  list: string,
  journeyNos: Iterable<number>,
  contactId: string,
  at: string,
  cause?: Cause,
) {
  const data = JSON.stringify({ list, ...cause });
  return [...journeyNos].map((journeyNo): NewNews => ({ journeyNo, kind, contactId, at, data }));
}

function property(journeyNo: number, contactId: string, at: string, data: object): NewNews {
  return { journeyNo, kind: 'property', contactId, at, data: JSON.stringify(data) };
}

/** An absent bound is any value, and none. */
function matches(value: unknown, wanted: string | number | boolean | undefined): boolean {
  return wanted === undefined || equalsScalar(value, wanted);
}

/** One row for each journey that a changed property starts, or whose date it moves. */
function newsOfContacts(items: readonly ContactNews[], interest: JourneyInterest): NewNews[] {
  const news: NewNews[] = [];
  for (const item of items) {
    const { contactId } = item;
    if (interest.readsDates)
      for (const { field, at } of item.changes)
        for (const journeyNo of interest.datedBy(field)) news.push(property(journeyNo, contactId, at, { field }));
    // What a contact is made with has not changed.
    for (const { field, oldValue, newValue, at, cause } of item.logged)
      for (const { journeyNo, from, to } of interest.startedByProperty(field))
        if (matches(oldValue, from) && matches(newValue, to))
          news.push(property(journeyNo, contactId, at, { field, oldValue, newValue, ...cause }));
  }
  return news;
}

/** One row for each journey that an event starts, or for which somebody may be waiting. */
function newsOfEvents(items: readonly EventNews[], interest: JourneyInterest): NewNews[] {
  const news: NewNews[] = [];
  for (const event of items) {
    if (!interest.hearsEvent(event.eventName)) continue;
    const waiting = new Set(interest.waitingFor(event.eventName));
    const started = interest
      .startedBy(event.eventName)
      .filter(
        ({ journeyNo, where }) =>
          !waiting.has(journeyNo) &&
          (!where || where.holds(testedOf(event), { now: Date.parse(event.acknowledgedAt) })),
      );
    if (waiting.size + started.length === 0) continue;
    const told = { kind: 'event', contactId: event.contactId, at: event.acknowledgedAt, data: dataOf(event) } as const;
    for (const journeyNo of waiting) news.push({ journeyNo, ...told });
    for (const { journeyNo, isFree } of started) news.push({ journeyNo, ...told, isEntry: isFree });
  }
  return news;
}

function testedOf({ eventDate, userId, orgId, properties }: EventNews) {
  const parsed = properties === null ? {} : (parseJson(properties) as Record<string, unknown>);
  return { eventDate, userId, orgId, properties: parsed };
}

/** Its properties are compact JSON already. */
function dataOf({ eventName, eventDate, userId, orgId, properties, chain, fromEnrolment }: EventNews): string {
  const rest = JSON.stringify({ eventName, eventDate, userId, orgId, chain, fromEnrolment });
  return properties === null ? rest : `${rest.slice(0, -1)},"properties":${properties}}`;
}

/** Returns whether any journey was told. */
async function tellChanges(
  tx: Transaction,
  tenantId: number,
  interest: JourneyInterest,
  { contacts = [], orgs = [] }: Inputs,
  now: string,
): Promise<boolean> {
  const own: NewNews[] = [];
  const fellows: { contactId: string; journeyNo: number }[] = [];
  for (const [contactId, keys] of byContact(contacts)) {
    // A contact that is new is on no way yet, and what it enters looks at it then.
    if (keys === 'everything') continue;
    const concerned = interest.concerned(keys);
    for (const journeyNo of concerned.own) own.push({ journeyNo, kind: 'changed', contactId, at: now });
    for (const journeyNo of concerned.orgs) fellows.push({ contactId, journeyNo });
  }
  const whole = orgs.flatMap(({ orgId, keys }) => {
    const journeyNos = keys === 'members' ? interest.counting : interest.concerned(keys).own;
    return [...journeyNos].map((journeyNo) => ({ orgId, journeyNo }));
  });
  if (own.length > 0) await insertNews(tx, tenantId, own);
  if (fellows.length > 0) await insertFellowNews(tx, tenantId, fellows, now);
  if (whole.length > 0) await insertOrgNews(tx, tenantId, whole, now);
  return own.length + fellows.length + whole.length > 0;
}
