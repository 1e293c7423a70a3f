// What a caller may have meant by a name or id that does not exist.
import * as contract from '@rapport/contract';
import { isObject } from '@rapport/contract';
import type { Session } from './tool.js';

const mostNamed = 5;

// As names and ids are long. What is longer is compared by its beginning.
const longest = 300;

/** How alike two texts are, from 0 to 1: the share of the letter pairs that they have in common. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = [...a].filter((pair) => b.has(pair)).length;
  return (2 * common) / Math.max(1, a.size + b.size);
}

function pairsOf(text: string): Set<string> {
  const folded = ` ${text.slice(0, longest).toLowerCase()} `;
  return new Set(Array.from({ length: folded.length - 1 }, (_, i) => folded.slice(i, i + 2)));
}

/** The most similar ones first. */
export function nearestOf<T>(
  given: string,
  candidates: readonly T[],
  textsOf: (candidate: T) => readonly string[],
): T[] {
  const pairs = pairsOf(given);
  const scored = candidates.map((candidate) => ({
    candidate,
    score: Math.max(0, ...textsOf(candidate).map((text) => likeness(pairs, pairsOf(text)))),
  }));
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, mostNamed)
    .map(({ candidate }) => candidate);
}

interface Named {
  [id: string]: string;
  name: string;
}

type Given = Readonly<Record<string, unknown>>;
type Read = (session: Session, search: string | undefined, given: Given) => Promise<Named[]>;

const pageSize = 50;

/** By the word for it in the API's own refusal. */
const kinds: Readonly<Record<string, { keys: readonly string[]; read: Read }>> = {
  journey: {
    keys: ['journeyId'],
    read: async ({ api }, search) =>
      (await api(contract.listJourneys, { query: { search, pageSize } })).rows.map(({ journeyId, name }) => ({
        journeyId,
        name,
      })),
  },
  email: {
    keys: ['emailId'],
    read: async ({ api }, search) =>
      (await api(contract.listEmails, { query: { search, pageSize } })).rows.map(({ emailId, name }) => ({
        emailId,
        name,
      })),
  },
  list: {
    keys: ['staticListId', 'dynamicListId', 'addToLists', 'removeFromLists'],
    read: async ({ api }, search) =>
      (await api(contract.listLists, { query: { search, pageSize } })).rows.map((row) =>
        row.type === 'static'
          ? { staticListId: row.staticListId, name: row.name }
          : { dynamicListId: row.dynamicListId ?? '', name: row.name ?? '' },
      ),
  },
  topic: {
    keys: ['topics', 'topicId', 'topic'],
    read: async ({ api }, search) =>
      (await api(contract.listTopics, { query: { search, pageSize } })).rows.map(({ key, topicId, name }) => ({
        ...{ key, topicId, name },
      })),
  },
  form: {
    keys: ['formId'],
    read: async ({ api }, search) =>
      (await api(contract.listForms, { query: { search, pageSize } })).rows.map(({ formId, name }) => ({
        formId,
        name,
      })),
  },
  folder: {
    keys: ['folderId'],
    read: async ({ api }, search) =>
      (await api(contract.listFolders, { query: { search, pageSize } })).rows.map(({ directoryId, directoryName }) => ({
        ...{ folderId: directoryId, name: directoryName },
      })),
  },
  plan: {
    keys: ['planId'],
    // One that another person made, or that was applied or has expired, cannot be applied.
    read: async ({ api, caller }) =>
      (await api(contract.listAgentPlans, { query: { pageSize } })).rows
        .filter(({ state, accountId }) => state === 'waiting' && accountId === caller.accountId)
        .map(({ planId, sentence }) => ({ planId, name: sentence })),
  },
  message: {
    keys: ['messageId'],
    // Those to the contact that the call names. Their subjects may speak of the person, the names of emails do not.
    read: async ({ api }, _search, { contactId, email }) => {
      const to = { contactId: textIn(contactId), email: textIn(email) };
      const { rows } = await api(contract.listMessages, { query: { ...to, pageSize } });
      const emails = await api(contract.listEmails, { query: { pageSize: 200 } });
      const names = new Map(emails.rows.map(({ emailId, name }) => [emailId, name]));
      return rows.map(({ messageId, emailId, state }) => ({
        ...{ messageId, name: names.get(emailId) ?? emailId, emailId, state },
      }));
    },
  },
  contact: {
    keys: ['contactId', 'email', 'contactIds'],
    // A search by a part of an address would give addresses away.
    read: async ({ api, scopes }, search) =>
      scopes.has('people')
        ? (await api(contract.listContacts, { query: { search, pageSize } })).rows.map(({ id, email }) => ({
            contactId: id,
            name: email,
          }))
        : [],
  },
};

/** “No such journey.”, “folderId is not a folder.” and “filter.emailId: nothing has this id”. */
export function missedIn(message: string): string | undefined {
  const found = /[Nn]o such (.+?)(?:[.:]|$)|\bis not an? (folder|topic)\b|(\w+): nothing has this id/.exec(message);
  return found?.slice(1).find((word) => word !== undefined);
}

/** The things like the one that the first of such faults is about. */
export async function nearestToFaults(
  faults: readonly { path: string; message: string }[],
  given: Given,
  session: Session,
): Promise<Named[]> {
  for (const { path, message } of faults) {
    const what = missedIn(`${path}: ${message}`);
    if (what === undefined) continue;
    const keys = path.match(/[^.[\]]+/g) ?? [];
    const value = keys.reduce<unknown>((holder, key) => (holder as Given | undefined | null)?.[key], given);
    return findNearest(what, { [keys.at(-1) ?? '']: value }, session);
  }
  return [];
}

/** The things like the one that an argument names in vain. */
export async function findNearest(what: string, given: Given, session: Session): Promise<Named[]> {
  const kind = kinds[Object.keys(kinds).find((word) => what.toLowerCase().includes(word)) ?? ''];
  const [text] = kind ? textsAt(given, kind.keys) : [];
  if (!kind || text === undefined) return [];
  const found = await kind.read(session, text.slice(0, 100), given);
  const others = found.length >= mostNamed ? [] : await kind.read(session, undefined, given);
  const all = [...new Map([...found, ...others].map((each) => [JSON.stringify(each), each])).values()];
  return nearestOf(text, all, (each) => Object.values(each));
}

/** The values of these keys: arguments, or parts of them, as in a filter. */
function textsAt(given: Given, keys: readonly string[]): string[] {
  const own = keys.flatMap((key) => textsIn(given[key]));
  if (own.length > 0) return own;
  const parts = Object.values(given).flatMap((value) => (Array.isArray(value) ? value : [value]));
  return parts.filter(isObject).flatMap((part) => textsAt(part, keys));
}

const textIn = (value: unknown) => (typeof value === 'string' ? value : undefined);

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.filter((each) => typeof each === 'string');
  return isObject(value) ? Object.keys(value) : [];
}
