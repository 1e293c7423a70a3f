// What a caller may have meant who named something that is not there.
import * as contract from '@rapport/contract';
import type { Session } from './tool.js';

const mostNamed = 5;

/** How alike two texts are, from 0 to 1: the share of the letter pairs that they have in common. */
function likeness(one: string, other: string): number {
  const [a, b] = [pairsOf(one), pairsOf(other)];
  const common = [...a].filter((pair) => b.has(pair)).length;
  return (2 * common) / Math.max(1, a.size + b.size);
}

function pairsOf(text: string): Set<string> {
  const folded = ` ${text.toLowerCase()} `;
  return new Set(Array.from({ length: folded.length - 1 }, (_, i) => folded.slice(i, i + 2)));
}

/** The most similar ones first. */
export function nearestOf<T>(
  given: string,
  candidates: readonly T[],
  textsOf: (candidate: T) => readonly string[],
): T[] {
  const scored = candidates.map((candidate) => ({
    candidate,
    score: Math.max(0, ...textsOf(candidate).map((text) => likeness(given, text))),
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

type Read = (session: Session, search: string | undefined) => Promise<Named[]>;

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
    keys: ['topics'],
    read: async ({ api }, search) =>
      (await api(contract.listTopics, { query: { search, pageSize } })).rows.map(({ key, name }) => ({ key, name })),
  },
  contact: {
    keys: ['contactId', 'email'],
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

/** The things like the one that an argument names in vain. */
export async function findNearest(what: string, given: Record<string, unknown>, session: Session): Promise<Named[]> {
  const kind = kinds[Object.keys(kinds).find((word) => what.includes(word)) ?? ''];
  const named = kind?.keys.flatMap((key) => textsIn(given[key])) ?? [];
  const [text] = named;
  if (!kind || text === undefined) return [];
  const found = await kind.read(session, text.slice(0, 100));
  const others = found.length >= mostNamed ? [] : await kind.read(session, undefined);
  const all = [...new Map([...found, ...others].map((each) => [JSON.stringify(each), each])).values()];
  return nearestOf(text, all, (each) => Object.values(each));
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.filter((each) => typeof each === 'string');
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}
