// Actions that reach contacts by name or by list: enrol, and send an email.
import * as contract from '@rapport/contract';
import { ApiError, invalid } from '../../../http/api-error.js';
import type { Session } from '../tool.js';
import { getContact, plural, type ShownContact, shownContact } from '../tools/people.js';
import { journeyIdOf, type PlanGiven, type Prepared } from './planned.js';

// More people than that are reached by a journey over a list, which takes them in its own time.
const mostReached = 10_000;
const pageSize = 200;
const batchSize = 1000;
const mostLookedUp = 200;

interface Reached {
  /** “the list “Trials”” or “1 contact”. */
  words: string;
  count: number;
  first: ShownContact[];
  /** Those who were named. */
  contactIds: string[];
  /** All of them, at the moment when it is asked. */
  all(): Promise<string[]>;
}

async function reachedBy(given: PlanGiven, session: Session): Promise<Reached> {
  const { contactId, email, contactIds, staticListId, dynamicListId } = given;
  const isOne = contactId !== undefined || email !== undefined;
  const ways = [isOne, contactIds, staticListId, dynamicListId].filter(Boolean).length;
  if (ways !== 1)
    throw invalid('contactIds', 'or contactId, staticListId or dynamicListId must say who: exactly one of them');
  if (isOne)
    return named(session, [
      (await getContact(session, { ...(contactId ? { contactId } : {}), ...(email ? { email } : {}) })).id,
    ]);
  if (contactIds) return named(session, [...new Set(contactIds)]);
  return ofList(session, staticListId === undefined ? { dynamicListId: dynamicListId as string } : { staticListId });
}

async function named({ api }: Session, ids: string[]): Promise<Reached> {
  const looked = await Promise.all(
    ids.slice(0, mostLookedUp).map(async (id) => (await api(contract.getContact, { params: { id } })).data),
  );
  return {
    ...{ words: plural(ids.length, 'contact'), count: ids.length, contactIds: ids },
    first: looked.slice(0, 10).map(shownContact),
    all: async () => ids,
  };
}

type List = { staticListId: string } | { dynamicListId: string };

async function ofList({ api }: Session, list: List): Promise<Reached> {
  const id = 'staticListId' in list ? list.staticListId : list.dynamicListId;
  const { name } =
    'staticListId' in list
      ? (await api(contract.getList, { params: { id } })).data
      : (await api(contract.getDynamicList, { params: { id } })).data;
  const filter = JSON.stringify({ all: [list] });
  const read = (pageNumber: number, size: number) =>
    api(contract.listContacts, { query: { filter, pageNumber, pageSize: size } });
  const { rows, total } = await read(1, 10);
  if (total > mostReached)
    throw new ApiError('INVALID_STATE', {
      reason: `The list has ${plural(total, 'member')}. An agent reaches at most ${mostReached.toLocaleString('en')} at once: use a journey over the list instead.`,
    });
  return {
    ...{ words: `the list “${name}”`, count: total, contactIds: [], first: rows.map(shownContact) },
    all: async () => {
      const ids: string[] = [];
      for (let page = 1; ids.length < total && page <= mostReached / pageSize; page++) {
        const part = await read(page, pageSize);
        ids.push(...part.rows.map((row) => row.id));
        if (part.rows.length < pageSize) break;
      }
      return [...new Set(ids)];
    },
  };
}

function* batches(ids: readonly string[]): Generator<{ part: number; ids: readonly string[] }> {
  for (let from = 0; from < ids.length; from += batchSize)
    yield { part: from / batchSize, ids: ids.slice(from, from + batchSize) };
}

export async function prepareEnrol(given: PlanGiven, session: Session): Promise<Prepared> {
  const id = journeyIdOf(given);
  const { api } = session;
  const { data: journey } = await api(contract.getJourney, { params: { id } });
  if (journey.status !== 'active' || journey.type !== 'trigger')
    throw new ApiError('INVALID_STATE', {
      reason: 'Contacts can be enrolled only in an active trigger journey. Activate it first.',
    });
  const reached = await reachedBy(given, session);
  return {
    sentence: `Enrol ${reached.words} in the journey “${journey.name}”: ${plural(reached.count, 'person', 'people')}.`,
    ...{ reach: reached.count, firstRecipients: reached.first, warnings: [], contactIds: reached.contactIds },
    basis: { revision: journey.revision, version: journey.version },
    touched: [`journey:${id}`, ...reached.contactIds.map((contactId) => `contact:${contactId}`)],
    run: async (key) => {
      const done = { enrolled: 0, skipped: 0, unknown: 0 };
      for (const { part, ids } of batches(await reached.all())) {
        const request = { params: { id }, body: { contactIds: ids }, idempotency: key(part) };
        const { data, errors } = await api(contract.enrollContacts, request);
        done.enrolled += data.enrolled;
        done.skipped += data.skipped;
        done.unknown += errors.filter(({ errorCode }) => errorCode === 'CONTACTS_NOT_FOUND').length;
      }
      return { journeyId: id, ...done };
    },
  };
}

export async function prepareSend(given: PlanGiven, session: Session): Promise<Prepared> {
  const { emailId, transactional = false } = given;
  if (emailId === undefined) throw invalid('emailId', 'is required');
  const { api } = session;
  const { data: email } = await api(contract.getEmail, { params: { id: emailId } });
  const reached = await reachedBy(given, session);
  const { data: setup } = await api(contract.getSendingSetup);
  return {
    sentence: `Send the email “${email.name}” to ${reached.words}: ${plural(reached.count, 'person', 'people')}.`,
    ...{ reach: reached.count, firstRecipients: reached.first, contactIds: reached.contactIds },
    warnings: setup.warnings.map(({ message }) => message),
    basis: { updatedAt: email.updatedAt },
    touched: [`email:${emailId}`, ...reached.contactIds.map((contactId) => `contact:${contactId}`)],
    run: async (key) => {
      const done = { queued: 0, failed: 0 };
      for (const { part, ids } of batches(await reached.all())) {
        const messages = ids.map((contactId) => ({ emailId, contactId, transactional }));
        const { data } = await api(contract.sendMessages, { body: { messages }, idempotency: key(part) });
        for (const { state } of data.results) done[state === 'queued' ? 'queued' : 'failed']++;
      }
      return { emailId, ...done };
    },
  };
}
