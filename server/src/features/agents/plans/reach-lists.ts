// Actions that reach contacts by name or by list: enrol, and send an email.
import { createHash } from 'node:crypto';
import * as contract from '@rapport/contract';
import { ApiError, invalid } from '../../../http/api-error.js';
import type { Session } from '../tool.js';
import { getContact, plural, type ShownContact, shownContact } from '../tools/people.js';
import { hasGrown, journeyIdOf, type PlanGiven, type Prepared } from './planned.js';

// More people than that are reached by a journey over a list, which takes them in its own time.
const mostReached = 10_000;
const pageSize = 200;
// The API takes 1,000 at once, and a list may grow a little: half of it on average.
const partSize = 500;
const mostLookedUp = 200;

interface Reached {
  /** “the list “Trials”” or “1 contact”. */
  words: string;
  count: number;
  first: ShownContact[];
  /** The contacts that were named. */
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

/**
 * Divides contacts into parts by their ids, not by their places: after a kill the list may have changed, and a contact must not have moved from
 * a part that was done into one that was not.
 */
function partsOf(ids: readonly string[], seen: number): Map<number, string[]> {
  if (hasGrown(ids.length, seen))
    throw new ApiError('INVALID_STATE', {
      reason: `The list has ${plural(ids.length, 'member')} by now, and the plan was for ${seen}. Plan it again.`,
    });
  const count = Math.max(1, Math.ceil(seen / partSize));
  const parts = new Map<number, string[]>();
  for (const id of ids) {
    const part = createHash('sha256').update(id).digest().readUInt32BE() % count;
    const others = parts.get(part);
    if (others) others.push(id);
    else parts.set(part, [id]);
  }
  return parts;
}

export async function prepareEnrol(given: PlanGiven, session: Session): Promise<Prepared> {
  const id = journeyIdOf(given);
  const { api } = session;
  const { data: journey } = await api(contract.getJourney, { params: { id } });
  if (journey.status !== 'active' || journey.type !== 'trigger')
    throw new ApiError('INVALID_STATE', {
      reason: 'Contacts can only be enrolled in an active trigger journey. Activate it first.',
    });
  const reached = await reachedBy(given, session);
  return {
    sentence: `Enrol ${reached.words} in the journey “${journey.name}”: ${plural(reached.count, 'person', 'people')}.`,
    ...{ reach: reached.count, firstRecipients: reached.first, warnings: [], contactIds: reached.contactIds },
    basis: { revision: journey.revision, version: journey.version },
    touched: [`journey:${id}`, ...reached.contactIds.map((contactId) => `contact:${contactId}`)],
    run: async (step, seen) => {
      const done = { enrolled: 0, skipped: 0, unknown: 0 };
      for (const [part, ids] of partsOf(await reached.all(), seen)) {
        const request = { params: { id }, body: { contactIds: ids } };
        const { data, errors } = await step(part, (idempotency) =>
          api(contract.enrollContacts, { ...request, idempotency }),
        );
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
    run: async (step, seen) => {
      const done = { queued: 0, failed: 0 };
      for (const [part, ids] of partsOf(await reached.all(), seen)) {
        const messages = ids.map((contactId) => ({ emailId, contactId, transactional }));
        const { data } = await step(part, (idempotency) =>
          api(contract.sendMessages, { body: { messages }, idempotency }),
        );
        for (const { state } of data.results) done[state === 'queued' ? 'queued' : 'failed']++;
      }
      return { emailId, ...done };
    },
  };
}
